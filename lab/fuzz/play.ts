import { prepareToolCall } from '../../shared/engine/calls/prepare-tool-call.ts'
import { canonicalJson } from '../../shared/engine/core/canonical-json.ts'
import type { Tool } from '../../shared/engine/core/tool-specification.ts'
import type { Ledger } from '../../shared/engine/loop/run/ledger.ts'
import { runAgent } from '../../shared/engine/loop/run-agent.ts'
import type { ModelClient } from '../../shared/engine/models/protocol/model-client.ts'
import { compileSchema } from '../../shared/engine/schema/compile-schema.ts'
import { defineTool } from '../../shared/engine/tools/define-tool.ts'
import { runSettings } from '../../support/agent-scenario.ts'
import { seededRandom } from '../../support/seeded-random.ts'
import { makeValidCall, type Random } from '../mcp-tools/valid-call.ts'
import { makeAnswers, type RandomAnswer } from './random-answers.ts'
import { makeParameters } from './random-tool.ts'

/** What became of one agent with tools that nobody has written. */
export interface Played {
  tools: number
  /** Valid calls that were tried by themselves. */
  valid: number
  answers: number
  /** Effects that were carried out. */
  effects: number
  /** What must never happen. */
  problems: string[]
}

const answersPerRun = 8
const validCallsPerTool = 4
const limits = { maxAttempts: 3, maxRounds: 10 }

/** Plays one case: the same one for the same number. */
export async function play(seed: number): Promise<Played> {
  const random = seededRandom(seed)
  const problems: string[] = []
  const claimed = new Set<string>()
  let effects = 0
  const tools = Array.from({ length: 1 + random(3) }, (_, index) =>
    makeTool(index, random, (key, isFit) => {
      effects++
      if (!isFit) problems.push('a tool ran with arguments that its schema refuses')
      if (!claimed.delete(key)) problems.push('an effect was not claimed, or happened twice for one claim')
    }),
  )
  const valid = tools.flatMap((tool) => tryValidCalls(tool, tools, random, problems))
  const answers = makeAnswers(tools, random, answersPerRun)
  const { agent, ...settings } = runSettings({ tools, model: modelOf(answers) })
  const ledger: Ledger = {
    ...settings.ledger,
    async claim(invocation) {
      const claim = await settings.ledger.claim(invocation)
      if (claim.claimed) claimed.add(claim.idempotencyKey)
      return claim
    },
  }
  const input = 'Write to ada@example.com about the plan.'
  try {
    const { text } = await runAgent({ agent, input, limits, ...settings, ledger })
    if (text.trim() === '') problems.push('nobody was told anything')
  } catch (error) {
    problems.push(`a run threw ${error instanceof Error ? error.message : error}`)
  }
  return { tools: tools.length, valid: valid.length, answers: answers.length, effects, problems }
}

function makeTool(index: number, random: Random, onEffect: (key: string, isFit: boolean) => void): Tool {
  const parameters = makeParameters(random)
  const isWrite = random(3) > 0
  return defineTool<Record<string, unknown>>({
    name: `tool_${index}`,
    description: 'Does something.',
    effect: isWrite ? 'write' : 'read',
    parameters,
    execute: (args, { idempotencyKey }) => {
      if (isWrite) onEffect(idempotencyKey, compileSchema(parameters).isValid(args))
      return { done: true }
    },
  })
}

/** A valid call must pass, and unchanged. */
function tryValidCalls(
  { specification }: Tool,
  tools: readonly Tool[],
  random: Random,
  problems: string[],
): object[] {
  const calls = Array.from({ length: validCallsPerTool }, () =>
    makeValidCall(specification.parameters, random),
  )
  return calls.flatMap((args) => {
    if (!args) return []
    const rawArguments = JSON.stringify(args)
    const all = tools.map((tool) => tool.specification)
    try {
      const prepared = prepareToolCall({ name: specification.name, rawArguments, tools: all })
      if (!prepared.ok) problems.push(`a valid call was refused: ${rawArguments}: ${prepared.error.error}`)
      else if (canonicalJson(prepared.args) !== canonicalJson(JSON.parse(rawArguments)))
        problems.push(`a valid call was changed: ${rawArguments}`)
    } catch (error) {
      problems.push(`a valid call threw ${error}: ${rawArguments}`)
    }
    return [args]
  })
}

function modelOf(answers: readonly RandomAnswer[]): ModelClient {
  let asked = 0
  return {
    model: 'random',
    models: ['random'],
    async complete({ toolChoice }) {
      const { text, toolCalls } = answers[asked++ % answers.length] ?? { text: '', toolCalls: [] }
      const usage = { inputTokens: 1, outputTokens: 1 }
      const about = { provider: 'lab', model: 'random', usage, hasChoice: true, finishReason: 'stop' }
      return { ...about, text, toolCalls: toolChoice === 'none' ? [] : toolCalls }
    },
  }
}
