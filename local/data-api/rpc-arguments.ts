import type { PostgresConnection } from '@supabase/lite/postgres'

type Introspection = Awaited<ReturnType<PostgresConnection['introspect']>>

/** The parts of a call that matter here, as `@supabase/lite` parsed them. */
export interface RpcCall {
  function?: string
  schema?: string
  args?: unknown
}

/**
 * Writes the arguments of a call as text that PostgreSQL can read for every type. PostgREST passes the JSON on as it
 * is; `@supabase/lite` passes JavaScript arrays and objects, which fit only a few types.
 */
export function writeArguments(call: RpcCall, introspection: Introspection): unknown {
  const { args, schema = 'public' } = call
  const { functions = [] } = introspection
  const named = functions.filter((one) => one.name === call.function && one.schema === schema)
  const [called] = named
  if (!called || named.length > 1 || !isObject(args)) return args
  const entries = Object.entries(args).map(([name, value]) => {
    const type = called.arg_types[called.arg_names.indexOf(name)]
    return [name, type === undefined ? value : write(value, type, introspection)]
  })
  return Object.fromEntries(entries)
}

function write(value: unknown, type: string, introspection: Introspection): unknown {
  if (/^jsonb?$/.test(type)) return typeof value === 'string' ? JSON.stringify(value) : value
  if (type.endsWith('[]')) return Array.isArray(value) ? writeArray(value, type, introspection) : value
  const fields = isObject(value) ? findFields(type, introspection) : undefined
  return isObject(value) && fields ? writeRecord(value, fields, introspection) : value
}

/** `{1,"a b",NULL}` */
function writeArray(items: unknown[], type: string, introspection: Introspection): string {
  const texts = items.map((item) => {
    if (Array.isArray(item)) return writeArray(item, type, introspection)
    return item === null ? 'NULL' : quote(write(item, type.slice(0, -2), introspection))
  })
  return `{${texts.join(',')}}`
}

type Field = { name: string; type: string }

/** `(1,"a b",)` */
function writeRecord(value: Record<string, unknown>, fields: Field[], introspection: Introspection): string {
  const texts = fields.map(({ name, type }) => {
    const member = value[name] ?? null
    return member === null ? '' : quote(write(member, type, introspection))
  })
  return `(${texts.join(',')})`
}

function quote(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return `"${text.replace(/(["\\])/g, '\\$1')}"`
}

/** The columns of a composite type or of a table's row type; undefined for any other type. */
function findFields(type: string, { custom_types, columns }: Introspection): Field[] | undefined {
  const [name = '', schema = 'public'] = type.replaceAll('"', '').split('.').reverse()
  const fields = custom_types.find((one) => one.type === name && one.schema === schema)?.fields
  if (fields) return fields
  const ofTable = columns.filter((column) => column.table === name && column.schema === schema)
  return ofTable.length > 0 ? ofTable.map((column) => ({ name: column.name, type: column.type })) : undefined
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
