import { isDeepStrictEqual as same } from 'node:util'
import { prepareToolCall } from '../../shared/engine/calls/prepare-tool-call.ts'
import type { PreparedCall } from '../../shared/engine/calls/prepared-call.ts'
import type { JsonSchema } from '../../shared/engine/core/json-schema.ts'
import type { ToolSpecification } from '../../shared/engine/core/tool-specification.ts'
import { compileSchema, compileTool } from '../../shared/engine/schema/compile-schema.ts'
import { formatToolError } from '../../shared/engine/wording/format-tool-error.ts'
import { questionForPeople } from '../../shared/engine/wording/question-for-people.ts'
import type { SpoiledCall } from './spoil-call.ts'
import type { Arguments } from './valid-call.ts'

export interface Judged {
  /** What became of it. */
  outcome: 'run' | 'repaired' | 'proposed' | 'asked'
  wrong?: string
}

const longestQuestion = 600

/** A call that was meant. `said`: its schema as its server has it, if that is another one than the engine's. */
interface Meant {
  tool: ToolSpecification
  args: Arguments
  said?: JsonSchema
}

/** What the engine makes of a spoiled call, and what is wrong with that. */
export function judgeCall(
  spoiled: SpoiledCall,
  { tools, ...meant }: Meant & { tools: ToolSpecification[] },
): Judged {
  let prepared: PreparedCall
  try {
    prepared = prepareToolCall({
      name: spoiled.name,
      rawArguments: spoiled.raw,
      tools,
      ...(spoiled.kind === 'cut' ? { finishReason: 'length' } : {}),
    })
    const wrong = judgePrepared(spoiled, prepared, meant)
    return { outcome: outcomeOf(prepared), wrong }
  } catch (error) {
    return { outcome: 'asked', wrong: `throws ${error instanceof Error ? error.message : error}` }
  }
}

function outcomeOf(prepared: PreparedCall): Judged['outcome'] {
  if (prepared.ok) return prepared.repairs.length > 0 ? 'repaired' : 'run'
  return prepared.error.details.correction?.open.length === 0 ? 'proposed' : 'asked'
}

function judgePrepared(
  { kind, name, sent }: SpoiledCall,
  prepared: PreparedCall,
  { tool, args, said = tool.parameters }: Meant,
): string | undefined {
  const { isValid } = compileTool(tool)
  const isCalled = sent !== undefined && name === tool.name
  const isFine = isCalled && (isValid(sent) || compileSchema(said).isValid(sent))
  if (tool.foreign && name !== tool.name && meansTool(prepared))
    return 'takes another name for that of a server'
  if (prepared.ok) {
    if (prepared.tool.name !== tool.name) return `runs ${prepared.tool.name}`
    if (kind === 'cut') return 'runs a call that was cut'
    if (!isValid(prepared.args)) return 'runs what the schema forbids'
    const isRight = same(prepared.args, args) || (isFine && same(prepared.args, sent))
    return isRight ? undefined : `runs another call: ${shorten(prepared.args)}`
  }
  if (isFine) return `refuses a valid call: ${prepared.error.error}`
  const { correction } = prepared.error.details
  if (correction?.open.length === 0 && !isMeant(correction, { tool, args, sent })) {
    return `proposes another call: ${shorten(correction.arguments)}`
  }
  const texts = [1, 2, 3].map((attempt) =>
    formatToolError(prepared.error, { attempt, maxAttempts: 3, tool: prepared.tool ?? tool }),
  )
  const unreadable = [...texts, questionForPeople(prepared.error)].find(isUnreadable)
  return unreadable === undefined ? undefined : `asks in words that nobody reads: ${shorten(unreadable)}`
}

/** Whether a tool is called or proposed. */
function meansTool(prepared: PreparedCall): boolean {
  if (prepared.ok) return true
  const { correction, suggestion } = prepared.error.details
  return correction !== undefined || suggestion !== undefined
}

/** The call itself, or what was sent without the names that the tool does not have. */
function isMeant(
  correction: { name: string; arguments: Arguments },
  { tool, args, sent }: { tool: ToolSpecification; args: Arguments; sent: unknown },
): boolean {
  if (correction.name !== tool.name) return false
  if (same(correction.arguments, args)) return true
  const { flat } = compileSchema(tool.parameters)
  const declared = Object.entries(sent ?? {}).filter(([name]) => Object.hasOwn(flat.properties ?? {}, name))
  return declared.length > 0 && same(correction.arguments, Object.fromEntries(declared))
}

/** Marks of a value that was no text, of words without end, and of a schema that was read aloud. */
function isUnreadable(text: string): boolean {
  const [question = ''] = text.split('\n')
  return (
    /\[object |\bundefined\b|\bNaN\b|, each a list\b|a list of lists|\$ref|\.\.\.\.|…\./.test(question) ||
    // A list of tools is for models alone.
    question.replace(/ Please use one of: .*$/, '').length > longestQuestion
  )
}

function shorten(value: unknown): string {
  const text = (typeof value === 'string' ? value : JSON.stringify(value)).replace(/\s+/g, ' ')
  return text.length > 200 ? `${text.slice(0, 199)}…` : text
}
