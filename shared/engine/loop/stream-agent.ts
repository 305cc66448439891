import { resumeAgent } from './resume-agent.ts'
import type { AgentEvent, AgentResponse } from './run/agent-response.ts'
import type { ResumeAgentOptions, RunAgentOptions } from './run/run-options.ts'
import { runAgent } from './run-agent.ts'

export interface StreamedRun {
  /** The appended entries and deltas, in order; ends with the run. Leaving it stops nothing. */
  events: AsyncIterable<AgentEvent>
  /** The response of `runAgent` or `resumeAgent`; if it rejects, the events end with the same error. */
  response: Promise<AgentResponse>
}

/**
 * `runAgent`, or with a `transcript` and no `input` `resumeAgent`, with its events as an async iterable. Asks the
 * provider for streams unless `stream` is false.
 *
 * @example
 * const usage = { inputTokens: 9, outputTokens: 2 }
 * const reply = { text: 'Hello.', toolCalls: [], finishReason: 'stop', hasChoice: true, usage, provider: 'p', model: 'm' }
 * const model = { model: 'm', models: ['m'], complete: async () => reply }
 * const agent = { name: 'Mira', instructions: 'Help the user.', tools: [] }
 * const { events, response } = streamAgent({ agent, input: 'Hi', library: createToolLibrary([]), model })
 * const types = []
 * for await (const event of events) types.push(event.type)
 * types.at(-1) // => 'run-end'
 * const { text } = await response
 * text // => 'Hello.'
 */
export function streamAgent(options: RunAgentOptions | ResumeAgentOptions): StreamedRun {
  let close: (error?: unknown) => void = () => {}
  let push: (event: AgentEvent) => void = () => {}
  const events = new ReadableStream<AgentEvent>(
    {
      start(controller) {
        push = (event) => controller.enqueue(event)
        close = (error) => (error === undefined ? controller.close() : controller.error(error))
      },
      cancel() {
        push = () => {}
        close = () => {}
      },
    },
    // A slow reader must not hold anything up.
    { highWaterMark: Number.POSITIVE_INFINITY },
  )
  const onEvent = (event: AgentEvent) => {
    push(event)
    options.onEvent?.(event)
  }
  const streamed = { stream: true, ...options, onEvent }
  const response = 'input' in streamed ? runAgent(streamed) : resumeAgent(streamed)
  response.then(
    () => close(),
    (error) => close(error),
  )
  return { events: iterate(events), response }
}

/** Streams are not async iterable everywhere: not yet in Safari. */
async function* iterate(stream: ReadableStream<AgentEvent>): AsyncGenerator<AgentEvent> {
  const reader = stream.getReader()
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value
  } finally {
    await reader.cancel().catch(() => {})
  }
}
