import { AgentError } from '../../../../shared/engine/core/agent-error.ts'
import { ModelError } from '../../../../shared/engine/models/protocol/model-client.ts'
import type { Entry } from '../../../../shared/engine/transcript/entry.ts'
import type { KnownTool } from '../entries/naming.ts'
import { projectSpans, type TracedRun } from './project-spans.ts'
import type { SpanExporter } from './span-exporter.ts'
import { createSpanId, readTraceparent, writeTraceparent } from './trace-context.ts'

/** What is known of a run before it works. */
interface Turn extends Pick<TracedRun, 'runId' | 'conversationId' | 'agent'> {
  tools: readonly { specification: KnownTool }[]
  history: readonly { entries: readonly Entry[] }[]
  /** Of its own message so far. */
  entries: readonly Entry[]
}

/** What it has written so far. */
interface Written {
  readonly entries: readonly Entry[]
}

/** Follows one run, and sends its spans when it is over. */
export interface RunTrace {
  /** Call it after every event of the engine. */
  note(): void
  /** The header for the function that carries out a call. */
  traceparentOf(toolCallId: string): string
  /** Call it once, with why the run could not start, if it could not. */
  end(outcome: { isStopped: boolean; refusal?: unknown }): void
}

/**
 * Starts to follow a run; undefined if its client does not want its trace recorded. Without a `traceparent` all runs of a
 * turn are one trace, whose id is the turn's, also if one of them died.
 */
export function startTrace(
  turn: Turn,
  traceparent: string | undefined,
  written: Written,
  exporter: SpanExporter,
  isStream: boolean,
): RunTrace | undefined {
  const parent = readTraceparent(traceparent)
  if (parent?.sampled === false) return undefined
  const startedAt = Date.now()
  const spanId = createSpanId()
  const times: number[] = []
  const spans = new Map<string, string>()
  const spanOf = (toolCallId: string) => {
    const id = spans.get(toolCallId) ?? createSpanId()
    spans.set(toolCallId, id)
    return id
  }
  const note = () => {
    while (times.length < written.entries.length) times.push(Date.now())
  }
  const traceIdOf = () => parent?.traceId ?? (turnId(written) ?? turn.runId).replaceAll('-', '')
  return {
    note,
    traceparentOf: (toolCallId) => writeTraceparent({ traceId: traceIdOf(), spanId: spanOf(toolCallId) }),
    end({ isStopped, refusal }) {
      note()
      const { runId, conversationId, agent, tools } = turn
      exporter.add(() =>
        projectSpans({
          traceId: traceIdOf(),
          spanId,
          parent,
          spanOf,
          runId,
          conversationId,
          agent,
          tools: tools.map(({ specification }) => specification),
          before: [...turn.history.flatMap(({ entries }) => entries), ...turn.entries],
          written: written.entries.map((entry, index) => ({ entry, at: times[index] ?? startedAt })),
          startedAt,
          isStream,
          isStopped,
          ...(refusal === undefined ? {} : { refusal: describeRefusal(refusal) }),
          withContent: exporter.withContent,
        }),
      )
    },
  }
}

/** The engine's id of the turn, which every run that continues it keeps. */
function turnId({ entries }: Written): string | undefined {
  const start = entries.find((entry) => entry.type === 'run-start')
  return start?.type === 'run-start' ? start.runId : undefined
}

/** What an error says about the model, wherever in its causes that stands. */
function describeRefusal(error: unknown): NonNullable<TracedRun['refusal']> {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof ModelError && cause.failure) return cause.failure
    if (cause instanceof AgentError && cause.kind !== 'llm_api') return { errorType: cause.kind }
  }
  return {}
}
