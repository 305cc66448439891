import type { AgentResponse } from '../../shared/engine/loop/run/agent-response.ts'
import { runAgent } from '../../shared/engine/loop/run-agent.ts'
import type { ModelClient } from '../../shared/engine/models/protocol/model-client.ts'
import { createToolLibrary } from '../../shared/engine/tools/tool-library.ts'
import { type Conversation, conversations } from './conversations/conversations.ts'
import { everydayTools } from './conversations/tools.ts'

export interface ModelMeasurement {
  conversations: number
  /** How many succeeded at the first, second and third attempt. */
  atAttempt: [number, number, number]
  /** Where something was missing: how often nothing was sent and the user was asked. */
  asked: number
  asking: number
  failed: { says: string; ended: string }[]
  /** Per conversation that succeeded, asking included. */
  modelCallsPerSuccess: number
  tokensPerSuccess: number
}

/** Holds the everyday conversations with a real model and counts at which attempt they succeed. */
export async function measureModel(
  model: ModelClient,
  options: {
    stream?: boolean
    onEach?: (done: number, total: number) => void
    only?: readonly Conversation[]
  } = {},
): Promise<ModelMeasurement> {
  const chosen = options.only ?? conversations
  const library = createToolLibrary(everydayTools)
  const agent = {
    name: 'Mira',
    instructions: 'You are a helpful assistant. Use the tools to do what the user asks.',
    tools: everydayTools.map(({ specification }) => specification),
  }
  const context = { now: '2026-11-21T10:00:00Z' }
  const measured: ModelMeasurement = {
    conversations: chosen.length,
    atAttempt: [0, 0, 0],
    asked: 0,
    asking: chosen.filter(({ tool }) => tool === undefined).length,
    failed: [],
    modelCallsPerSuccess: 0,
    tokensPerSuccess: 0,
  }
  let calls = 0
  let tokens = 0
  for (const [index, conversation] of chosen.entries()) {
    const { stream = false } = options
    const response = await runAgent({ agent, input: conversation.says, library, model, context, stream })
    calls += response.usage.modelCalls
    tokens += response.usage.inputTokens + response.usage.outputTokens
    count(measured, conversation, response)
    options.onEach?.(index + 1, chosen.length)
  }
  const successes = measured.atAttempt.reduce((sum, number) => sum + number) + measured.asked
  measured.modelCallsPerSuccess = successes > 0 ? calls / successes : Number.NaN
  measured.tokensPerSuccess = successes > 0 ? tokens / successes : Number.NaN
  return measured
}

function count(
  measured: ModelMeasurement,
  { says, tool, args = {} }: Conversation,
  response: AgentResponse,
): void {
  if (tool === undefined) {
    const asked =
      response.toolsUsed.every(({ ok }) => !ok) &&
      (response.status === 'needs_input' || response.text.includes('?'))
    if (asked) measured.asked++
    else measured.failed.push({ says, ended: response.status })
    return
  }
  const use = response.toolsUsed.find(
    ({ ok, toolName, input }) => ok && toolName === tool && contains(input, args),
  )
  if (use?.attempt === 1) measured.atAttempt[0]++
  else if (use?.attempt === 2) measured.atAttempt[1]++
  else if (use) measured.atAttempt[2]++
  else measured.failed.push({ says, ended: response.status })
}

/** True when every expected value is there: texts contained whatever their case, everything else equal. */
function contains(actual: unknown, wanted: unknown): boolean {
  if (typeof wanted === 'string')
    return typeof actual === 'string' && actual.toLowerCase().includes(wanted.toLowerCase())
  if (typeof wanted !== 'object' || wanted === null) return actual === wanted
  if (typeof actual !== 'object' || actual === null) return false
  return Object.entries(wanted).every(([name, value]) =>
    contains((actual as Record<string, unknown>)[name], value),
  )
}
