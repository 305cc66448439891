import type { Tool } from '../../shared/engine/core/tool-specification.ts'
import type { ModelToolCall } from '../../shared/engine/models/protocol/model-client.ts'
import { spoilCall } from '../mcp-tools/spoil-call.ts'
import { makeValidCall, type Random } from '../mcp-tools/valid-call.ts'
import { pick } from './random-tool.ts'

/** What a model says in one answer. */
export interface RandomAnswer {
  text: string
  toolCalls: ModelToolCall[]
}

const noise = [
  '',
  '{',
  '[]',
  'null',
  '"to"',
  '{"a":1}{"b":2}',
  '{"to":"\\ud800"}',
  '\u0000',
  '```json\n{}\n```',
]
const texts = ['', ' ', 'Done.', 'To whom?', '<tool_call>{"name":"x"}</tool_call>', '{"name":"tool_0"}']

/** Calls of these tools, valid and spoiled, and whatever else a model writes. */
export function makeAnswers(tools: readonly Tool[], random: Random, count: number): RandomAnswer[] {
  const calls = tools.flatMap(({ specification }) => {
    const args = makeValidCall(specification.parameters, random)
    return args ? [...spoilCall(specification, args, random)] : []
  })
  const makeCall = (index: number): ModelToolCall => {
    const { name } = pick(tools, random).specification
    const made = calls.length > 0 && random(6) > 0 ? pick(calls, random) : { name, raw: pick(noise, random) }
    return {
      id: random(5) === 0 ? 'same' : `call_${index}_${random(1000)}`,
      name: made.name,
      rawArguments: made.raw,
    }
  }
  return Array.from({ length: count }, (_, index) => ({
    text: random(3) === 0 ? pick(texts, random) : '',
    toolCalls: random(5) === 0 ? [] : Array.from({ length: 1 + random(3) }, () => makeCall(index)),
  }))
}
