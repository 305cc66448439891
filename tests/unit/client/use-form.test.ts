import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { type SchemaForm, useForm } from '../../../client/react/forms/use-form.ts'

const schema = {
  type: 'object',
  properties: {
    to: { type: 'array', items: { type: 'string' } },
    names: { type: 'array', items: { type: 'string' } },
    files: { type: 'array' },
    subject: { type: 'string' },
    at: { type: 'string', format: 'date-time' },
  },
}

test('an edited call keeps exactly what nobody has touched', () => {
  const values = {
    to: ['ada@example.com'],
    names: ['Lovelace, Ada'],
    files: [{ file_id: 'f1' }],
    subject: ' two  blanks ',
    at: '2026-11-22T10:00:30+02:00',
  }
  let form: SchemaForm | undefined
  const Form = () => {
    form = useForm(schema, values)
    return null
  }
  renderToStaticMarkup(createElement(Form))
  expect(form?.read()).toEqual(values)
  expect(form?.fields.find(({ name }) => name === 'names')?.kind).toBe('items')
})
