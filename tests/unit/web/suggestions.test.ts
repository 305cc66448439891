import { expect, test } from 'vitest'
import { answerAsDemo } from '../../../local/demo/answer.ts'
import { demoSentences } from '../../../web/pages/chat/start-words.ts'
import { suggestions } from '../../../web/suggestions.ts'

test.each(suggestions)('the demo model understands how $name is said to it', ({ name, tools }) => {
  const offered = tools.map((name) => ({ type: 'function' as const, function: { name } }))
  const answer = answerAsDemo([{ role: 'user', content: demoSentences[name] }], offered)
  expect(answer).toMatchObject({ calls: [{ name: tools[0] }] })
})
