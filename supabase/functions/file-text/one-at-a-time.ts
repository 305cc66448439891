import { ApiError } from '../../../shared/server/http/api-error.ts'

/** Documents that may wait; each takes up to 5 MiB, and usually a tenth of a second. */
const mostWaiting = 8

/** Runs `work` one call after another, so that its resource use can be measured. Throws ApiError 429 if too many are waiting. */
export function oneAtATime<Given, Result>(
  work: (given: Given) => Promise<Result>,
): (given: Given) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve()
  let open = 0
  return async (given) => {
    if (open > mostWaiting) throw new ApiError('too_many_documents', { why: 'read' })
    open += 1
    const mine = last.then(() => work(given))
    last = mine.catch(() => {})
    try {
      return await mine
    } finally {
      open -= 1
    }
  }
}
