import { describe, expect, test } from 'vitest'
import { ToolCallError, toolError } from '../../../shared/engine/core/tool-error.ts'
import { resumeAgent } from '../../../shared/engine/loop/resume-agent.ts'
import type { AgentEvent, AgentResponse } from '../../../shared/engine/loop/run/agent-response.ts'
import type { Invocation } from '../../../shared/engine/loop/run/ledger.ts'
import type { RunSettings } from '../../../shared/engine/loop/run/run-options.ts'
import { runAgent } from '../../../shared/engine/loop/run-agent.ts'
import type {
  ChatMessage,
  ModelClient,
  ModelReply,
  ModelRequest,
} from '../../../shared/engine/models/protocol/model-client.ts'
import { projectAnswer } from '../../../shared/engine/transcript/answer.ts'
import type { Entry } from '../../../shared/engine/transcript/entry.ts'
import { applyEntry, foldLoop } from '../../../shared/engine/transcript/fold-loop.ts'
import { emptyLoopState } from '../../../shared/engine/transcript/loop-state.ts'
import {
  foldEntry,
  ModelMessages,
  projectModelMessages,
} from '../../../shared/engine/transcript/model-messages.ts'
import { projectEvidence } from '../../../shared/engine/transcript/project-evidence.ts'
import { mailTool, runSettings, searchTool } from '../../../support/agent-scenario.ts'
import { approvalOf, approvedMail, mail, withoutTo } from '../loop/decide.ts'

/** A model whose answer depends on nothing but what it reads: how many calls stand there already. */
function deterministicModel(steps: readonly Partial<ModelReply>[]): ModelClient {
  const about = { finishReason: 'stop', hasChoice: true, provider: 'test', model: 'scripted' }
  const usage = { inputTokens: 1, outputTokens: 1 }
  return {
    model: 'scripted',
    models: ['scripted'],
    complete: async ({ messages }: ModelRequest): Promise<ModelReply> => {
      const step = steps[messages.filter(hasCalls).length] ?? { text: 'Done.' }
      return { text: '', toolCalls: [], ...about, usage, ...step }
    },
  }
}

function hasCalls(message: ChatMessage): boolean {
  return message.role === 'assistant' && message.tool_calls !== undefined
}

function isDelta({ type }: AgentEvent): boolean {
  return type === 'text-delta' || type === 'input-start' || type === 'input-delta' || type === 'restart'
}

const call = (name: string, args: unknown) => ({ name, rawArguments: JSON.stringify(args) })

/** What one process works with. */
type Own = Pick<RunSettings, 'library' | 'model' | 'ledger' | 'clock' | 'onEvent'>

interface Story {
  is: string
  steps: Partial<ModelReply>[]
  tools: () => ReturnType<typeof mailTool>[]
  /** Decides about the first pending call. */
  decide?: (response: AgentResponse) => object
  /** What the user writes in place of a decision. */
  writes?: string
}

const approve = (response: AgentResponse) => ({ approval: approvalOf(response, 'approve') })

const notConnected = toolError('not_configured', 'Question: Please connect your mail account.', {
  resolver: 'user',
})

const stories: Story[] = [
  {
    is: 'a read and a mail',
    tools: () => [searchTool(), mailTool()],
    steps: [
      { text: 'Let me look.', toolCalls: [call('web_search', { query: 'a' })] },
      { toolCalls: [call('send_email', mail)] },
    ],
  },
  {
    is: 'two mails and a read in one step',
    tools: () => [searchTool(), mailTool()],
    steps: [
      {
        toolCalls: [
          call('send_email', mail),
          call('send_email', { ...mail, to: 'bob@example.com' }),
          call('web_search', { query: 'a' }),
        ],
      },
    ],
  },
  {
    is: 'a failed attempt, corrected',
    tools: () => [mailTool()],
    steps: [{ toolCalls: [call('send_email', withoutTo)] }, { toolCalls: [call('send_email', mail)] }],
  },
  {
    is: 'a form',
    tools: () => [mailTool()],
    steps: [withoutTo, withoutTo, withoutTo].map((args) => ({ toolCalls: [call('send_email', args)] })),
    decide: ({ pending }) => ({
      answer: { toolCallId: pending?.[0]?.toolCallId ?? '', values: { to: 'ada@example.com' } },
    }),
  },
  {
    is: 'an approval',
    tools: () => [approvedMail()],
    steps: [{ toolCalls: [call('send_email', mail)] }],
    decide: approve,
  },
  {
    is: 'a denial',
    tools: () => [approvedMail()],
    steps: [{ toolCalls: [call('send_email', mail)] }],
    decide: (response) => ({ approval: { ...approvalOf(response, 'deny'), reason: 'Not today.' } }),
  },
  {
    is: 'a mail whose reply is lost, sent again on approval',
    tools: () => {
      let times = 0
      return [
        mailTool({
          execute: () => {
            if (times++ === 0)
              throw new ToolCallError(
                toolError('outcome_unknown', 'Question: It may have been sent. Send it again?'),
              )
            return { id: 'm-1' }
          },
        }),
      ]
    },
    steps: [{ toolCalls: [call('send_email', mail)] }],
    decide: approve,
  },
  {
    is: 'a connection that was made, told in the chat',
    tools: () => {
      let times = 0
      return [
        mailTool({
          execute: () => {
            if (times++ === 0) throw new ToolCallError(notConnected)
            return { id: 'm-1' }
          },
        }),
      ]
    },
    steps: [{ toolCalls: [call('send_email', mail)] }, { toolCalls: [call('send_email', mail)] }],
    writes: 'I have connected it.',
  },
  {
    is: 'a card that is asked for again in the chat',
    tools: () => [approvedMail()],
    steps: [{ toolCalls: [call('send_email', mail)] }, { toolCalls: [call('send_email', mail)] }],
    writes: 'Yes, send it.',
  },
  {
    is: 'a nudge',
    tools: () => [searchTool()],
    steps: [
      { toolCalls: [call('web_search', { query: 'a' })] },
      { toolCalls: [call('web_search', { query: 'a' })] },
    ],
  },
]

/** What a person sees of an end, and what happened in the world. */
function outcome(response: AgentResponse, runs: readonly unknown[]) {
  const { status, text, toolsUsed, pending } = response
  const uses = toolsUsed.map(({ toolName, ok, attempt, input }) => ({ toolName, ok, attempt, input }))
  const open = pending?.map(({ type, question }) => ({ type, question }))
  return { status, text, uses, pending: open, runs }
}

async function tell(story: Story, cutAt: number | undefined) {
  const tools = story.tools()
  const { agent, ...settings } = runSettings({ tools, model: deterministicModel(story.steps) })
  const { model, ledger } = settings
  const stored = (entries: readonly Entry[]): Entry[] => JSON.parse(JSON.stringify(entries))
  let transcript: Entry[] = []
  let appended = 0
  /**
   * One process. It dies right after an entry was stored: it asks no model and claims nothing any more, while what
   * it has begun is settled by others.
   */
  const attempt = async (go: (own: Own) => Promise<AgentResponse>) => {
    const kept: Entry[] = []
    let isDead = false
    let die = () => {}
    const death = new Promise<undefined>((resolve) => {
      die = () => resolve(undefined)
    })
    const onEvent = (event: AgentEvent) => {
      if (isDead || isDelta(event)) return
      kept.push(...stored([event as Entry]))
      isDead = ++appended === cutAt
      if (isDead) die()
    }
    const alive = <Value>(work: () => Promise<Value>) => (isDead ? new Promise<Value>(() => {}) : work())
    const own = {
      ...settings,
      model: { ...model, complete: (request: ModelRequest) => alive(() => model.complete(request)) },
      ledger: { ...ledger, claim: (invocation: Invocation) => alive(() => ledger.claim(invocation)) },
      onEvent,
    }
    const end = await Promise.race([go(own), death])
    transcript = [...transcript, ...(end?.transcript ?? kept)]
    if (end) return end
    const rest = await resumeAgent({ transcript: stored(transcript), agent, ...settings })
    transcript = [...transcript, ...rest.transcript]
    return rest
  }

  const parked = await attempt((own) => runAgent({ agent, input: 'Please do it.', ...own }))
  let last = parked
  if (story.decide && parked.pending) {
    const decision = story.decide(parked)
    const from = stored(transcript)
    last = await attempt((own) => resumeAgent({ transcript: from, agent, ...own, ...decision }))
    // A decision that was not stored is made again, as a person would.
    const isStillOpen = last.pending?.[0]?.toolCallId === parked.pending[0]?.toolCallId
    if (isStillOpen && !transcript.some(({ type }) => type === 'decision')) {
      last = await resumeAgent({ transcript: stored(transcript), agent, ...settings, ...decision })
      transcript = [...transcript, ...last.transcript]
    }
  }
  if (story.writes) {
    const from = stored(transcript)
    const input = story.writes
    last = await attempt((own) => runAgent({ agent, input, transcript: from, ...own }))
  }
  const runs = tools.flatMap((tool) => (tool.specification.effect === 'write' ? tool.runs : []))
  return { last, transcript, runs, specifications: agent.tools, appended }
}

describe.each(stories)('$is', (story) => {
  test('a run cut after any entry and taken up elsewhere ends as it would have without the cut', async () => {
    const whole = await tell(story, undefined)
    const expected = outcome(whole.last, whole.runs)
    expect(whole.appended).toBeGreaterThan(5)
    for (let cutAt = 1; cutAt <= whole.appended; cutAt++) {
      const cut = await tell(story, cutAt)
      const place = `${story.is}, cut after entry ${cutAt}: ${whole.transcript[cutAt - 1]?.type}`
      const found = outcome(cut.last, cut.runs)
      expect(found.runs, place).toEqual(expected.runs)
      expect({ ...found, uses: undefined }, place).toEqual({ ...expected, uses: undefined })
    }
  })

  test('projecting entry by entry equals projecting the whole', async () => {
    const { transcript, specifications } = await tell(story, undefined)
    const settings = { tools: new Map(specifications.map((tool) => [tool.name, tool])), maxAttempts: 3 }
    const state = emptyLoopState(settings.tools)
    const messages = new ModelMessages(settings)
    const folded = emptyLoopState(settings.tools)
    for (const [index, entry] of transcript.entries()) {
      foldEntry(entry, state, messages)
      applyEntry(folded, entry)
      const prefix = transcript.slice(0, index + 1)
      expect(foldLoop(prefix, settings.tools)).toEqual(folded)
      expect(state).toEqual(folded)
      expect(projectModelMessages(prefix, settings)).toEqual(messages.list)
    }
    const stored = JSON.parse(JSON.stringify(transcript))
    expect(projectAnswer(stored, settings.tools)).toEqual(projectAnswer(transcript, settings.tools))
    expect(projectEvidence(stored, settings.tools)).toEqual(projectEvidence(transcript, settings.tools))
  })
})
