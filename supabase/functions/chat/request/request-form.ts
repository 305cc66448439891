/** The kind of client that sent a POST: `json` (`{ message: "…" }`) or `ui` (the AI SDK's forms). */
export type RequestForm = 'json' | 'ui'

/** The form of the answer to a POST: one JSON object, or the AI SDK's UI message stream. */
export type ResponseFormat = 'json' | 'stream'

/** A `message` that is an object, or `messages`, or `trigger`, is the AI SDK's; anything else is the JSON form. */
export function readRequestForm(body: unknown): RequestForm {
  if (typeof body !== 'object' || body === null) return 'json'
  const { message, messages, trigger } = body as Record<string, unknown>
  const present = (value: unknown) => value !== undefined && value !== null
  return present(messages) || present(trigger) || (present(message) && typeof message === 'object')
    ? 'ui'
    : 'json'
}

/** An `Accept` that names exactly one of the two types overrides the form; `*` ranges name neither.  */
export function chooseResponseFormat(form: RequestForm, accept: string | null): ResponseFormat {
  const types = (accept ?? '').split(',').map((range) => range.split(';')[0]?.trim().toLowerCase())
  const json = types.includes('application/json')
  const stream = types.includes('text/event-stream')
  if (json !== stream) return json ? 'json' : 'stream'
  return form === 'json' ? 'json' : 'stream'
}
