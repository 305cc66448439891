import { isObject } from '../../../../shared/engine/core/json-value.ts'
import { ApiError } from '../../../../shared/server/http/api-error.ts'

/** Characters of a title. */
const limit = 200

/** Reads `PATCH conversations/:id`: `{ title }`, 1 to 200 characters. Throws ApiError 400. */
export function readTitleChange(body: unknown): string {
  const title = isObject(body) && typeof body.title === 'string' ? body.title.trim() : ''
  if (title !== '' && Array.from(title).length <= limit) return title
  throw new ApiError(400, 'bad_request', `Send { "title": "…" } with 1 to ${limit} characters.`)
}
