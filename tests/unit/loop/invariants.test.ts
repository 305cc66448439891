import fc from 'fast-check'
import { expect, test } from 'vitest'
import { canonicalJson } from '../../../shared/engine/core/canonical-json.ts'
import { isObject } from '../../../shared/engine/core/json-value.ts'
import { resumeAgent } from '../../../shared/engine/loop/resume-agent.ts'
import type { AgentResponse } from '../../../shared/engine/loop/run/agent-response.ts'
import { runAgent } from '../../../shared/engine/loop/run-agent.ts'
import type {
  ChatMessage,
  ModelClient,
  ModelReply,
  ModelToolCall,
} from '../../../shared/engine/models/protocol/model-client.ts'
import { recordingTool, runSettings } from '../../../support/agent-scenario.ts'
import { findMessageProblem } from '../../../support/chat-messages.ts'
import { endAs, endingParameters, endings } from '../../../support/ending-tool.ts'
import { isTestAll } from '../../../support/test-all.ts'

const tool = {
  parameters: endingParameters,
  execute: ({ ending }: Record<string, unknown>) => endAs(ending, { ok: true, data: { id: 'x-1' } }),
}

const args = fc.record(
  {
    to: fc.constantFrom('ada@example.com', 'bob@example.com', 'nobody', '<as sent>'),
    text: fc.constantFrom('short', 'long '.repeat(60), '<as sent>'),
    ending: fc.constantFrom(...endings, 'succeeds' as const),
  },
  { requiredKeys: ['ending'] },
)
const call: fc.Arbitrary<ModelToolCall> = fc.record({
  id: fc.constantFrom('same', 'other'),
  name: fc.constantFrom('send', 'send', 'look', 'look', 'sendd', 'zz'),
  rawArguments: fc.oneof(
    { weight: 6, arbitrary: args.map((value) => JSON.stringify(value)) },
    { weight: 1, arbitrary: fc.constantFrom('', '{"to": "ada@exam', '[]', '{broken}') },
  ),
})
const reply = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.array(call, { minLength: 1, maxLength: 3 }).map((toolCalls) => ({ text: '', toolCalls })),
  },
  { weight: 1, arbitrary: fc.constantFrom('', ' ', 'Done.').map((text) => ({ text, toolCalls: [] })) },
)
const decision = fc.constantFrom('approve', 'deny', 'fill', 'clock', 'connect')

/** OpenAI's rules, and what stricter servers refuse as well: arguments that are not an object, roles out of turn. */
function problemIn(messages: readonly ChatMessage[]): string | undefined {
  for (const [index, message] of messages.entries()) {
    const next = messages[index + 1]?.role
    if (message.role === 'system' && index > 0) return 'a second system message'
    if (message.role === 'tool' && next === 'user') return 'a user message right after a tool message'
    if (message.role !== 'assistant') continue
    if (!message.tool_calls && next === 'assistant') return 'two answers in a row'
    for (const call of message.tool_calls ?? []) {
      if (call.type !== 'function' || !/^[a-zA-Z0-9_-]{1,64}$/.test(call.function.name)) return 'an odd name'
      if (!isObject(JSON.parse(call.function.arguments))) return 'arguments that are not an object'
    }
  }
  return findMessageProblem(messages)
}

const budget = { maxAttempts: 3, maxRounds: 10 }

/** Everything a person could do next, applied to the first pending entry it fits. */
function decisionFor(response: AgentResponse, wanted: string) {
  const [first] = response.pending ?? []
  const toolCallId = first?.toolCallId ?? ''
  if (wanted === 'approve' || wanted === 'deny')
    return { approval: { toolCallId, approvalId: first?.approvalId ?? '', decision: wanted } as const }
  if (wanted === 'connect') return { connection: true as const }
  if (wanted === 'clock') return {}
  const names = Object.keys(first?.schema?.properties ?? {})
  const values = Object.fromEntries(
    names.map((name) => [name, name === 'ending' ? 'succeeds' : 'eve@example.com']),
  )
  return { answer: { toolCallId, values } }
}

test('whatever a model does, the conversation stays valid and no write runs twice', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(reply, { minLength: 1, maxLength: 14 }),
      fc.array(decision, { maxLength: 4 }),
      fc.option(fc.nat({ max: 20 }), { freq: 4, nil: undefined }),
      async (replies, decisions, stopAtEvent) => {
        const send = recordingTool({ name: 'send', effect: 'write', ...tool })
        const look = recordingTool({ name: 'look', effect: 'read', ...tool })
        let asked = 0
        const model: ModelClient = {
          model: 'arbitrary',
          models: ['arbitrary'],
          complete: async ({ messages, toolChoice }): Promise<ModelReply> => {
            expect(problemIn(messages)).toBeUndefined()
            const next = replies[asked++ % replies.length] ?? { text: '', toolCalls: [] }
            const silent = toolChoice === 'none' ? [] : next.toolCalls
            const usage = { inputTokens: 1, outputTokens: 1 }
            const about = {
              provider: 'test',
              model: 'arbitrary',
              usage,
              hasChoice: true,
              finishReason: 'stop',
            }
            return { ...about, text: next.text, toolCalls: silent }
          },
        }
        const { agent, ...settings } = runSettings({ tools: [send, look], model })
        const stop = new AbortController()
        let events = 0
        const onEvent = () => {
          if (events++ === stopAtEvent) stop.abort()
        }
        const { signal } = stop
        let response = await runAgent({ agent, input: 'Go.', limits: budget, signal, onEvent, ...settings })
        const responses = [response]
        for (const wanted of decisions) {
          if (response.pending === undefined) break
          const all = responses.flatMap(({ transcript }) => transcript)
          const transcript = JSON.parse(JSON.stringify(all))
          expect(transcript).toEqual(all)
          response = await resumeAgent({
            transcript,
            limits: budget,
            ...decisionFor(response, wanted),
            ...settings,
          })
          responses.push(response)
        }

        const history: ChatMessage[] = [{ role: 'user', content: 'Go.' }]
        for (const { text, messages, status, pending } of responses) {
          expect(text.trim()).not.toBe('')
          history.push(...messages)
          const waits = !['completed', 'failed'].includes(status)
          // Whoever stops a run after it has asked finds the question open.
          if (!signal.aborted || waits) expect(pending !== undefined).toBe(waits)
        }
        expect(problemIn(history)).toBeUndefined()

        const uses = responses.flatMap(({ toolsUsed }) => toolsUsed)
        for (const use of uses) expect(use.attempt).toBeLessThanOrEqual(budget.maxAttempts)

        const succeeded = new Map<string, number>()
        for (const { invocation, status } of settings.ledger.rows) {
          if (invocation.effect !== 'write' || status !== 'succeeded') continue
          const key = canonicalJson(invocation.arguments)
          succeeded.set(key, (succeeded.get(key) ?? 0) + 1)
        }
        // What was done, or may have been, runs again only where a person approved it.
        const approvals = decisions.filter((wanted) => wanted === 'approve').length
        for (const times of succeeded.values()) expect(times).toBeLessThanOrEqual(1 + approvals)
        for (const key of new Set(send.runs.map(canonicalJson))) {
          const runs = send.runs.filter((run) => canonicalJson(run) === key)
          const certain = [
            'conflict',
            'unavailable',
            'rate_limit_exceeded',
            'authentication_error',
            'permission_denied',
          ]
          if (!certain.includes(String(runs[0]?.ending)))
            expect(runs.length).toBeLessThanOrEqual(1 + approvals)
          expect(runs.some((run) => Object.values(run).includes('<as sent>'))).toBe(false)
        }
      },
    ),
    { numRuns: isTestAll ? 150 : 50 },
  )
})
