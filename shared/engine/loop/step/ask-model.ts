import { AgentError } from '../../core/agent-error.ts'
import { clipText } from '../../core/clip-text.ts'
import { createToolCallId } from '../../core/identifiers.ts'
import { ModelError, type ModelEvent } from '../../models/protocol/model-client.ts'
import type { StepEnd } from '../../transcript/entry.ts'
import { chooseToolsAgain } from '../run/choose-tools.ts'
import { callsPerStep, replyLimit } from '../run/limits.ts'
import { append, type Run } from '../run/run.ts'
import { offeredTools } from './offered-tools.ts'
import { prepareCalls } from './prepare-calls.ts'

/** Characters of a model's thoughts that are kept: people may look at them, no model reads them again. */
const longestThought = 16_000

/**
 * One step: the model reads the transcript, and its answer is appended. Temperature 0.5, or 0.7 while a failed attempt
 * is open. With `last` it may not call tools. Rejects with `ModelError` or `AgentError`, also when the run's time is
 * over.
 */
export async function askModel(run: Run, last?: 'completed' | 'failed'): Promise<void> {
  const { state, messages, clock } = run
  const ids: string[] = []
  const time = limitTime(run)
  const { temperature: first = 0.5, retryTemperature = 0.7 } = run.model.sampling ?? {}
  const temperature = state.intents.some(({ errors }) => errors.length > 0) ? retryTemperature : first
  const { tokens: maxOutputTokens } = replyLimit(run)
  append(run, { type: 'step-start', last })
  run.written = ''
  const started = clock.now()
  chooseToolsAgain(run)
  try {
    const reply = await run.model.complete(
      {
        messages: [run.system, ...messages.list, ...messages.aside(state)],
        tools: offeredTools(run),
        temperature,
        maxOutputTokens,
        toolChoice: last && 'none',
      },
      {
        signal: time.signal,
        stream: run.stream,
        onEvent: (event) => emit(run, event, ids),
        fewerTools: () => (chooseToolsAgain(run) ? offeredTools(run) : undefined),
        deltas: run.hasListener,
        avoid: state.avoid.length > 0 ? state.avoid : undefined,
      },
    )
    run.written = ''
    if (reply.thoughts?.trim()) {
      append(run, { type: 'thought', text: clipText(reply.thoughts.trim(), longestThought) })
    }
    if (reply.text !== '') append(run, { type: 'model-text', text: reply.text })
    const asked = reply.toolCalls.length
    if (!last) {
      const kept = { ...reply, toolCalls: reply.toolCalls.slice(0, callsPerStep) }
      const toolCallIds = kept.toolCalls.map((_, index) => idAt(ids, index))
      for (const call of prepareCalls(run, kept, toolCallIds)) append(run, call)
    }
    const { provider, model, finishReason, usage, cost, reads, cut } = reply
    const end: StepEnd = {
      type: 'step-end',
      provider,
      model,
      finishReason,
      usage: { inputTokens: usage.inputTokens, outputTokens: usage.outputTokens },
      cost,
      temperature,
      asked: asked > callsPerStep ? asked : undefined,
      reads,
      cut,
      durationMs: clock.now() - started,
    }
    append(run, end)
    if (reply.lateUsage) run.onLateUsage?.(end, reply.lateUsage)
  } catch (cause) {
    if (cause instanceof ModelError || cause instanceof AgentError) throw cause
    throw new ModelError('The model could not be asked.', { refused: true, cause })
  } finally {
    time.end()
  }
}

/** The run's signal, which also aborts when the run's time is over. Timers may fire early by the clock: theirs counts. */
function limitTime(run: Run): { signal: AbortSignal; end: () => void } {
  const { signal } = run.stopping
  if (run.deadline === Number.POSITIVE_INFINITY) return { signal, end: () => {} }
  const own = new AbortController()
  const stop = () => own.abort(signal.reason)
  if (signal.aborted) stop()
  signal.addEventListener('abort', stop)
  const callOff = run.clock.after(Math.max(0, run.deadline - run.clock.now()), () => {
    run.deadline = Math.min(run.deadline, run.clock.now())
    own.abort()
  })
  return {
    signal: own.signal,
    end: () => {
      callOff()
      signal.removeEventListener('abort', stop)
    },
  }
}

/** Passes on what a model writes, with our ids for its calls, and keeps the providers' status messages. */
function emit(run: Run, event: ModelEvent, ids: string[]): void {
  if (event.type === 'restart') {
    ids.length = 0
    run.written = ''
  }
  if (event.type === 'text-delta') run.written += event.delta
  if ('index' in event && event.index >= callsPerStep) return
  if (event.type === 'model-switch') {
    const { type: notice, ...about } = event
    append(run, { type: 'notice', notice, ...about })
  } else if (event.type === 'model-retry') {
    const { type: notice, ...about } = event
    append(run, { type: 'notice', notice, ...about })
  } else if (event.type === 'tool-refused') {
    const { type: notice, ...about } = event
    append(run, { type: 'notice', notice, ...about })
  } else if (event.type === 'window-learned') {
    const { type: notice, ...about } = event
    append(run, { type: 'notice', notice, ...about })
  } else if (event.type === 'tool-input-start') {
    run.emit({ type: 'input-start', toolCallId: idAt(ids, event.index), toolName: event.toolName })
  } else if (event.type === 'tool-input-delta') {
    run.emit({ type: 'input-delta', toolCallId: idAt(ids, event.index), delta: event.delta })
  } else run.emit(event)
}

function idAt(ids: string[], index: number): string {
  ids[index] ??= createToolCallId()
  return ids[index]
}
