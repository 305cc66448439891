import { AgentError } from '../core/agent-error.ts'
import { ModelError, type ModelEvent, type ModelReply } from '../models/protocol/model-client.ts'
import { createToolCallId } from './identifiers.ts'
import type { Run } from './run.ts'

/** A reply and our id for each of its tool calls. */
export interface Asked {
  reply: ModelReply
  toolCallIds: string[]
}

/**
 * One model call: the system message, the conversation, and for this call only the run's nudge. At 0.5, or 0.7
 * while a failed attempt is open. Rejects with `ModelError` or `AgentError`, also when the run's time is over.
 */
export async function askModel(run: Run, { tools = true } = {}): Promise<Asked> {
  const { memory, limits } = run
  const ids: string[] = []
  const time = limitTime(run)
  const { temperature = 0.5, retryTemperature = 0.7, ...sampling } = run.model.sampling ?? {}
  const maxOutputTokens = sampling.maxOutputTokens ?? limits.maxOutputTokens
  try {
    const reply = await run.model.complete(
      {
        messages: [run.system, ...memory.conversation, ...run.nudge],
        tools: run.specifications,
        temperature: memory.intents.length > 0 ? retryTemperature : temperature,
        ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
        ...(tools ? {} : { toolChoice: 'none' as const }),
      },
      {
        signal: time.signal,
        stream: run.stream,
        ...(run.hasListener ? { onEvent: (event) => forward(run, event, ids) } : {}),
        ...(run.avoid.length > 0 ? { avoid: run.avoid } : {}),
      },
    )
    run.answeredBy.add(reply.model)
    run.usage.modelCalls++
    run.usage.inputTokens += reply.usage.inputTokens
    run.usage.outputTokens += reply.usage.outputTokens
    memory.tokens += reply.usage.inputTokens + reply.usage.outputTokens
    return { reply, toolCallIds: reply.toolCalls.map((_, index) => idAt(ids, index)) }
  } catch (cause) {
    if (cause instanceof ModelError || cause instanceof AgentError) throw cause
    throw new ModelError('The model could not be asked.', { refused: true, cause })
  } finally {
    time.end()
    run.nudge = []
  }
}

/** The run's signal, which also aborts when the run's time is over. Timers may be early by the clock: theirs counts. */
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

/** Passes a model's events on, with our ids for the calls it writes. */
function forward(run: Run, event: ModelEvent, ids: string[]): void {
  if (event.type === 'restart') ids.length = 0
  if (event.type === 'tool-input-start' || event.type === 'tool-input-delta') {
    run.emit({ ...event, toolCallId: idAt(ids, event.index) })
  } else {
    run.emit(event)
  }
}

function idAt(ids: string[], index: number): string {
  ids[index] ??= createToolCallId()
  return ids[index]
}
