import { expect, test } from 'vitest'
import type { FormSchema } from '../../../client/api/message.ts'
import { english as labels } from '../../../client/labels/en.ts'
import { readInput, showInput } from '../../../client/react/forms/field-input.ts'
import { listFields } from '../../../client/react/forms/form-fields.ts'
import { findProblems } from '../../../client/react/forms/form-problems.ts'

const id = '1161380288898609915'

/** What a form with one field makes of a typed text, and what it says about it. */
function type(schema: FormSchema, typed: string, before?: unknown) {
  const form = { type: 'object', properties: { id: schema } }
  const [field] = listFields(form, before === undefined ? {} : { id: before })
  if (!field) throw new Error('The form has no field.')
  const value = readInput(field, typed, before)
  return {
    value,
    shown: showInput(field, value),
    problem: findProblems(form, [field], { id: value }, labels).id,
  }
}

test('an id of 64 bits is sent with the digits that were typed', () => {
  for (const format of ['int64', 'uint64'])
    expect(type({ type: ['integer', 'string'], format }, id)).toEqual({
      value: id,
      shown: id,
      problem: undefined,
    })
  expect(type({ type: ['integer', 'string'], format: 'int64' }, '5').value).toBe(5)
  expect(
    type({ type: 'array', items: { type: ['integer', 'string'], format: 'int64' } }, `5, ${id}`),
  ).toMatchObject({
    value: [5, id],
    problem: undefined,
  })
  expect(type({ type: 'object' }, `{"id": ${id}}`).value).toEqual({ id })
})

test('a changed value of an approval is what was typed, although the one before cannot be told from it as a double', () => {
  expect(type({ type: ['integer', 'string'], format: 'int64' }, id, '1161380288898609914').value).toBe(id)
})

test('where only a number fits, it is refused beside its field, with its digits', () => {
  const problem = `${id} has more digits than can be kept exactly here.`
  expect(type({ type: 'integer' }, id).problem).toBe(problem)
  expect(type({ type: 'array', items: { type: 'number' } }, `5; ${id}`).problem).toBe(problem)
})

test('text that is no number is refused where digits may be text', () => {
  expect(type({ type: ['number', 'string'], format: 'decimal' }, 'many').problem).toContain('many')
  expect(
    type({ type: 'array', items: { type: ['integer', 'string'], format: 'int64' } }, '5, many').problem,
  ).toBeDefined()
})
