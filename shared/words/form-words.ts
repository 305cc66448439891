import type { FieldWords } from './tool-words.ts'

/** A schema that a form is made from. */
export interface Form {
  properties?: Record<string, Form | boolean>
  items?: unknown
  [keyword: string]: unknown
}

/** The words of a tool or provider for its fields, by path without list indexes. */
export interface Worded {
  fields: Readonly<Record<string, FieldWords>>
}

/** The words for the field at a path; a list item uses those of its list. */
export function fieldOf(own: Worded | undefined, path: string): FieldWords | undefined {
  const plain = path.replace(/\[\d+\]/g, '')
  return own && Object.hasOwn(own.fields, plain) ? own.fields[plain] : undefined
}

/** The word for a value of a field that has choices. */
export function wordFor(own: Worded | undefined): (path: string, value: unknown) => string | undefined {
  return (path, value) => {
    const { choices = {} } = fieldOf(own, path) ?? {}
    const word = typeof value === 'string' && Object.hasOwn(choices, value) ? choices[value] : undefined
    return typeof word === 'string' && word !== '' ? word : undefined
  }
}

/** The title of a field. Each open item of a list has its own: `Cc`, `Cc 2`. */
export function titleAt({ title }: FieldWords, path: string): string {
  const [, index = '0'] = /\[(\d+)\]$/.exec(path) ?? []
  return index === '0' ? title : `${title} ${Number(index) + 1}`
}

/** A form in the words of its tool or provider; fields without words stay as they are. */
export function sayForm<One extends Form>(own: Worded, schema: One, before = ''): One {
  if (!schema.properties) return schema
  const properties = Object.entries(schema.properties).map(([name, field]): [string, Form | boolean] => {
    if (typeof field === 'boolean') return [name, field]
    const path = before === '' ? name : `${before}.${name}`
    const inner = sayForm(own, field, path)
    const items = isForm(field.items) ? { items: sayForm(own, field.items, path) } : {}
    const words = fieldOf(own, path)
    if (!words) return [name, { ...inner, ...items }]
    // What is for models may be in another language; so may the form's hint where the words have an empty one,
    // and examples beside a question of their own.
    const { description: _, hint: given, examples, ...rest } = inner
    const { hint = given, choices, short, title, question } = words
    return [
      name,
      {
        ...rest,
        ...items,
        ...(examples === undefined || (question !== undefined && isProse(examples)) ? {} : { examples }),
        // A project that says a hint in its own words may leave the title as it is.
        ...(title === undefined ? {} : { title: titleAt(words, path), short: short ?? title }),
        ...(hint ? { hint } : {}),
        ...(choices ? { choices } : {}),
      },
    ]
  })
  return { ...schema, properties: Object.fromEntries(properties) }
}

/** Whether examples are words of a language, unlike addresses, names and numbers. */
function isProse(examples: unknown): boolean {
  return (
    Array.isArray(examples) && typeof examples[0] === 'string' && /\p{L}\p{L}\s\p{L}\p{L}/u.test(examples[0])
  )
}

/** Whether the items of a list have a schema of their own. */
export function isForm(items: unknown): items is Form {
  return typeof items === 'object' && items !== null && !Array.isArray(items)
}
