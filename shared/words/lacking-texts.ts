import { type Form, isForm } from './form-words.ts'
import type { FieldWords, ProviderWords, ToolWords } from './tool-words.ts'

/** What a tool says in English. */
interface EnglishTool {
  parameters: Form
  confirm?: unknown
  summary?: unknown
  button?: unknown
  past?: unknown
}

/** What a provider says in English. */
interface EnglishProvider {
  connection: Form
  oauth?: { words?: object | undefined } | null | undefined
}

/**
 * The texts that a tool has in English and not in these words: `title`, `fields["to"].hint`. Words that lack one are not
 * used, since a sentence would be in two languages.
 */
export function toolLacks(
  { parameters, confirm, summary, button, past }: EnglishTool,
  said: Some<ToolWords>,
): string[] {
  return [
    ...lacks({ title: true, confirm, summary, button, past }, said),
    ...fieldsLack(parameters, said.fields),
  ]
}

/** The same of a provider. */
export function providerLacks({ connection, oauth }: EnglishProvider, said: Some<ProviderWords>): string[] {
  return [
    ...lacks({ description: true, purpose: true }, said),
    ...lacks(oauth?.words ?? {}, said.scopes).map((scope) => `scopes["${scope}"]`),
    ...fieldsLack(connection, said.fields),
  ]
}

type Some<Words extends { fields: unknown }> = Partial<Omit<Words, 'fields'>> & {
  fields?: Readonly<Record<string, Partial<FieldWords> | undefined>> | undefined
}

function fieldsLack(schema: Form, said: Some<ToolWords>['fields'] = {}): string[] {
  return fieldsOf(schema).flatMap(([path, { question, hint, unfit, enum: choices }]) => [
    ...lacks({ title: true, question, hint, unfit }, said[path]).map((name) => `fields["${path}"].${name}`),
    ...(Array.isArray(choices) ? choices : [])
      .filter((choice) => said[path]?.choices?.[String(choice)] === undefined)
      .map((choice) => `fields["${path}"].choices.${choice}`),
  ])
}

/** The names of the texts that are there in English, and not here. */
function lacks(english: object, said: object = {}): string[] {
  return Object.entries(english).flatMap(([name, there]) =>
    there === undefined || (said as Record<string, unknown>)[name] !== undefined ? [] : [name],
  )
}

/** Every field of a form, by its path without list indexes. */
export function fieldsOf({ properties = {} }: Form, before = ''): [string, Form][] {
  return Object.entries(properties).flatMap(([name, field]): [string, Form][] => {
    if (typeof field === 'boolean') return []
    const path = before + name
    const items = isForm(field.items) ? fieldsOf(field.items, `${path}.`) : []
    return [[path, field], ...fieldsOf(field, `${path}.`), ...items]
  })
}
