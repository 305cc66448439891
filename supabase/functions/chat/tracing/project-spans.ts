import type { FailureCause } from '../../../../shared/engine/models/protocol/call-failure.ts'
import type { RequestCut } from '../../../../shared/engine/models/protocol/model-client.ts'
import type { Call, Entry, Result, StepEnd } from '../../../../shared/engine/transcript/entry.ts'
import { inputsIn, sayTexts } from '../../../../shared/engine/transcript/own-words.ts'
import { english } from '../../../../shared/words/languages/english.ts'
import { createNaming, type KnownTool, type Naming } from '../entries/naming.ts'
import type { Attributes, Span } from './span.ts'
import { describeAnswer, describeInput, describeReply, describeValue } from './span-content.ts'
import { createSpanId, type TraceContext } from './trace-context.ts'

/** A run as it is traced. Times are milliseconds since 1970. */
export interface TracedRun {
  traceId: string
  /** Of its own span, and of the one that asked for it. */
  spanId: string
  parent?: TraceContext | undefined
  /** The id of a call's span: functions have been told it. */
  spanOf: (toolCallId: string) => string
  runId: string
  conversationId: string
  agent: { id: string; name: string }
  tools: readonly KnownTool[]
  /** What was there before, and what the run has written, each with its time. */
  before: readonly Entry[]
  written: readonly { entry: Entry; at: number }[]
  startedAt: number
  isStream: boolean
  /** Somebody has stopped it: it has not failed. */
  isStopped: boolean
  /** Why it could not start. */
  refusal?: (Partial<FailureCause> & { provider?: string; model?: string }) | undefined
  /** With what was said, masked. */
  withContent: boolean
}

type Timed = TracedRun['written'][number]
type Of<Type extends Entry['type']> = Extract<Entry, { type: Type }>

/**
 * The spans of a run: `invoke_agent`, below it a `chat` for each step and an `execute_tool` for each call that has ended,
 * refused ones too. They are derived from its entries. Names follow the conventions for generative AI of OpenTelemetry
 * (https://github.com/open-telemetry/semantic-conventions-genai, in development; the same as in 1.41 of the
 * semantic conventions); `askback.*` is ours.
 */
export function projectSpans(run: TracedRun): Span[] {
  const naming = createNaming(run.tools, [...run.before, ...run.written.map(({ entry }) => entry)])
  const steps = splitSteps(run.written).map((step) => chatSpan(run, step))
  const calls = run.written.flatMap(({ entry, at }) => {
    if (entry.type === 'result') return [toolSpan(run, naming, entry, at)]
    return entry.type === 'tool-model-call' ? [toolChatSpan(run, entry, at)] : []
  })
  return [agentSpan(run, naming, steps), ...steps, ...calls]
}

function agentSpan(run: TracedRun, naming: Naming, steps: readonly Span[]): Span {
  const { traceId, spanId, parent, agent, startedAt, withContent } = run
  const entries = run.written.map(({ entry }) => entry)
  const end = entries.findLast((entry): entry is Of<'run-end'> => entry.type === 'run-end')
  const about = steps.at(-1)?.attributes ?? providerOf(run.refusal)
  const uses = entries.filter((entry) => entry.type === 'step-end' || entry.type === 'tool-model-call')
  const status = run.isStopped ? 'stopped' : (end?.status ?? 'failed')
  const turn = entries.find((entry): entry is Of<'run-start'> => entry.type === 'run-start')
  return {
    traceId,
    spanId,
    parentSpanId: parent?.spanId,
    // Its owner named it: that is content.
    name: withContent ? `invoke_agent ${agent.name}` : 'invoke_agent',
    kind: 'internal',
    startedAt,
    endedAt: run.written.at(-1)?.at ?? startedAt,
    attributes: {
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.provider.name': about['gen_ai.provider.name'],
      'gen_ai.request.model': about['gen_ai.request.model'],
      'gen_ai.agent.id': agent.id,
      'gen_ai.conversation.id': run.conversationId,
      'gen_ai.usage.input_tokens': sum(uses.map(({ usage }) => usage.inputTokens)),
      'gen_ai.usage.output_tokens': sum(uses.map(({ usage }) => usage.outputTokens)),
      'askback.run.id': run.runId,
      'askback.turn.id': turn?.runId,
      'askback.status': status,
      ...(withContent ? contentOfRun(run, entries, end) : {}),
    },
    events: run.written.flatMap(({ entry, at }) =>
      entry.type === 'question'
        ? [{ name: 'askback.question', at, attributes: aboutQuestion(entry, naming) }]
        : [],
    ),
    errorType: status === 'failed' ? whyFailed(run, end) : undefined,
  }
}

function contentOfRun(run: TracedRun, entries: readonly Entry[], end: Of<'run-end'> | undefined): Attributes {
  const said = run.before.findLast((entry) => entry.type === 'user-message' || entry.type === 'run-end')
  const text = end?.text ?? entries.findLast((entry) => entry.type === 'model-text')?.text ?? ''
  const tools = new Map(run.tools.map((tool) => [tool.name, tool]))
  const ours = sayTexts(english, end?.ours, inputsIn([...run.before, ...entries]), tools)
  return {
    'gen_ai.agent.name': run.agent.name,
    'gen_ai.input.messages': said?.type === 'user-message' ? describeInput(said) : undefined,
    'gen_ai.output.messages': describeAnswer(
      [text, ...ours.map((one) => one.text)].filter(Boolean).join('\n'),
    ),
  }
}

function aboutQuestion({ kind, reason, toolName }: Of<'question'>, naming: Naming): Attributes {
  return {
    'askback.question.kind': kind,
    'askback.question.reason': reason,
    'gen_ai.tool.name': toolName === '' ? undefined : naming.tool(toolName),
  }
}

/** The cause of the last model failure, or the code of what the user is told. */
function whyFailed({ written, refusal }: TracedRun, end: Of<'run-end'> | undefined): string {
  if (refusal) return refusal.errorType ?? '_OTHER'
  const [own] = end?.ours ?? []
  const failure = own?.code === 'model_unavailable' ? findFailure(written) : undefined
  return failure?.errorType ?? own?.code ?? '_OTHER'
}

/** One call of a model: from its `step-start` to whatever comes before the next. */
type Step = readonly [start: Timed, ...Timed[]]

function splitSteps(written: readonly Timed[]): Step[] {
  const starts = written.flatMap(({ entry }, index) => (entry.type === 'step-start' ? [index] : []))
  return starts.map((start, number) => written.slice(start, starts[number + 1]) as unknown as Step)
}

function chatSpan(run: TracedRun, step: Step): Span {
  const [start] = step
  const ended = step.find(({ entry }) => entry.type === 'step-end')
  const end = ended?.entry as StepEnd | undefined
  const failure = end ? undefined : (findFailure(step) ?? run.refusal)
  const about = providerOf(end ?? failure)
  const model = about['gen_ai.request.model']
  return {
    traceId: run.traceId,
    spanId: createSpanId(),
    parentSpanId: run.spanId,
    name: typeof model === 'string' ? `chat ${model}` : 'chat',
    kind: 'client',
    startedAt: start.at,
    endedAt: (ended ?? step.at(-1) ?? start).at,
    attributes: {
      'gen_ai.operation.name': 'chat',
      ...about,
      'gen_ai.conversation.id': run.conversationId,
      'gen_ai.request.stream': run.isStream || undefined,
      'gen_ai.request.temperature': end?.temperature,
      ...(end ? aboutReply(end) : {}),
      ...aboutWindow(end?.cut ?? failure),
      'askback.tries': 1 + step.filter(({ entry }) => isRetry(entry)).length,
      ...(end && run.withContent
        ? {
            'gen_ai.output.messages': describeReply(
              step.map(({ entry }) => entry),
              end.finishReason,
            ),
          }
        : {}),
    },
    errorType: end ? findStall(step) : run.isStopped ? undefined : (failure?.errorType ?? '_OTHER'),
  }
}

function aboutReply({ model, finishReason, usage, cost }: StepEnd): Attributes {
  return {
    'gen_ai.response.model': model,
    'gen_ai.response.finish_reasons': finishReason === '' ? undefined : [finishReason],
    ...aboutUsage(usage, cost),
  }
}

/** What a model reads, what it was sent, and what was left out of it, if something was too long for it. */
function aboutWindow(
  about: (Partial<RequestCut> & { window?: number; sent?: number }) | undefined,
): Attributes {
  return {
    'askback.window.tokens': about?.window,
    'askback.request.tokens': about?.sent,
    'askback.cut.results': about?.results,
    'askback.cut.texts': about?.texts,
    'askback.cut.turns': about?.turns,
    'askback.cut.of_this_turn': about?.ofThisTurn,
  }
}

function aboutUsage({ inputTokens, outputTokens }: StepEnd['usage'], cost: number | undefined): Attributes {
  return {
    'gen_ai.usage.input_tokens': inputTokens,
    'gen_ai.usage.output_tokens': outputTokens,
    'askback.cost_usd': cost,
  }
}

/** The names of the conventions where they differ from ours. */
const providerNames: Readonly<Record<string, string>> = {
  gemini: 'gcp.gemini',
  mistral: 'mistral_ai',
  moonshot: 'moonshot_ai',
  any: 'openai_compatible',
}

function providerOf(about: { provider?: string; model?: string } | undefined): Attributes {
  const { provider, model } = about ?? {}
  return {
    'gen_ai.provider.name': provider === undefined ? undefined : (providerNames[provider] ?? provider),
    'gen_ai.request.model': model,
  }
}

function isRetry(entry: Entry): boolean {
  return entry.type === 'notice' && entry.notice === 'model-retry'
}

function findFailure(timed: readonly Timed[]) {
  for (const { entry } of timed) {
    if (entry.type === 'notice' && entry.notice === 'model-failed') return entry.failure
  }
  return undefined
}

/** An answer that leads nowhere is a failure of its model. */
function findStall(step: Step): string | undefined {
  for (const { entry } of step) {
    if (entry.type === 'nudge' && entry.stall !== 'repetition') return `${entry.stall}_answer`
    if (entry.type === 'run-end' && entry.ours?.some(({ code }) => code === 'model_silent'))
      return 'empty_answer'
  }
  return undefined
}

function toolSpan(run: TracedRun, naming: Naming, ended: Result, at: number): Span {
  const { toolCallId, result, tries, status, durationMs } = ended
  const call = findCall(run, toolCallId)
  const name = call ? naming.tool(call.toolName) : 'an unknown tool'
  return {
    traceId: run.traceId,
    spanId: run.spanOf(toolCallId),
    parentSpanId: run.spanId,
    name: `execute_tool ${name}`,
    kind: 'internal',
    startedAt: at - durationMs,
    endedAt: at,
    attributes: {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': name,
      'gen_ai.tool.type': 'function',
      'gen_ai.tool.call.id': toolCallId,
      'gen_ai.conversation.id': run.conversationId,
      'askback.effect': call?.effect,
      'askback.attempt': call?.attempt,
      'askback.tries': tries,
      'askback.outcome': status,
      ...(result.ok ? {} : aboutError(result, naming, toolCallId)),
      ...(run.withContent
        ? {
            'gen_ai.tool.call.arguments': describeValue(call?.input),
            'gen_ai.tool.call.result': describeValue(result.ok ? result.data : result),
          }
        : {}),
    },
    errorType: result.ok ? undefined : result.errorType,
  }
}

function aboutError(
  { resolver, details }: Exclude<Result['result'], { ok: true }>,
  naming: Naming,
  toolCallId: string,
): Attributes {
  const { parameter } = details
  return {
    'askback.resolver': resolver,
    'askback.parameter': parameter === undefined ? undefined : naming.parameter(toolCallId, parameter),
  }
}

function findCall({ written, before }: TracedRun, toolCallId: string): Call | undefined {
  const isIt = (entry: Entry): entry is Call => entry.type === 'call' && entry.toolCallId === toolCallId
  return written.map(({ entry }) => entry).findLast(isIt) ?? before.findLast(isIt)
}

/** A model call of a tool, as its function has reported it. */
function toolChatSpan(run: TracedRun, use: Of<'tool-model-call'>, at: number): Span {
  return {
    traceId: run.traceId,
    spanId: createSpanId(),
    parentSpanId: run.spanOf(use.toolCallId),
    name: `chat ${use.model}`,
    kind: 'client',
    startedAt: at - use.durationMs,
    endedAt: at,
    attributes: {
      'gen_ai.operation.name': 'chat',
      ...providerOf(use),
      'gen_ai.conversation.id': run.conversationId,
      'gen_ai.response.model': use.model,
      ...aboutUsage(use.usage, use.cost),
      'askback.purpose': use.purpose,
    },
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((a, b) => a + b, 0)
}
