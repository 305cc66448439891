import { expect, test } from 'vitest'
import { answerAsDemo } from '../../../local/demo/answer.ts'
import { suggestions } from '../../../web/suggestions.ts'

test.each(suggestions)('the demo model understands "$text"', ({ text, tools }) => {
  const offered = tools.map((name) => ({ type: 'function' as const, function: { name } }))
  const answer = answerAsDemo([{ role: 'user', content: text }], offered)
  expect(answer).toMatchObject({ call: { name: tools[0] } })
})
