import { ApiError } from '../../../shared/server/http/api-error.ts'

/** Documents that wait while one is read; each of them may be 5 MiB and takes a tenth of a second as a rule. */
const mostWaiting = 8

/** Does one thing after the other: what one takes is then its own. Throws ApiError 429 where too many wait already. */
export function inTurn<Given, Result>(
  work: (given: Given) => Promise<Result>,
): (given: Given) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve()
  let open = 0
  return async (given) => {
    if (open > mostWaiting) {
      const sentence = 'Too many documents are being read at this moment. Try again in a few seconds.'
      throw new ApiError(429, 'too_many_documents', sentence)
    }
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
