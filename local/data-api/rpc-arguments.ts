import type { PostgresConnection } from '@supabase/lite/postgres'

type Introspection = Awaited<ReturnType<PostgresConnection['introspect']>>
type Functions = NonNullable<Introspection['functions']>

/** The parts of a call that matter here, as `@supabase/lite` parsed them. */
export interface RpcCall {
  function?: string
  schema?: string
  args?: unknown
  httpMethod?: string
}

/**
 * `@supabase/lite` writes names of arguments without quotation marks, and refuses those with other letters; and it passes
 * JavaScript values, which fit only a few types. So it is given tokens for names, which `writeStatement` replaces with the
 * name in quotation marks and, except for plain types, with what PostgREST does: PostgreSQL reads the value from JSON.
 */
interface Argument {
  name: string
  /** As PostgreSQL writes it; undefined if several functions have that name, which differ in types. */
  type?: string
  isVariadic?: boolean
}

const prefix = 'askback_argument_'
const token = new RegExp(`${prefix}([0-9a-f]+)`, 'g')

function makeToken(argument: Argument): string {
  return prefix + Buffer.from(JSON.stringify(argument)).toString('hex')
}

function readToken(hex: string): Argument {
  return JSON.parse(Buffer.from(hex, 'hex').toString())
}

/** Types whose values come as what `@supabase/lite` passes. */
const plainTypes = /^(?:text|uuid|integer|bigint|jsonb?|timestamp with time zone)$/

const named = new WeakMap<Introspection, Introspection>()

/** The functions as `@supabase/lite` is to see them: with tokens for names. */
export function nameArguments(introspection: Introspection): Introspection {
  const known = named.get(introspection)
  if (known) return known
  const { functions = [] } = introspection
  const counts = new Map<string, number>()
  for (const { schema, name } of functions) {
    counts.set(`${schema}.${name}`, (counts.get(`${schema}.${name}`) ?? 0) + 1)
  }
  const result = {
    ...introspection,
    functions: functions.map((one) => tokenise(one, counts.get(`${one.schema}.${one.name}`) === 1)),
  }
  named.set(introspection, result)
  return result
}

function tokenise(one: Functions[number], isOnly: boolean): Functions[number] {
  if (!isOnly) return { ...one, arg_names: one.arg_names.map((name) => name && makeToken({ name })) }
  const last = one.arg_names.length - 1
  const makeName = (name: string, index: number) =>
    name &&
    makeToken({ name, type: one.arg_types[index] ?? 'text', isVariadic: one.has_variadic && index === last })
  return {
    ...one,
    arg_names: one.arg_names.map(makeName),
    // A name in quotation marks is no type for it; it is in the token.
    arg_types: one.arg_types.map((type) => (type.includes('"') ? 'text' : type)),
    // Its argument is an array like any other.
    has_variadic: false,
  }
}

/** The arguments of a call under their tokens, with values that `writeStatement` expects. */
export function writeArguments(call: RpcCall, { functions = [] }: Introspection): unknown {
  const { args, schema = 'public' } = call
  if (!isObject(args)) return args
  const tokens = new Map<string, { token: string; argument: Argument }>()
  for (const one of functions.filter(({ schema: its, name }) => its === schema && name === call.function)) {
    for (const token of one.arg_names.filter(Boolean)) {
      const argument = readToken(token.slice(prefix.length))
      tokens.set(argument.name, { token, argument })
    }
  }
  const entries = Object.entries(args).map(([name, value]) => {
    const found = tokens.get(name)
    return found ? [found.token, write(value, found.argument, call.httpMethod === 'GET')] : [name, value]
  })
  return Object.fromEntries(entries)
}

function write(value: unknown, { type }: Argument, isText: boolean): unknown {
  if (type === undefined || value === null) return value
  if (/^jsonb?$/.test(type)) return isText && typeof value === 'string' ? value : JSON.stringify(value)
  if (!plainTypes.test(type)) return JSON.stringify({ value })
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

const argument = new RegExp(`${prefix}([0-9a-f]+) := (\\$\\d+)((?:::[^,()"]+)?)`, 'g')

/** A statement of `@supabase/lite` with names for tokens. */
export function writeStatement(statement: string): string {
  if (!statement.includes(prefix)) return statement
  return statement.replace(argument, (_, hex: string, value: string, cast: string) => {
    const { name, type, isVariadic } = readToken(hex)
    const given =
      type === undefined || plainTypes.test(type)
        ? value + cast
        : `(select value from json_to_record(${value}::json) as _(value ${ofAnyLength(type)}))`
    return `${isVariadic ? 'VARIADIC ' : ''}"${name.replaceAll('"', '""')}" := ${given}`
  })
}

/** `character` and `bit` alone are of length 1; as arguments they are of any. */
function ofAnyLength(type: string): string {
  return type.replace(/^(?:character|bit)(?=\[\]$|$)/, '$& varying')
}

/** A text for the caller with names for tokens. */
export function writeNames(text: string): string {
  return text.replace(token, (_, hex: string) => readToken(hex).name)
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
