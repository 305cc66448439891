import { callTools, type ModelScript, say } from '../../support/model-server.ts'

/** What a message begins with, so that the model plays along. */
export const floodWords = { steps: 'Search for everything.', streams: 'Tell me a long story.' }

const calls = Array.from(
  { length: 1500 },
  (_, number) => ['docs_search', { query: `plan ${number}` }] as const,
)
const pieces = 'Once upon a time there was a service that everybody could use. '.repeat(20)

/** Answers each message at once, those of floods as the floods want it. */
export const answerFloods: ModelScript = ({ body }) => {
  const asked = JSON.stringify(body.messages.findLast(({ role }) => role === 'user'))
  if (asked.includes(floodWords.steps)) return callTools(calls)
  if (asked.includes(floodWords.streams)) return say(pieces, { pauseMs: 100 })
  return say('All right.')
}
