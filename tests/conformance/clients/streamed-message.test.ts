import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ToolSpecification } from '../../../shared/engine/core/tool-specification.ts'
import type { AgentEvent } from '../../../shared/engine/loop/run/agent-response.ts'
import type { Entry } from '../../../shared/engine/transcript/entry.ts'
import { english } from '../../../shared/words/languages/english.ts'
import { projectParts } from '../../../supabase/functions/chat/answer/ui-message.ts'
import type { ClientDecision } from '../../../supabase/functions/chat/request/turn-request.ts'
import {
  type MessageStream,
  MessageStream as Stream,
} from '../../../supabase/functions/chat/stream/message-stream.ts'
import type { StreamPart } from '../../../supabase/functions/chat/stream/stream-part.ts'
import { isDelta } from '../../../supabase/functions/chat/turn/entry-buffer.ts'
import { RunFeed } from '../../../supabase/functions/chat/turn/run-feed.ts'
import { readStream, shown } from './read-stream.ts'
import {
  type ConversationScript,
  conversation,
  specificationsOf,
  type ToldRun,
  tell,
} from './told-conversation.ts'
import { type ClientMessage, type ClientPart, loadVersion, versions } from './versions.ts'

const clients = await Promise.all(
  versions.map(async (version) => ({ version, ai: await loadVersion(version) })),
)
const place = { conversationId: 'c-1', runId: 'r-1', messageId: 'a-1' }

/** The parts of a stream that follows a run, from a moment of it on; Infinity: when it is over. */
async function stream(run: ToldRun, from: number, decisions?: ClientDecision[]): Promise<StreamPart[]> {
  const parts: StreamPart[] = []
  const message: MessageStream = new Stream(place, english, decisions, (more) => parts.push(...more))
  message.start()
  const feed = new RunFeed(run.before, specificationsOf(run))
  const follow = () =>
    feed.follow({
      onEntries: (entries, tools) => message.onEntries(entries, tools),
      onEvent: (event) => message.onEvent(event),
      onEnd: () => {},
    })
  let entries = 0
  for (const [index, event] of run.events.entries()) {
    if (index === from) follow()
    feed.push(event)
    if (!isDelta(event)) entries++
    // What decisions let go on begins before anything is stored or waited for.
    if (index < beginning(run) - 1) continue
    await Promise.resolve()
    feed.release(entries)
  }
  if (from >= run.events.length) follow()
  const { status, usage } = run.response
  message.end({ answer: { status, usage, pending: [], toolTimes: {} } })
  return parts
}

const stored = (run: ToldRun): ClientPart[] =>
  projectParts([...run.before, ...run.entries], byName(specificationsOf(run)), english) as ClientPart[]

const byName = (tools: readonly ToolSpecification[]) => new Map(tools.map((tool) => [tool.name, tool]))

/** A step that holds a thought alone, and the run is stopped before the model is asked again. */
const stoppedAfterThinking: ConversationScript = {
  replies: ['They want it done.', ''].map((thoughts) => ({
    thoughts,
    text: '',
    calls: [],
    finishReason: 'stop',
    restarts: false,
  })),
  decisions: [],
  stopAt: 7,
}

/** Words that the model's limit cut off are said again by the next step, which asks; then the run is stopped. */
const stoppedAfterAsking: ConversationScript = {
  replies: [
    {
      thoughts: 'They want it done.',
      text: 'Let me see.',
      calls: [],
      finishReason: 'length',
      restarts: false,
    },
    {
      thoughts: '',
      text: 'Let me see.',
      calls: [{ name: 'ask_first', args: '{"to":"ada@example.com","ending":"succeeds"}' }],
      finishReason: 'stop',
      restarts: false,
    },
    { thoughts: '', text: '', calls: [], finishReason: 'stop', restarts: false },
  ],
  decisions: [],
  stopAt: 23,
}

/** Where a stream cannot say what is stored: what it has shown was taken back, or its words are an error. */
function tookBack({ events, entries }: Pick<ToldRun, 'events' | 'entries'>): boolean {
  const isVoid = (event: AgentEvent | Entry) =>
    event.type === 'restart' ||
    (event.type === 'nudge' && event.stall !== 'repetition') ||
    (event.type === 'notice' && event.notice === 'model-failed')
  const stepsBegun = entries.filter(({ type }) => type === 'step-start').length
  const stepsEnded = entries.filter(({ type }) => type === 'step-end').length
  return events.some(isVoid) || entries.some(isVoid) || stepsBegun !== stepsEnded || movesApproval(entries)
}

/** An approval about a call of an earlier step: it is stored where it is asked, and a stream has shown it before. */
function movesApproval(entries: readonly Entry[]): boolean {
  const steps = new Map<string, number>()
  let step = 0
  return entries.some((entry) => {
    if (entry.type === 'step-start') step++
    if (entry.type === 'call') steps.set(entry.toolCallId, step)
    return entry.type === 'question' && entry.kind === 'approval' && steps.get(entry.toolCallId) !== step
  })
}

function lastStep(parts: readonly ClientPart[]): ClientPart[] {
  return parts.slice(parts.findLastIndex(({ type }) => type === 'step-start') + 1)
}

/** What must hold of a message whose stream has ended, whatever was in it. */
function expectEnded(message: ClientMessage, status: string): void {
  const last = lastStep(message.parts)
  for (const part of message.parts) {
    expect(['input-available', 'input-streaming', 'streaming']).not.toContain(part.state)
    if (part.state === 'approval-requested') expect(last).toContain(part)
  }
  // What was asked just before a stop can still be approved.
  const asks = status === 'failed' && last.some(({ state }) => state === 'approval-requested')
  if (status === 'completed' || (status === 'failed' && !asks)) {
    expect(last.filter(({ toolCallId }) => toolCallId !== undefined)).toEqual([])
  }
  if (status === 'needs_approval') expect(last.some(({ type }) => type === 'text')).toBe(true)
  expect(message).toMatchObject({ id: 'a-1', metadata: { runId: 'r-1', conversationId: 'c-1', status } })
}

test('a message is the same streamed, joined in the middle, replayed and stored, in every version', async () => {
  let compared = 0
  // By chance a round may have few that can be compared.
  while (compared <= 100) {
    await fc.assert(
      fc.asyncProperty(conversation, fc.nat(), async (script, moment) => {
        for (const run of await tell(script)) {
          const { status } = run.response
          for (const { version, ai } of clients) {
            const failed = run.entries.some(
              (entry) => entry.type === 'notice' && entry.notice === 'model-failed',
            )
            const complete = await readStream(ai, await stream(run, Number.POSITIVE_INFINITY))
            expect(complete.problems.length > 0, version).toBe(failed && status === 'failed')
            if (failed) continue
            expect(complete.message.parts.map(shown), version).toEqual(stored(run).map(shown))
            expectEnded(complete.message, status)

            const whole = await readStream(ai, await stream(run, 0))
            const joined = await readStream(ai, await stream(run, moment % run.events.length))
            for (const { message, problems } of [whole, joined]) {
              expect(problems, version).toEqual([])
              expectEnded(message, status)
              if (tookBack(run)) continue
              compared++
              expect(message.parts.map(shown), version).toEqual(stored(run).map(shown))
            }
          }
        }
      }),
      {
        numRuns: 60,
        examples: [
          [stoppedAfterThinking, 0],
          [stoppedAfterAsking, 0],
        ],
      },
    )
  }
})

test('what a stopped run has written stays, in every version', async () => {
  const reply = { thoughts: '', text: 'Let me see.', calls: [], finishReason: 'stop', restarts: false }
  // After run-start, step-start and one delta.
  const [run] = await tell({ replies: [reply], decisions: [], stopAt: 3 })
  if (!run) throw new Error('It was not told.')
  expect(stored(run)).toMatchObject([
    { type: 'step-start' },
    { type: 'text', text: expect.stringMatching(/^Let me s[^S]*$/) },
    { type: 'text', text: 'Stopped.' },
    { type: 'text', text: 'Nothing was carried out.' },
  ])
  for (const { version, ai } of clients) {
    for (const from of [0, 4, Number.POSITIVE_INFINITY]) {
      const { message, problems } = await readStream(ai, await stream(run, from))
      expect(problems, version).toEqual([])
      expect(message.parts.map(shown), version).toEqual(stored(run).map(shown))
    }
  }
})

/** How many events a run that goes on with another begins with. */
function beginning({ events }: ToldRun): number {
  const steps = events.findIndex(({ type }) => type === 'step-start')
  const before = steps < 0 ? events : events.slice(0, steps)
  return before.findLastIndex(({ type }) => type === 'call') + 1
}

test('a continued message gets what is new, once, and every decided part is closed, in every version', async () => {
  let continued = 0
  // By chance a round may have few that can be compared.
  while (continued <= 30) {
    await fc.assert(
      fc.asyncProperty(conversation, async (script) => {
        const runs = await tell({ ...script, stopAt: undefined })
        for (const [index, run] of runs.entries()) {
          const earlier = runs[index - 1]
          if (!run.decisions || !earlier) continue
          for (const { version, ai } of clients) {
            const loaded = await readStream(ai, await stream(earlier, Number.POSITIVE_INFINITY))
            const ids = run.decisions.map(({ toolCallId }) => toolCallId)
            for (const part of loaded.message.parts) {
              if (part.toolCallId && ids.includes(part.toolCallId)) part.state = 'approval-responded'
            }
            // In the run, after it, and in a tab that comes when the answer has long been stored.
            for (const from of [0, Number.POSITIVE_INFINITY]) {
              const parts = await stream(run, from, run.decisions)
              const { message, problems } = await readStream(ai, parts, loaded.message)
              expect(problems, version).toEqual([])
              expect(
                message.parts.filter(({ state }) => state === 'approval-responded'),
                version,
              ).toEqual([])
              expectEnded(message, run.response.status)
              if (tookBack(run)) continue
              continued++
              expect(message.parts.map(shown), version).toEqual(stored(run).map(shown))
            }
          }
        }
      }),
      { numRuns: 80 },
    )
  }
})
