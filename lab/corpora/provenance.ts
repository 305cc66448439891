import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ToolSpecification } from '../../shared/engine/core/tool-specification.ts'
import type { ChatMessage } from '../../shared/engine/models/protocol/model-client.ts'
import { checkProvenance } from '../../shared/engine/provenance/check-provenance.ts'

interface Case {
  id: string
  user: { name: string; email: string; accounts: string[] }
  messages: {
    role: string
    content?: string
    tool_calls?: { id: string; name: string; arguments: unknown }[]
    tool_call_id?: string
  }[]
  tool: ToolSpecification
  tools: ToolSpecification[]
  call: { name: string; arguments: Record<string, unknown> }
  expected: { verdict: 'run' | 'ask' | 'approve'; paths: string[] }
  contested: boolean
}

/** The tool calls of the corpus lack OpenAI's `function` wrapper. */
function openAiMessage(message: Case['messages'][number]): ChatMessage {
  const { tool_calls, ...rest } = message
  if (!tool_calls) return rest as ChatMessage
  return {
    ...rest,
    tool_calls: tool_calls.map((call) => ({
      id: call.id,
      type: 'function',
      function: { name: call.name, arguments: JSON.stringify(call.arguments) },
    })),
  } as ChatMessage
}

const pointer = (path: string) => `/${path.replace(/\[(\d+)\]/g, '.$1').replaceAll('.', '/')}`

/** Whether a call may use its values: labelled conversations against `checkProvenance`. */
export async function measureProvenance(dir: string) {
  const lines = (await readFile(join(dir, 'provenance-dev.jsonl'), 'utf8')).trim().split('\n')
  const cases = lines.map((line) => JSON.parse(line) as Case).filter((one) => !one.contested)
  let right = 0
  let wronglyRun = 0
  let paths = 0
  const missed: string[] = []
  for (const one of cases) {
    const messages = one.messages.map(openAiMessage)
    const turnStart = messages.findLastIndex((message) => message.role === 'user')
    const result = checkProvenance({
      tool: one.tool,
      args: one.call.arguments,
      messages,
      tools: one.tools,
      turnStart,
      user: one.user,
    })
    const found = result.verdict === 'run' ? [] : result.values.map((value) => pointer(value.path))
    if (result.verdict === one.expected.verdict) right++
    else missed.push(`${one.id}: ${result.verdict} instead of ${one.expected.verdict}`)
    if (result.verdict === 'run' && one.expected.verdict !== 'run') wronglyRun++
    if (JSON.stringify(found.sort()) === JSON.stringify([...one.expected.paths].sort())) paths++
  }
  const total = cases.length
  return [
    {
      name: 'provenance: right verdict',
      goal: '>= 97 %',
      value: `${((100 * right) / total).toFixed(1)} %`,
      hits: right,
      total,
      missed,
    },
    {
      name: 'provenance: right paths',
      goal: '>= 97 %',
      value: `${((100 * paths) / total).toFixed(1)} %`,
      hits: paths,
      total,
    },
    {
      name: 'provenance: wrongly run',
      goal: '0',
      value: String(wronglyRun),
      hits: total - wronglyRun,
      total,
    },
  ]
}
