import type { FormSchema, Pending } from './message.ts'

type Values = Record<string, unknown>

/** The known values of a call: in a list, null holds the place of what is asked for. */
export function withoutHoles(values: Values): Values {
  const known = Object.entries(values).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.filter((item) => item !== null) : value,
  ])
  return Object.fromEntries(known.filter(([, value]) => !Array.isArray(value) || value.length > 0))
}

/** The parameters of a form's fields, which are named by path: `to` for `to[1]`. */
function openNames(schema: FormSchema | undefined): string[] {
  return [...new Set(Object.keys(schema?.properties ?? {}).map((path) => path.replace(/[.[].*/s, '')))]
}

/**
 * The values of a call that is asked about: `open`: of the parameters in which something is missing, which the form's fields
 * ask for; `known`: of all others.
 */
export function splitOpen({ type, values = {}, schema }: Pick<Pending, 'type' | 'values' | 'schema'>): {
  known: Values
  open: Values
} {
  const names = type === 'input' ? openNames(schema) : []
  return {
    known: Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name))),
    open: Object.fromEntries(names.map((name) => [name, values[name]])),
  }
}

/** What was sent in a form's only field and refused elsewhere, to be corrected there: a value that its user knows. */
export function refusedValue({ schema, codeValues }: Pick<Pending, 'schema' | 'codeValues'>): Values {
  const [name, ...others] = Object.keys(schema?.properties ?? {})
  const value = codeValues?.refusedValue
  return name === undefined || others.length > 0 || value === undefined ? {} : { [name]: value }
}

/** A schema without some of its fields. */
export function withoutFields(schema: FormSchema, names: readonly string[]): FormSchema {
  if (names.length === 0) return schema
  const { properties = {}, required = [] } = schema
  return {
    ...schema,
    properties: Object.fromEntries(Object.entries(properties).filter(([name]) => !names.includes(name))),
    required: required.filter((name) => !names.includes(name)),
  }
}
