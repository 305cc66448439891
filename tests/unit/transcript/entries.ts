import { toolError } from '../../../shared/engine/core/tool-error.ts'
import type { ToolSpecification } from '../../../shared/engine/core/tool-specification.ts'
import type {
  Call,
  DecisionEntry,
  Entry,
  QuestionEntry,
  Result,
  StepEnd,
} from '../../../shared/engine/transcript/entry.ts'

/** Entries as tests write them: what does not matter to a test is filled in. */
export const said = (content: string): Entry => ({ type: 'user-message', content })
export const started: Entry = { type: 'run-start', runId: 'r', now: '2026-11-22T06:12Z' }
const stepEnd: StepEnd = {
  type: 'step-end',
  provider: 'test',
  model: 'scripted',
  finishReason: 'stop',
  usage: { inputTokens: 10, outputTokens: 5 },
  durationMs: 1,
}

export const call = (
  toolCallId: string,
  toolName: string,
  input: Record<string, unknown>,
  more: Partial<Call> = {},
): Call => ({
  type: 'call',
  toolCallId,
  name: toolName,
  toolName,
  effect: toolName.startsWith('read') ? 'read' : 'write',
  prepared: true,
  input,
  repairs: [],
  intent: 1,
  attempt: 1,
  startedAt: '2026-11-22T06:12:00.000Z',
  ...more,
})

export const returned = (toolCallId: string, data: unknown, more: Partial<Result> = {}): Result => ({
  type: 'result',
  toolCallId,
  status: 'succeeded',
  result: { ok: true, data },
  tries: 1,
  durationMs: 3,
  ...more,
})

export const failed = (toolCallId: string, sentence: string, more: Partial<Result> = {}): Result => ({
  ...returned(toolCallId, null),
  status: 'failed',
  result: toolError('missing_parameter', sentence, { details: { parameter: 'to' } }),
  ...more,
})

/** Somebody is asked about a call; its item is named after the call. */
export const asked = (
  kind: QuestionEntry['kind'],
  toolCallId: string,
  more: Partial<QuestionEntry> = {},
): QuestionEntry => ({
  type: 'question',
  itemId: `${toolCallId}.1`,
  kind,
  intent: 1,
  askedAt: '2026-11-22T06:12:00.000Z',
  toolCallId,
  toolName: 'send_email',
  code: 'approve',
  asked: 'Send it?',
  arguments: {},
  open: [],
  ...more,
})

export const decided = (
  toolCallId: string,
  decision: DecisionEntry['decision'],
  more: Partial<DecisionEntry> = {},
): DecisionEntry => ({ type: 'decision', itemId: `${toolCallId}.1`, toolCallId, decision, ...more })

/** One answer of the model with calls, as it stands in a transcript. */
export const step = (text: string, ...calls: Call[]): Entry[] => [
  { type: 'step-start' },
  ...(text === '' ? [] : [{ type: 'model-text', text } as const]),
  ...calls,
  stepEnd,
]

const address = { type: 'string', format: 'email', source: 'conversation' as const }
const specifications: ToolSpecification[] = [
  {
    name: 'read_mail',
    description: 'Reads mail.',
    effect: 'read',
    parameters: { type: 'object', properties: {} },
    trustedOutput: ['from'],
  },
  {
    name: 'send_email',
    title: 'Send an email',
    description: 'Sends.',
    effect: 'write',
    parameters: {
      type: 'object',
      properties: { to: address, subject: { type: 'string' } },
      required: ['to'],
    },
  },
]
export const tools = new Map(specifications.map((tool) => [tool.name, tool]))
