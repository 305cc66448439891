import { z } from 'zod'
import type { JsonSchema } from '../../../../shared/engine/core/json-schema.ts'
import { isObject } from '../../../../shared/engine/core/json-value.ts'
import type { ToolSpecification } from '../../../../shared/engine/core/tool-specification.ts'
import { compileSchema } from '../../../../shared/engine/schema/compile-schema.ts'
import type { CallRpc } from '../../../../shared/server/database/call-rpc.ts'
import type { SqlRefusal } from './sql-refusal.ts'

/** The call that was refused. */
export interface RefusedCall {
  tool: ToolSpecification
  args: Record<string, unknown>
  rpc: CallRpc
}

/** What a refusal is about, as far as the caller can do something about it. */
export interface Named {
  /** Names of the arguments. */
  parameters: string[]
  /** What a violated check says about a value. */
  schema: JsonSchema
  /** The words in a constraint's name beyond its table and columns. */
  rule: string
}

export const nothing: Named = { parameters: [], schema: {}, rule: '' }

const constraintSchema = z
  .object({
    relation: z.string().nullable(),
    columns: z.array(z.string()),
    arguments: z.array(z.string()),
    schema: z.custom<JsonSchema>(isObject),
  })
  .nullable()

/** Asks the database for the arguments behind the constraint that a PostgreSQL message names last. */
export async function findByConstraint({ message }: SqlRefusal, call: RefusedCall): Promise<Named> {
  const { tool, rpc } = call
  const constraint = /constraint "([^"]+)"/.exec(message)?.[1]
  if (constraint === undefined) return nothing
  // If there are two, the last one belongs to the constraint: `delete on table "projects" violates … on table "tickets"`.
  const [, relation = null] = [...message.matchAll(/(?:relation|table) "([^"]+)"/g)].at(-1) ?? []
  const found = constraintSchema.parse(
    await rpc('describe_constraint', {
      p_tool_name: tool.name,
      p_constraint: constraint,
      p_relation: relation,
    }),
  )
  const { schema = {}, columns = guessColumns(constraint, tool) } = found ?? {}
  const meant = [...(found?.arguments ?? []), ...columns.flatMap((column) => findArgument(column, tool))]
  const parameters = meant.length > 0 ? [...new Set(meant)] : findUnfit(schema, call)
  return { parameters, schema, rule: nameRule(constraint, found?.relation ?? relation ?? '', columns) }
}

/** The only argument that a check rejects: for domains that the function uses internally. */
function findUnfit(schema: JsonSchema, { args }: RefusedCall): string[] {
  const { isValid } = compileSchema(schema)
  const unfit = Object.keys(args).filter((name) => !isValid(args[name]))
  return unfit.length === 1 ? unfit : []
}

/** The argument for a column that got no value: `null value in column "priority" of relation "tickets" …`. */
export function findByColumn({ message }: SqlRefusal, { tool }: RefusedCall): Named {
  const column = /column "([^"]+)"/.exec(message)?.[1]
  return column === undefined ? nothing : { ...nothing, parameters: findArgument(column, tool) }
}

/**
 * The argument whose value PostgreSQL repeats (`invalid input syntax for type uuid: "abc"`), with the type that the
 * function converts it to, or the one that is too long.
 */
export async function findByValue({ message }: SqlRefusal, { args, rpc }: RefusedCall): Promise<Named> {
  const quoted = /"([^"]*)"/g
  const said = [...message.matchAll(quoted)].map(([, value]) => value)
  const longest = Number(/too long for type character(?: varying)?\((\d+)\)/.exec(message)?.[1] ?? Number.NaN)
  const isMeant = (value: unknown): boolean => {
    if (Array.isArray(value)) return value.some(isMeant)
    if (typeof value === 'string' && value.length > longest) return true
    return (typeof value === 'string' || typeof value === 'number') && said.includes(String(value))
  }
  const meant = Object.keys(args).filter((name) => isMeant(args[name]))
  if (meant.length !== 1) return nothing
  const type = /^invalid input (?:syntax for type|value for enum) (.+): "/.exec(message)?.[1]
  const described = type === undefined ? null : await rpc('describe_type', { p_type_name: type })
  // Don't ask for a number if the function takes text.
  const isText = isObject(described) && described.type === 'string'
  const limit = Number.isNaN(longest) ? {} : { maxLength: longest }
  return { ...nothing, parameters: meant, schema: isText ? described : limit }
}

/** `p_title`, `title_` and `title` all set the column `title`; `project` sets `project_id`. */
function findArgument(column: string, { parameters }: ToolSpecification): string[] {
  const names = Object.keys(parameters.properties ?? {})
  const wanted = stripName(column)
  const same = names.filter((name) => stripName(name) === wanted)
  if (same.length > 0) return same.slice(0, 1)
  return names.filter((name) => `${stripName(name)}_id` === wanted).slice(0, 1)
}

function stripName(name: string): string {
  return name.toLowerCase().replace(/^(?:p|in|arg|new)?_(?=.)|_$/g, '')
}

/** Guesses from the name, if the database cannot tell: `tickets_priority_check`, as PostgreSQL itself names constraints. */
function guessColumns(constraint: string, { parameters }: ToolSpecification): string[] {
  const words = `_${constraint.toLowerCase()}_`
  const names = Object.keys(parameters.properties ?? {}).filter((name) =>
    words.includes(`_${stripName(name)}_`),
  )
  return names.sort((a, b) => b.length - a.length).slice(0, 1)
}

/** The endings of constraint names. */
const kinds = /^(?:check|key|fkey|pkey|excl|idx|index|unique|constraint|chk|uq|fk|\d+)$/

/** `tickets_due_date_not_past_check` of the column `due_date` gives `due date not past`; `tickets_due_date_check` nothing. */
function nameRule(constraint: string, relation: string, columns: readonly string[]): string {
  const name = constraint.toLowerCase()
  const own = name.startsWith(`${relation.toLowerCase()}_`) ? name.slice(relation.length + 1) : name
  const words = own.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '' && !kinds.test(word))
  const known = new Set(columns.flatMap((column) => column.toLowerCase().split('_')))
  return words.every((word) => known.has(word)) ? '' : words.join(' ')
}
