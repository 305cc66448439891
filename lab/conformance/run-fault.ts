import { AgentError } from '../../shared/engine/core/agent-error.ts'
import { canonicalJson } from '../../shared/engine/core/canonical-json.ts'
import type { AgentResponse } from '../../shared/engine/loop/run/agent-response.ts'
import {
  mailTool,
  recordingTool,
  type Scenario,
  searchTool,
  startScenario,
} from '../../support/agent-scenario.ts'
import { say } from '../../support/model-reply.ts'
import type { Behaviour, FaultScript, ToolName } from './fault.ts'

/** How a run with a fault went, and what was not as it must be. */
export interface FaultReport {
  ended: string
  ran: readonly (readonly [string, Record<string, unknown>])[]
  requests: number
  /** First line of what the model was told about the fault. */
  told: string
  problems: string[]
  /** Undefined if the run was rejected. */
  response: AgentResponse | undefined
  /** Everything that the models were sent. */
  sent: Scenario['requests']
}

/** Runs one fault over HTTP with the real model client and compares everything that can be seen from outside. */
export async function runFault(fault: FaultScript, stream: boolean): Promise<FaultReport> {
  const ran: [ToolName, Record<string, unknown>][] = []
  const expire = { now: () => {} }
  const tools = (['send_email', 'web_search', 'archive_emails'] as const).map((name) => {
    const behaviours = fault.tools?.[name] ?? []
    let times = 0
    return makeTool(name, (args) => {
      ran.push([name, args])
      return behave(behaviours[Math.min(times++, behaviours.length - 1)], args, expire)
    })
  })
  await using scenario = await startScenario({
    stream,
    tools,
    script: ({ number, body }) => {
      if (body.tool_choice === 'none' && fault.lastWords !== undefined) return say(fault.lastWords)
      return fault.script[Math.min(number, fault.script.length) - 1] ?? {}
    },
  })
  expire.now = scenario.clock.expire
  const outcome = await scenario
    .run({ input: fault.input ?? 'Please do it.' })
    .catch((cause: unknown) => cause)
  return report(fault, scenario, outcome, ran)
}

const text = { type: 'string' }

function makeTool(name: ToolName, execute: (args: Record<string, unknown>) => unknown) {
  if (name === 'send_email') return mailTool({ execute })
  if (name === 'web_search') {
    const period = { type: 'string', enum: ['day', 'week', 'year'] }
    const properties = { query: text, count: { type: 'integer' }, period }
    return searchTool({
      execute,
      parameters: { type: 'object', properties, required: ['query'], additionalProperties: false },
    })
  }
  const properties = { folder: text, older_than_days: { type: 'integer' } }
  return recordingTool({ name, effect: 'write', parameters: { type: 'object', properties }, execute })
}

function behave(
  behaviour: Behaviour | undefined,
  args: Record<string, unknown>,
  expire: { now: () => void },
): unknown {
  if (behaviour === undefined) return { done: true, about: `About ${args.query ?? args.to ?? args.folder}` }
  if ('returns' in behaviour) return behaviour.returns
  if ('throws' in behaviour) throw Object.assign(new Error(behaviour.throws.message), behaviour.throws)
  if (behaviour.actsThen === 'throws') throw new Error('socket hang up')
  queueMicrotask(() => expire.now())
  return new Promise(() => {})
}

function report(
  fault: FaultScript,
  scenario: Scenario,
  outcome: unknown,
  ran: FaultReport['ran'],
): FaultReport {
  const { expect } = fault
  const problems: string[] = []
  const compare = (what: string, actual: unknown, wanted: unknown) => {
    if (canonicalJson(actual) !== canonicalJson(wanted)) {
      problems.push(`${what}: ${JSON.stringify(actual)} instead of ${JSON.stringify(wanted)}`)
    }
  }
  const response = outcome instanceof Error ? undefined : (outcome as AgentResponse)
  const ended = response
    ? response.status
    : outcome instanceof AgentError
      ? `rejects ${outcome.kind}`
      : String(outcome)
  compare('ended', ended, typeof expect.ends === 'string' ? expect.ends : `rejects ${expect.ends.rejects}`)
  compare('ran', ran, expect.ran)
  compare('requests', scenario.requests.length, expect.requests)

  const errors = response?.toolsUsed.flatMap(({ error }) => (error ? [error.errorType] : []))
  if (expect.errors) compare('errors', errors, expect.errors)
  const seen = lastTexts(scenario, 2)
  for (const part of expect.saw ?? [])
    if (!seen.includes(part)) problems.push(`the model did not see: ${part}`)
  for (const part of expect.says ?? []) {
    if (!response?.text.includes(part)) problems.push(`the answer does not say: ${part}`)
  }
  const everything = JSON.stringify([response, scenario.requests.map(({ body }) => body), scenario.events])
  for (const secret of expect.never ?? []) if (everything.includes(secret)) problems.push(`leaked: ${secret}`)
  if (response && response.text.trim() === '') problems.push('the answer is empty')
  const told = seen.split('\n').find((line) => line.startsWith('Question:')) ?? ''
  return { ended, ran, requests: scenario.requests.length, told, problems, response, sent: scenario.requests }
}

/** What was new to the model in a request: everything after its own last message. */
function lastTexts(scenario: Scenario, request: number): string {
  const messages = scenario.requests[request - 1]?.body.messages ?? []
  const since = messages.findLastIndex(({ role }) => role === 'assistant')
  return messages
    .slice(since + 1)
    .map(({ content }) => content)
    .join('\n')
}
