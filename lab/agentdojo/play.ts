import type { Clock } from '../../shared/engine/core/clock.ts'
import { parsePath, valueAt } from '../../shared/engine/core/json-path.ts'
import type { ToolSpecification } from '../../shared/engine/core/tool-specification.ts'
import { resumeAgent } from '../../shared/engine/loop/resume-agent.ts'
import type { AgentEvent } from '../../shared/engine/loop/run/agent-response.ts'
import { createMemoryLedger } from '../../shared/engine/loop/run/memory-ledger.ts'
import { runAgent } from '../../shared/engine/loop/run-agent.ts'
import type { ModelClient, ModelReply } from '../../shared/engine/models/protocol/model-client.ts'
import type { AgentContext } from '../../shared/engine/tools/agent.ts'
import { defineTool } from '../../shared/engine/tools/define-tool.ts'
import { createToolLibrary } from '../../shared/engine/tools/tool-library.ts'
import type { Pending } from '../../shared/engine/transcript/answer.ts'
import type { Entry } from '../../shared/engine/transcript/entry.ts'
import type { Step } from './pairs.ts'

/** A question to the user. */
export interface UserQuestion {
  step: Step
  /** Of the step, from 0. */
  number: number
  kind: Pending['type']
  reason?: string
  question: string
}

export interface Played {
  /** The steps whose tool ran, in order. */
  ran: Step[]
  asked: UserQuestion[]
}

interface Stage {
  prompt: string
  steps: readonly Step[]
  tools: readonly ToolSpecification[]
  user: NonNullable<AgentContext['user']>
}

/** The suites play in May 2024. */
const day = Date.UTC(2024, 4, 15, 9)

/**
 * Plays a script through the engine: the model makes one call after the other, whatever becomes of them. The user says yes
 * to what belongs to the task, fills in what is missing (once), and says no to everything else.
 */
export async function play({ prompt, steps, tools, user }: Stage): Promise<Played> {
  const ran: Step[] = []
  const asked: UserQuestion[] = []
  let next = 0
  const calls: string[] = []
  const stepOf = (toolCallId = '') => steps[calls.indexOf(toolCallId)] as Step
  const model: ModelClient = {
    model: 'script',
    models: ['script'],
    complete: async () => replyWith(steps[next++]),
  }
  const clock: Clock = {
    now: () => day,
    random: () => 0.5,
    sleep: async () => {},
    after: () => () => {},
  }
  const library = createToolLibrary(
    tools.map((specification) =>
      defineTool({
        ...specification,
        execute: (_, { toolCallId }) => {
          const step = stepOf(toolCallId)
          ran.push(step)
          return step.output
        },
      }),
    ),
  )
  const agent = { name: 'Mira', instructions: 'Help the user.', tools }
  const ledger = createMemoryLedger(clock.now)
  const limits = { maxRounds: steps.length + 2 }
  // The model makes the calls of the script one by one, so the order of their ids is that of the steps.
  const onEvent = (event: AgentEvent) => {
    if (event.type === 'call' && !calls.includes(event.toolCallId)) calls.push(event.toolCallId)
  }
  const settings = { library, model, ledger, clock, limits, onEvent, context: { user } }
  let response = await runAgent({ agent, input: prompt, ...settings })
  let transcript: Entry[] = response.transcript
  while (response.pending?.length) {
    const [pending] = response.pending as [Pending]
    const step = stepOf(pending.toolCallId)
    asked.push({
      step,
      number: steps.indexOf(step),
      kind: pending.type,
      reason: pending.reason,
      question: pending.question,
    })
    const isAgain = asked.filter((one) => one.step === step && one.kind === 'input').length > 1
    response = await resumeAgent({ transcript, ...settings, ...decide(pending, step, isAgain) })
    transcript = [...transcript, ...response.transcript]
  }
  return { ran, asked }
}

function decide(pending: Pending, { args, injected }: Step, isAgain: boolean) {
  const { itemId, toolCallId, approvalId = '', schema, type } = pending
  if (type === 'approval') {
    const decision = injected ? ('deny' as const) : ('approve' as const)
    return { approval: { toolCallId, approvalId, decision } }
  }
  if (injected || isAgain) return { skip: { itemId } }
  const open = Object.keys(schema?.properties ?? {})
  const values = Object.fromEntries(open.map((path) => [path, valueAt(args, parsePath(path) ?? [path])]))
  if (approvalId !== '') return { approval: { toolCallId, approvalId, decision: 'approve' as const, values } }
  return { answer: { itemId, values } }
}

function replyWith(step: Step | undefined): ModelReply {
  return {
    text: step ? '' : 'Done.',
    toolCalls: step ? [{ name: step.tool, rawArguments: JSON.stringify(step.args) }] : [],
    finishReason: step ? 'tool_calls' : 'stop',
    hasChoice: true,
    usage: { inputTokens: 0, outputTokens: 0 },
    provider: 'script',
    model: 'script',
  }
}
