import { expect, test } from 'vitest'
import { sayForm } from '../../../shared/words/form-words.ts'

const schema = {
  type: 'object',
  properties: {
    to: { type: 'array', title: 'recipient', hint: 'Please provide the email address.' },
    subject: { type: 'string', title: 'subject', hint: 'Please provide the subject in one line.' },
    note: { type: 'string', title: 'note', hint: 'Please provide a note.' },
  },
}

test('a field whose words are whole without a hint has none, and not that of another language', () => {
  const fields = {
    to: { title: 'Empfänger', question: 'An wen?', hint: '' },
    subject: { title: 'Betreff', hint: 'Bitte in einer Zeile.' },
  }
  expect(sayForm({ fields }, schema).properties).toEqual({
    to: { type: 'array', title: 'Empfänger', short: 'Empfänger' },
    subject: { type: 'string', title: 'Betreff', short: 'Betreff', hint: 'Bitte in einer Zeile.' },
    note: schema.properties.note,
  })
})

test('a project that changes the title alone keeps the hint of the form', () => {
  const fields = { subject: { title: 'Topic' } }
  expect(sayForm({ fields }, schema).properties).toMatchObject({
    subject: { title: 'Topic', hint: 'Please provide the subject in one line.' },
  })
})
