import { describe, expect, test } from 'vitest'
import { german } from '../../../client/labels/de.ts'
import { english } from '../../../client/labels/en.ts'
import { readInput, showInput } from '../../../client/react/forms/field-input.ts'
import { listFields } from '../../../client/react/forms/form-fields.ts'
import { findProblems } from '../../../client/react/forms/form-problems.ts'

const schema = {
  type: 'object',
  properties: {
    to: {
      type: 'array',
      minItems: 1,
      items: { type: 'string', format: 'email' },
      title: 'recipient email address',
      examples: [['ada@example.com']],
    },
    port: { type: 'integer', minimum: 1, maximum: 65535, default: 465 },
    password: { type: 'string', secret: true, examples: ['never shown'] },
    role: { type: 'string', enum: ['reader', 'writer'] },
    notify_them: { type: 'boolean' },
    body: { type: 'string', maxLength: 1_048_576 },
    subject: { type: 'string', maxLength: 900, description: 'subject' },
    page: { type: 'string' },
    message: { type: 'string', description: 'The number that the message has.' },
  },
  required: ['to', 'port'],
}
const fields = listFields(schema, { page: 'Two\nlines' })
const field = (name: string) => fields.find((one) => one.name === name)!

describe('listFields', () => {
  test('makes an input of each property, with the words of the schema', () => {
    expect(fields.map(({ label, kind, required }) => [label, kind, required])).toEqual([
      ['Recipient email address', 'list', true],
      // A default is there when nothing is said.
      ['Port', 'number', false],
      ['Password', 'password', false],
      ['Role', 'choice', false],
      ['Notify them', 'check', false],
      // It may get long.
      ['Body', 'long', false],
      ['Subject', 'text', false],
      // It has several lines already.
      ['Page', 'long', false],
      // The name alone says nothing.
      ['Message', 'text', false],
    ])
    expect(field('subject').hint).toBe('')
    expect(field('message').hint).toBe('The number that the message has.')
    expect(field('to').placeholder).toBe('ada@example.com')
    expect(field('password').placeholder).toBe('')
  })
})

describe('readInput', () => {
  test('reads lists however they are separated', () => {
    expect(readInput(field('to'), 'ada@example.com; grace@example.com,\n')).toEqual([
      'ada@example.com',
      'grace@example.com',
    ])
  })
  test('takes nothing for no value, and keeps what is no number', () => {
    expect(readInput(field('port'), ' ')).toBeUndefined()
    expect(readInput(field('port'), '25')).toBe(25)
    expect(readInput(field('port'), 'many')).toBe('many')
  })
  test('gives back what it shows', () => {
    for (const [name, value] of Object.entries({
      to: ['a@b.example'],
      port: 25,
      role: 'writer',
      body: 'Hi\n',
    })) {
      expect(readInput(field(name), showInput(field(name), value))).toEqual(value)
    }
  })
})

describe('a moment', () => {
  const [at] = listFields({ type: 'object', properties: { at: { type: 'string', format: 'date-time' } } })
  const moment = '2026-07-01T09:00:30Z'

  test('stands in the zone of its reader, and is given back as it was while nobody changes it', () => {
    const here = new Date(moment)
    const shown = showInput(at!, moment)
    expect(shown).toBe(`2026-07-0${here.getDate()}T${here.toTimeString().slice(0, 'hh:mm'.length)}`)
    expect(readInput(at!, shown, moment)).toBe(moment)
    expect(readInput(at!, `${shown.slice(0, -1)}5`)).toBe(new Date(`${shown.slice(0, -1)}5`).toISOString())
  })
})

describe('lists of addresses', () => {
  test('take a name with a comma for one recipient, by its address', () => {
    expect(
      readInput(field('to'), '"Lovelace, Ada" <ada@example.com>, Grace <grace@example.com>; bob@example.com'),
    ).toEqual(['ada@example.com', 'grace@example.com', 'bob@example.com'])
  })
  test('show it as one, and give it back', () => {
    const to = ['"Lovelace, Ada" <ada@example.com>', 'bob@example.com']
    expect(readInput(field('to'), showInput(field('to'), to), to)).toEqual(to)
    const [kind] = listFields(schema, { to })
    expect(kind?.kind).toBe('list')
  })
})

describe('findProblems', () => {
  test('says what is wrong beside the field that it is wrong in', () => {
    expect(findProblems(schema, fields, { to: ['ada@'], port: 70000 }, english)).toEqual({
      to: '“ada@” isn’t a complete email address. Example: ada@example.com.',
      port: 'Port must be a whole number from 1 to 65535.',
    })
    expect(findProblems(schema, fields, {}, english)).toEqual({ to: 'Recipient email address is required.' })
  })
  test('finds the address that is not complete, as the server would', () => {
    const find = (...to: string[]) => findProblems(schema, fields, { to }, english).to
    expect(find('bob@example.com', 'ada@example')).toBe(
      '“ada@example” isn’t a complete email address. Example: ada@example.com.',
    )
    expect(find('ada@example..com')).toContain('“ada@example..com”')
    expect(find('ada.l+x@mail.example.co.uk', 'jörg@bücher.example')).toBeUndefined()
  })
  test('says it in the language of the labels', () => {
    expect(findProblems(schema, fields, { to: ['ada@'], port: 70000 }, german)).toEqual({
      to: '„ada@“ ist keine vollständige E-Mail-Adresse. Beispiel: ada@example.com',
      port: 'Bitte eine ganze Zahl von 1 bis 65535 eingeben.',
    })
  })
  test('shows how a number is written here where it cannot be read', () => {
    expect(findProblems(schema, fields, { to: ['ada@example.com'], port: '4,6,5' }, english)).toEqual({
      port: `“4,6,5” isn’t a valid number. Example: ${new Intl.NumberFormat().format(12_345)}.`,
    })
  })
  test('finds nothing wrong with what fits', () => {
    expect(
      findProblems(schema, fields, { to: ['ada@example.com'], port: 25, role: 'reader' }, english),
    ).toEqual({})
  })
})

describe('fields that need care', () => {
  const make = (properties: object, required: string[] = [], values = {}) =>
    listFields({ type: 'object', properties, required } as never, values)

  test('a yes or no that must be given is chosen, because a box without a tick may be no answer', () => {
    const [must] = make({ flexible: { type: 'boolean' } }, ['flexible'])
    expect(must).toMatchObject({ kind: 'choice', schema: { enum: [true, false] } })
    expect(must && readInput(must, 'false')).toBe(false)
    expect(make({ flexible: { type: 'boolean' } })[0]?.kind).toBe('check')
    expect(make({ flexible: { type: 'boolean' } }, ['flexible'], { flexible: true })[0]?.kind).toBe('check')
  })

  test('things that are there can be taken out; where there are none, they are written', () => {
    const attachments = { type: 'array', items: { type: 'object' } }
    const [files] = make({ attachments }, [], { attachments: [{ filename: 'a.txt' }] })
    expect(files?.kind).toBe('items')
    expect(files && readInput(files, '[{"filename":"a.txt"}]')).toEqual([{ filename: 'a.txt' }])
    expect(make({ attachments })[0]?.kind).toBe('json')
  })

  test('a hint that says the label again says nothing', () => {
    const hints = make({
      budget: { type: 'number', description: 'budget' },
      cabin: { enum: ['a', 'b'], title: 'class', description: 'a: more room; b: less' },
      city: { type: 'string', description: 'Where to go.' },
    }).map(({ hint }) => hint)
    expect(hints).toEqual(['', 'a: more room; b: less', 'Where to go.'])
  })
})
