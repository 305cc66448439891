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

test('examples that are words go with the question of their language; addresses and numbers stay', () => {
  const examples = {
    subject: ['Meeting on Thursday'],
    host: ['smtp.example.com'],
    days: [7],
    zone: ['Europe/Berlin'],
  }
  const properties = Object.fromEntries(
    Object.entries(examples).map(([name, given]) => [name, { type: 'string', title: name, examples: given }]),
  )
  const asked = (name: string) => [name, { title: name, question: 'Was?' }]
  const fields = Object.fromEntries(Object.keys(examples).map(asked))
  const said = sayForm({ fields }, { properties }).properties
  expect(said?.subject).not.toHaveProperty('examples')
  for (const name of ['host', 'days', 'zone'] as const)
    expect(said?.[name]).toMatchObject({ examples: examples[name] })
  const retitled = sayForm({ fields: { subject: { title: 'Topic' } } }, { properties }).properties
  expect(retitled?.subject).toMatchObject({ title: 'Topic', examples: examples.subject })
})
