import type { Client, Scene } from '../scene.ts'

const waits = [
  { timeoutMs: 2_000, mailMs: 5_000 },
  { timeoutMs: 3_000, mailMs: 20_000 },
]
const patient: Client = { timeoutMs: 60_000 }

/** The SDK times out before the mail server responds, retries as often as it may, and a person asks again later. */
export const sdkTimeouts: readonly Scene[] = waits.flatMap(({ timeoutMs, mailMs }) =>
  [0, 1, 2].flatMap((retries) =>
    [false, true].flatMap((stream) =>
      (['none', 'named'] as const).map(
        (headers): Scene => ({
          name: `openai: timeout ${timeoutMs / 1000} s, mail ${mailMs / 1000} s, retries ${retries}, ${stream ? 'streamed' : 'plain'}, ${headers === 'named' ? 'named' : 'unnamed'}`,
          client: { kind: 'openai', timeoutMs, retries, stream, headers },
          mailMs,
          mails: ['ada'],
          steps: [
            { do: 'say', text: 'Send an email about lunch to {ada}', mayFail: true },
            { do: 'wait' },
            { do: 'again', as: patient, says: [/\S/], saysNot: [/approve/i] },
          ],
        }),
      ),
    ),
  ),
)
