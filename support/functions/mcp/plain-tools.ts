import { systemClock } from '../../../shared/engine/core/clock.ts'
import { audio, image, text } from './media.ts'
import type { FixtureTool } from './tools.ts'

const pauseMs = 50
let left = 0

const resource = (uri: string, mimeType: string, words: string) =>
  ({ type: 'resource', resource: { uri, mimeType, text: words } }) as const

export const plainTools: Record<string, FixtureTool> = {
  test_simple_text: {
    run: async () => ({ content: [text('This is a simple text response for testing.')] }),
  },
  test_image_content: { run: async () => ({ content: [image] }) },
  test_audio_content: { run: async () => ({ content: [audio] }) },
  test_embedded_resource: {
    run: async () => ({
      content: [resource('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')],
    }),
  },
  test_multiple_content_types: {
    run: async () => ({
      content: [
        text('Multiple content types test:'),
        image,
        resource('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
      ],
    }),
  },
  test_error_handling: {
    run: async () => ({
      isError: true,
      content: [text('This tool intentionally returns an error for testing')],
    }),
  },
  test_tool_with_logging: {
    async run(_, { log }) {
      for (const step of ['started', 'completed']) {
        await log('info', `Tool execution ${step}`)
        await systemClock.sleep(pauseMs)
        if (step === 'started') await log('info', 'Tool processing data')
      }
      return { content: [text('Tool with logging executed successfully')] }
    },
  },
  test_logging_tool: {
    async run(_, { log }) {
      await log('info', 'Not for whoever has not asked for it')
      return { content: [text('Logged')] }
    },
  },
  test_tool_with_progress: {
    async run(_, { tellProgress }) {
      for (const progress of [0, 50, 100]) {
        await tellProgress(progress, 100, `Completed step ${progress} of 100`)
        await systemClock.sleep(pauseMs)
      }
      return { content: [text('Done')] }
    },
  },
  /** Its stream ends before it does. */
  test_slow: {
    async run(_, { signal, endsAt, tellProgress }) {
      await tellProgress(0)
      await systemClock.sleep(endsAt - Date.now() + 10_000, signal)
      if (signal.aborted) left++
      return { content: [text('Nobody hears this')] }
    },
  },
  /** How many clients of this process have left `test_slow`. */
  test_left: { run: async () => ({ content: [text(`${left}`)] }) },
  test_fault: {
    run: async () => {
      throw new Error('/home/fixture: the password is swordfish')
    },
  },
  test_who: {
    run: async (_, { caller, client }) => ({
      content: [
        text(JSON.stringify({ caller, client: client.about?.name, can: Object.keys(client.capabilities) })),
      ],
    }),
  },
}
