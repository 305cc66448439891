import {
  BodyRefused,
  bodyTooLarge,
  parseJson,
  readJson,
  readStart,
} from '../../../../shared/server/http/read-body.ts'
import {
  chooseResponseFormat,
  type RequestForm,
  type ResponseFormat,
  readRequestForm,
} from './request-form.ts'

/** Bytes of a body: AI SDK clients send the whole conversation again with every request. */
export const bodyLimits: Record<RequestForm, number> = { json: 8 * 1024 * 1024, ui: 32 * 1024 * 1024 }
/** Bytes read from a request with an unknown sender, to find out in which form to answer. */
const strangerLimit = 1024 * 1024

/** A body whose form is known. */
export interface ReceivedPost {
  body: unknown
  form: RequestForm
  format: ResponseFormat
}

/**
 * Reads the body of `POST chat`, and resolves to what `take` keeps of it; until then its memory counts as taken. Throws
 * ApiError 400, 413 or 429; `onFormat` hears how to answer as soon as that is known, before anything is thrown.
 */
export async function receivePost<Taken>(
  request: Request,
  userId: string,
  onFormat: (format: ResponseFormat) => void,
  take: (post: ReceivedPost) => Promise<Taken>,
): Promise<Taken> {
  const accept = request.headers.get('accept')
  onFormat(chooseResponseFormat('json', accept))
  const use = (body: unknown, size: number) => {
    const form = readRequestForm(body)
    const format = chooseResponseFormat(form, accept)
    onFormat(format)
    if (size > bodyLimits[form]) throw bodyTooLarge(bodyLimits[form])
    return take({ body, form, format })
  }
  return await readJson(request, bodyLimits.ui, use, userId).catch((error) => {
    if (error instanceof BodyRefused) onFormat(chooseResponseFormat(guessForm(error.start), accept))
    throw error
  })
}

/** How to answer a request that is refused in any case: in its own form, as far as that can be seen. */
export async function chooseRefusalFormat(request: Request): Promise<ResponseFormat> {
  const accept = request.headers.get('accept')
  const start = await readStart(request, strangerLimit)
  try {
    return chooseResponseFormat(readRequestForm(parseJson(start)), accept)
  } catch {
    return chooseResponseFormat(guessForm(start), accept)
  }
}

/** Guesses the form of a body that was not read to its end from how it starts. */
function guessForm(start: Uint8Array): RequestForm {
  return /"(messages|trigger)"\s*:/.test(new TextDecoder().decode(start.slice(0, 4096))) ? 'ui' : 'json'
}
