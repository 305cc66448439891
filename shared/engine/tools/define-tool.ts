import * as z from 'zod'
import { AgentError } from '../core/agent-error.ts'
import type { JsonSchema } from '../core/json-schema.ts'
import type { Look } from '../core/seen.ts'
import { ToolCallError } from '../core/tool-error.ts'
import type {
  Effect,
  ExecuteContext,
  LookContext,
  Tool,
  ToolSpecification,
  Verification,
} from '../core/tool-specification.ts'
import { judgeThrown } from './tool-outcome.ts'

type ToolParameters = z.ZodType | JsonSchema

/** The arguments of `execute`: a zod schema's output (with defaults), or the arguments as sent. */
type ArgumentsOf<Parameters extends ToolParameters> = Parameters extends z.ZodType
  ? z.output<Parameters>
  : Record<string, unknown>

export interface ToolDefinition<Parameters extends ToolParameters> {
  name: string
  title?: string
  description: string
  parameters: Parameters
  /** Defaults to `write`: a tool that is not known to be harmless is never repeated. */
  effect?: Effect
  trustedOutput?: string[]
  private?: true
  approval?: ToolSpecification['approval']
  confirm?: string
  summary?: string
  button?: string
  past?: string
  destructive?: ToolSpecification['destructive']
  repeats?: true
  reversible?: true
  emptyText?: true
  foreign?: true
  repliesTo?: string
  looks?: ToolSpecification['looks']
  maxOutputBytes?: number
  readsOn?: ToolSpecification['readsOn']
  providers?: string[]
  execute(args: ArgumentsOf<Parameters>, context: ExecuteContext): unknown
  look?(args: ArgumentsOf<Parameters>, context: LookContext): Promise<Look | undefined>
  verify?(args: ArgumentsOf<Parameters>, context: ExecuteContext): Promise<Verification>
}

/**
 * Makes a tool: a specification in plain JSON, and its implementation. With a zod schema, `execute` receives
 * parsed arguments, so refinements and transformations that JSON Schema cannot express apply too.
 *
 * Throws an AgentError of kind `configuration` for a blank name, an unknown effect, an invalid number of bytes, or
 * parameters that are not a JSON Schema of an object.
 *
 * @example
 * const tool = defineTool({
 *   name: 'get_weather',
 *   description: 'Current weather of a city',
 *   parameters: z.object({ city: z.string() }),
 *   effect: 'read',
 *   execute: ({ city }) => ({ city, sky: 'clear' }),
 * })
 * tool.specification.parameters.required
 * // => ['city']
 */
export function defineTool<Parameters extends ToolParameters>(definition: ToolDefinition<Parameters>): Tool {
  const { name, parameters, effect = 'write' } = definition
  if (typeof name !== 'string' || name.trim() === '') {
    throw new AgentError(
      'configuration',
      'A tool has no name. Please give every tool a name that is not blank.',
    )
  }
  if (effect !== 'read' && effect !== 'write') {
    throw new AgentError(
      'configuration',
      `Tool "${name}": effect is ${JSON.stringify(effect)}. Please use "read" or "write".`,
    )
  }
  const { maxOutputBytes = 1 } = definition
  if (!(Number.isInteger(maxOutputBytes) && maxOutputBytes > 0)) {
    throw new AgentError(
      'configuration',
      `Tool "${name}": maxOutputBytes is ${maxOutputBytes}. Please use a whole number of bytes above 0.`,
    )
  }
  const specification: ToolSpecification = toJson(name, {
    name,
    title: definition.title,
    description: definition.description,
    parameters: objectSchema(name, parameters),
    effect,
    trustedOutput: definition.trustedOutput,
    private: definition.private,
    approval: definition.approval,
    confirm: definition.confirm,
    summary: definition.summary,
    button: definition.button,
    past: definition.past,
    destructive: definition.destructive,
    repeats: definition.repeats,
    reversible: definition.reversible,
    emptyText: definition.emptyText,
    foreign: definition.foreign,
    repliesTo: definition.repliesTo,
    looks: definition.looks,
    maxOutputBytes: definition.maxOutputBytes,
    readsOn: definition.readsOn,
    providers: definition.providers,
  })
  const { look, verify } = definition
  return {
    specification,
    execute: (args, context) => {
      try {
        const parsed = parse<Parameters>(parameters, args, specification)
        return parsed instanceof Promise
          ? parsed.then((value) => definition.execute(value, context))
          : definition.execute(parsed, context)
      } catch (cause) {
        return Promise.reject(cause)
      }
    },
    look: look
      ? async (args, context) =>
          look.call(definition, await parse<Parameters>(parameters, args, specification), context)
      : undefined,
    verify: verify
      ? async (args, context) =>
          verify.call(definition, await parse<Parameters>(parameters, args, specification), context)
      : undefined,
  }
}

/** A promise only if the schema has asynchronous refinements. Refused arguments are a ToolCallError, in our words. */
function parse<Parameters extends ToolParameters>(
  parameters: ToolParameters,
  args: Record<string, unknown>,
  tool: ToolSpecification,
): ArgumentsOf<Parameters> | Promise<ArgumentsOf<Parameters>> {
  if (!isZodType(parameters)) return args as ArgumentsOf<Parameters>
  try {
    return parameters.parse(args) as ArgumentsOf<Parameters>
  } catch (cause) {
    if (!(cause instanceof z.core.$ZodAsyncError)) throw refusal(cause, tool, args)
    return parameters.parseAsync(args).catch((later) => {
      throw refusal(later, tool, args)
    }) as Promise<ArgumentsOf<Parameters>>
  }
}

/** The schema refused the arguments before the tool ran, so nothing has happened; any other error is the tool's own. */
function refusal(cause: unknown, tool: ToolSpecification, args: Record<string, unknown>): unknown {
  if (!(cause instanceof z.core.$ZodError)) return cause
  const refused = new Error(cause.message, { cause })
  return new ToolCallError(
    judgeThrown(refused, { tool: { ...tool, effect: 'read' }, args, effectBegan: false }),
  )
}

function isZodType(parameters: ToolParameters): parameters is z.ZodType {
  return '_zod' in parameters
}

/** The schema of a caller's input: parameters with a default are optional. */
function objectSchema(name: string, parameters: ToolParameters): JsonSchema {
  const { $schema: _, ...schema } = isZodType(parameters) ? convert(name, parameters) : parameters
  const isObject = schema.type === undefined || [schema.type].flat().includes('object')
  if (!isObject) {
    throw new AgentError(
      'configuration',
      `Tool "${name}": its parameters are of type ${JSON.stringify(schema.type)}. Please describe an object.`,
    )
  }
  return { type: 'object', ...schema }
}

function convert(name: string, schema: z.ZodType): JsonSchema {
  try {
    return z.toJSONSchema(schema, { io: 'input' }) as JsonSchema
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new AgentError(
      'configuration',
      `Tool "${name}": its parameters cannot be written as JSON Schema (${reason}). Please use types that JSON has, like z.iso.datetime() for a date.`,
      { cause },
    )
  }
}

/** A copy exactly as a database would return it. */
function toJson<T>(name: string, value: T): T {
  try {
    return JSON.parse(JSON.stringify(value)) as T
  } catch (cause) {
    throw new AgentError(
      'configuration',
      `Tool "${name}": its specification is not JSON. Please remove cycles and functions.`,
      {
        cause,
      },
    )
  }
}
