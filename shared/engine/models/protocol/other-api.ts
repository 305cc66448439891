import { CallFailure } from './call-failure.ts'

/** What only answers of other APIs have, plain or streamed. */
const marks: [api: string, isOf: (body: Record<string, unknown>) => boolean][] = [
  // https://docs.anthropic.com/en/api/messages, /en/api/messages-streaming
  ['Anthropic Messages', ({ type }) => /^(?:message|message_start|content_block_start)$/.test(String(type))],
  // https://ai.google.dev/api/generate-content
  ['Gemini', ({ candidates }) => Array.isArray(candidates)],
  // https://platform.openai.com/docs/api-reference/responses, …/responses-streaming
  ['OpenAI Responses', ({ object, type }) => object === 'response' || /^response\.\w/.test(String(type))],
  // https://docs.ollama.com/api/chat, /api/generate
  [
    'Ollama',
    ({ done, message, response }) =>
      typeof done === 'boolean' && (message !== undefined || response !== undefined),
  ],
]

/** The failure of an address at which another API answers than chat completions; undefined if this answer is of ours. */
export function findOtherApi(body: object, host: string): CallFailure | undefined {
  const answer = body as Record<string, unknown>
  if (answer.choices || answer.error) return undefined
  const api = marks.find(([, isOf]) => isOf(answer))?.[0]
  if (api === undefined) return undefined
  return new CallFailure('refused', `${host} answers in the form of ${api}, not of chat completions`, {
    errorType: 'other_api',
  })
}
