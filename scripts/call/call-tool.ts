import { randomUUID } from 'node:crypto'
import type { StackFile } from '../../local/data-directory/stack-file.ts'
import { StartError } from '../../local/process/start-error.ts'
import { prepareToolCall } from '../../shared/engine/calls/prepare-tool-call.ts'
import type { Repair } from '../../shared/engine/core/repair.ts'
import { isWholeToolError, type ToolError, type ToolResult } from '../../shared/engine/core/tool-error.ts'
import type { ToolSpecification } from '../../shared/engine/core/tool-specification.ts'
import { shortenOutput } from '../../shared/engine/tools/shorten-output.ts'
import { formatToolError } from '../../shared/engine/wording/format-tool-error.ts'
import { ask, readStack, signIn } from './running-stack.ts'

/** The outcome of a call as a model would see it. */
export interface CallReport {
  ok: boolean
  /** What the model reads. */
  text: string
  repairs: Repair[]
}

/** A row of the catalogue. */
interface StoredTool {
  name: string
  function: string
  action: string
  specification: ToolSpecification
}

const example = `npm run call -- weather_forecast '{"city":"Oslo"}'`

/**
 * Calls a tool as the demo user of the running stack. The arguments are parsed, repaired and checked like those of a
 * model, then sent to the tool's function.
 * @throws {StartError} when no stack is running or no tool is named
 */
export async function callTool(
  dataDirectory: string,
  name: string | undefined,
  rawArguments = '{}',
): Promise<CallReport> {
  const stack = readStack(dataDirectory)
  const token = await signIn(stack)
  const tools = await readTools(stack, token)
  if (!name) {
    throw new StartError(
      `Name a tool, like ${example}. The tools: ${tools.map(({ name }) => name).join(', ')}.`,
    )
  }
  const specifications = tools.map(({ specification }) => specification)
  const prepared = prepareToolCall({ name, rawArguments, tools: specifications })
  if (!prepared.ok) return report(prepared.error, prepared.tool ?? name)
  const tool = tools.find(({ specification }) => specification === prepared.tool)
  if (!tool) throw new Error(`${prepared.tool.name} is no tool of the catalogue.`)
  const result = await post(stack, token, tool, prepared.args)
  const { args, repairs } = prepared
  if (!result.ok) return report(result, prepared.tool, repairs)
  const { data, note } = shortenOutput(result.data, tool.specification.maxOutputBytes, {
    tool: tool.specification,
    args,
  })
  const text = typeof data === 'string' ? data : JSON.stringify(data ?? null, null, 2)
  return { ok: true, text: note === undefined ? text : `${text}\n${note}`, repairs }
}

function report(error: ToolError, tool: ToolSpecification | string, repairs: Repair[] = []): CallReport {
  return { ok: false, text: formatToolError(error, { attempt: 1, maxAttempts: 3, tool }), repairs }
}

async function readTools(stack: StackFile, token: string): Promise<StoredTool[]> {
  const path = '/rest/v1/tools?select=name,function,action,specification&order=position'
  const answer = await ask(stack, path, { token })
  return (await answer.json()) as StoredTool[]
}

/** The function's result; if it did not start or crashed, the stack's own error. */
async function post(
  stack: StackFile,
  token: string,
  { function: name, action }: StoredTool,
  params: Record<string, unknown>,
): Promise<ToolResult> {
  const body = { action, params, idempotencyKey: randomUUID() }
  const answer = await ask(stack, `/functions/v1/${name}`, { token, body })
  const result = (await answer.json().catch(() => undefined)) as ToolResult | { error?: { message?: string } }
  if (isWholeToolError(result)) return result as ToolError
  if (answer.ok && result && 'ok' in result) return result
  const said = (result as { error?: { message?: string } })?.error?.message
  throw new StartError(said ?? `The function ${name} gave an answer that cannot be read.`)
}
