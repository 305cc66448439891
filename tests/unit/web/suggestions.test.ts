import { expect, test } from 'vitest'
import { answerAsDemo } from '../../../local/demo/answer.ts'
import { demoSentences } from '../../../web/pages/chat/start-words.ts'
import { suggestions } from '../../../web/pages/chat/suggestions.ts'
import { tourSentences } from '../../../web/pages/chat/tour-words.ts'

test.each(suggestions)('the demo model understands how $name is said to it', ({ name, tools }) => {
  const offered = tools.map((name) => ({ type: 'function' as const, function: { name } }))
  const answer = answerAsDemo([{ role: 'user', content: demoSentences[name] }], offered)
  expect(answer).toMatchObject({ calls: [{ name: tools[0] }] })
})

test.each(tourSentences)('the demo model understands the step "%s" of the tour', (content) => {
  const offered = [{ type: 'function' as const, function: { name: 'smtp_send_email' } }]
  expect(answerAsDemo([{ role: 'user', content }], offered)).toMatchObject({
    calls: [{ name: 'smtp_send_email', arguments: { body: expect.stringContaining('this is about the') } }],
  })
})
