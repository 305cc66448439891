import fc from 'fast-check'
import { resumeAgent } from '../../../shared/engine/loop/resume-agent.ts'
import type { AgentEvent, AgentResponse } from '../../../shared/engine/loop/run/agent-response.ts'
import { createMemoryLedger } from '../../../shared/engine/loop/run/memory-ledger.ts'
import type { Approval, ResumeAgentOptions } from '../../../shared/engine/loop/run/run-options.ts'
import type {
  CompleteOptions,
  ModelClient,
  ModelReply,
  ModelRequest,
} from '../../../shared/engine/models/protocol/model-client.ts'
import { createToolLibrary } from '../../../shared/engine/tools/tool-library.ts'
import type { Entry } from '../../../shared/engine/transcript/entry.ts'
import type { ClientDecision } from '../../../supabase/functions/chat/request/turn-request.ts'
import { recordingTool, testClock } from '../../../support/agent-scenario.ts'
import { endAs, endingParameters, endings } from '../../../support/ending-tool.ts'

/** A run as it was heard, and what its message consists of before it. */
export interface ToldRun {
  before: Entry[]
  events: AgentEvent[]
  entries: Entry[]
  response: AgentResponse
  /** What a client decided to begin it, where that was an approval. */
  decisions?: ClientDecision[]
}

/** What a model answers, in pieces; `restarts`: it breaks off once before. */
export interface ScriptedReply {
  thoughts: string
  text: string
  calls: { name: string; args: string }[]
  finishReason: string
  restarts: boolean
}

const tool = {
  parameters: endingParameters,
  // A page that an answer can name, where a tool has read it.
  execute: ({ ending, text }: Record<string, unknown>) =>
    endAs(ending, { id: 'x-1', text, title: 'A page', url: 'https://example.com/page' }),
}

const args = fc.record(
  {
    to: fc.constantFrom('ada@example.com', 'bob@example.com', 'nobody'),
    text: fc.constantFrom('short', 'short', 'short', 'short', 'long '.repeat(8_000)),
    count: fc.constantFrom(5, '5'),
    ending: fc.constantFrom(...endings, 'succeeds' as const, 'succeeds' as const),
  },
  { requiredKeys: ['ending'] },
)
const call = fc.record({
  name: fc.constantFrom('send', 'ask_first', 'look', 'Look', 'sendd', 'zz'),
  args: fc.oneof(
    { weight: 8, arbitrary: args.map((value) => JSON.stringify(value)) },
    { weight: 1, arbitrary: fc.constantFrom('', '{"to": "ada@exam', '{broken}') },
  ),
})
const reply: fc.Arbitrary<ScriptedReply> = fc.record({
  thoughts: fc.constantFrom('', '', 'They want it done.'),
  text: fc.constantFrom('', '', ' ', 'Let me see.', '\nIt is done. '),
  calls: fc.oneof(fc.constant<ScriptedReply['calls']>([]), fc.array(call, { maxLength: 3 })),
  finishReason: fc.constantFrom('stop', 'stop', 'stop', 'length'),
  restarts: fc.constantFrom(false, false, false, true),
})
export const conversation = fc.record({
  replies: fc.array(reply, { minLength: 1, maxLength: 8 }),
  decisions: fc.array(fc.constantFrom('approve', 'approve', 'edit', 'deny', 'fill', 'connect', 'clock'), {
    maxLength: 4,
  }),
  stopAt: fc.option(fc.nat({ max: 40 }), { freq: 6, nil: undefined }),
})
export type ConversationScript = typeof conversation extends fc.Arbitrary<infer Script> ? Script : never

/** Runs a conversation in the engine, and keeps what was heard of it. */
export async function tell({ replies, decisions, stopAt }: ConversationScript): Promise<ToldRun[]> {
  const tools = [
    recordingTool({ name: 'send', effect: 'write', ...tool }),
    recordingTool({ name: 'ask_first', effect: 'write', ...tool, approval: 'always' }),
    recordingTool({ name: 'look', effect: 'read', ...tool }),
  ]
  const agent = { name: 'Mira', instructions: 'Help.', tools: tools.map((tool) => tool.specification) }
  const settings = {
    agent,
    library: createToolLibrary(tools),
    model: inPieces(replies),
    ledger: createMemoryLedger(),
    clock: testClock(),
    stream: true,
  }
  const runs: ToldRun[] = []
  const question: Entry = { type: 'user-message', content: 'Go.' }
  for (const wanted of ['begin', ...decisions]) {
    const last = runs.at(-1)
    if (last && last.response.pending === undefined) break
    const before = runs.flatMap(({ entries }) => entries)
    const events: AgentEvent[] = []
    const stop = new AbortController()
    const decision = last ? decisionFor(last.response, wanted) : {}
    const response = await resumeAgent({
      transcript: [question, ...before],
      ...decision,
      ...settings,
      signal: stop.signal,
      onEvent: (event) => {
        if (runs.length === 0 && events.length === stopAt) stop.abort()
        events.push(structuredClone(event))
      },
    })
    if (response.transcript.length === 0) continue
    const made = decision.approval ? clientDecision(before, decision.approval) : undefined
    const told = { before, events, entries: response.transcript, response }
    runs.push(made ? { ...told, decisions: [made] } : told)
  }
  return runs
}

export const specificationsOf = ({ entries }: ToldRun) =>
  entries.flatMap((entry) => (entry.type === 'run-start' && entry.agent ? entry.agent.tools : []))

/** A model that writes its scripted answers a few characters at a time. */
function inPieces(replies: readonly ScriptedReply[]): ModelClient {
  let asked = 0
  const write = ({ thoughts, text, calls }: ScriptedReply, onEvent: CompleteOptions['onEvent']) => {
    for (const delta of thoughts.match(/[\s\S]{1,4}/g) ?? []) onEvent?.({ type: 'thought-delta', delta })
    for (const delta of text.match(/[\s\S]{1,4}/g) ?? []) onEvent?.({ type: 'text-delta', delta })
    for (const [index, { name, args }] of calls.entries()) {
      onEvent?.({ type: 'tool-input-start', index, toolName: name })
      for (const delta of args.match(/[\s\S]{1,20000}/g) ?? []) {
        onEvent?.({ type: 'tool-input-delta', index, delta })
      }
    }
  }
  return {
    model: 'arbitrary',
    models: ['arbitrary'],
    complete: async (
      { toolChoice }: ModelRequest,
      { onEvent, signal }: CompleteOptions = {},
    ): Promise<ModelReply> => {
      const next = replies[asked++ % replies.length] as ScriptedReply
      const said = toolChoice === 'none' ? { ...next, calls: [] } : next
      if (next.restarts) {
        write({ ...said, text: 'Broken off' }, onEvent)
        onEvent?.({ type: 'model-switch', from: 'arbitrary', to: 'other', reason: 'it broke off' })
        onEvent?.({ type: 'restart', provider: 'test', model: 'other' })
      }
      write(said, onEvent)
      signal?.throwIfAborted()
      return {
        text: said.text,
        ...(said.thoughts ? { thoughts: said.thoughts } : {}),
        toolCalls: said.calls.map(({ name, args }) => ({ name, rawArguments: args })),
        finishReason: said.finishReason,
        hasChoice: true,
        usage: { inputTokens: 1, outputTokens: 1 },
        provider: 'test',
        model: 'arbitrary',
      }
    },
  }
}

function decisionFor(
  { pending }: AgentResponse,
  wanted: string,
): Pick<ResumeAgentOptions, 'answer' | 'connection'> & {
  approval?: Approval
} {
  const [first] = pending ?? []
  const toolCallId = first?.toolCallId ?? ''
  if (first?.type === 'approval' || wanted === 'deny') {
    const edited = wanted === 'edit' ? { input: { ...first?.values, to: 'eve@example.com' } } : {}
    const decision = wanted === 'deny' ? ('deny' as const) : ('approve' as const)
    return { approval: { toolCallId, approvalId: first?.approvalId ?? '', decision, ...edited } }
  }
  if (wanted === 'connect') return { connection: true as const }
  if (wanted === 'clock') return {}
  const names = Object.keys(first?.schema?.properties ?? {})
  const values = names.map((name) => [name, name === 'ending' ? 'succeeds' : 'eve@example.com'])
  return { answer: { toolCallId, values: Object.fromEntries(values) } }
}

/** The decision as a client posts it, which names what it was shown. */
function clientDecision(
  before: readonly Entry[],
  { toolCallId, decision }: { toolCallId: string; decision: string },
): ClientDecision | undefined {
  const asked = before.findLast((entry) => entry.type === 'question' && entry.toolCallId === toolCallId)
  if (asked?.type !== 'question' || asked.kind !== 'approval') return undefined
  return {
    messageId: 'a-1',
    toolCallId,
    approvalId: asked.itemId,
    approved: decision === 'approve',
  }
}
