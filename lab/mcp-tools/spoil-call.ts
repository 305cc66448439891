import type { ToolSpecification } from '../../shared/engine/core/tool-specification.ts'
import { compileSchema } from '../../shared/engine/schema/compile-schema.ts'
import { listAlternatives, schemaAt } from '../../shared/engine/schema/resolve-schema.ts'
import type { Arguments, Random } from './valid-call.ts'

/** A valid call as a model may have written it. */
export interface SpoiledCall {
  kind:
    | 'valid'
    | 'missing'
    | 'wrong type'
    | 'wrapped'
    | 'unwrapped'
    | 'as text'
    | 'cut'
    | 'other name'
    | 'extra key'
    | 'other tool name'
  name: string
  /** As it was written. */
  raw: string
  /** What was written, unless it was cut. */
  sent?: unknown
}

/** Every way in which a valid call of a tool comes wrong; the valid call first. */
export function* spoilCall(tool: ToolSpecification, args: Arguments, random: Random): Generator<SpoiledCall> {
  const make = (kind: SpoiledCall['kind'], sent: unknown, name = tool.name): SpoiledCall => ({
    kind,
    name,
    raw: JSON.stringify(sent),
    sent,
  })
  yield make('valid', args)
  for (const sent of missing(tool, args)) yield make('missing', sent)
  for (const sent of ofWrongType(tool, args)) yield make('wrong type', sent)
  for (const sent of wrapped(args)) yield make('wrapped', sent)
  for (const sent of unwrapped(args)) yield make('unwrapped', sent)
  for (const sent of asText(args)) yield make('as text', sent)
  for (const sent of underOtherNames(args)) yield make('other name', sent)
  for (const sent of withMore(tool, args)) yield make('extra key', sent)
  for (const name of otherSpellings(tool.name)) yield make('other tool name', args, name)
  const whole = JSON.stringify(args)
  for (let count = 0; count < 4 && whole.length > 2; count++) {
    yield { kind: 'cut', name: tool.name, raw: whole.slice(0, 1 + random(whole.length - 1)) }
  }
}

function* missing({ parameters }: ToolSpecification, args: Arguments): Generator<Arguments> {
  for (const name of compileSchema(parameters).flat.required ?? []) {
    const { [name]: _, ...rest } = args
    if (name in args) yield rest
  }
}

/** Nothing that could be read as a value of another type. */
const strangers: readonly unknown[] = [
  { first: 'neither', second: 'of them' },
  'neither of them',
  12.5,
  true,
  [[true]],
]

function* ofWrongType({ parameters }: ToolSpecification, args: Arguments): Generator<Arguments> {
  const compiled = compileSchema(parameters)
  for (const name of Object.keys(args)) {
    const place = schemaAt(compiled.root, [name])
    const fits = (value: unknown) => compiled.isValidFor(place, value)
    const stranger = strangers.find((value) => ![value, [value], String(value), [String(value)]].some(fits))
    if (stranger !== undefined) yield { ...args, [name]: stranger }
  }
}

function* wrapped(args: Arguments): Generator<unknown> {
  for (const wrapper of ['params', 'arguments', 'input']) if (!(wrapper in args)) yield { [wrapper]: args }
  for (const [name, value] of Object.entries(args)) {
    yield { ...args, [name]: [value] }
    yield { ...args, [name]: { value } }
  }
}

function* unwrapped(args: Arguments): Generator<unknown> {
  for (const [name, value] of Object.entries(args)) {
    if (Array.isArray(value) && value.length === 1) yield { ...args, [name]: value[0] }
    if (typeof value !== 'object' || value === null || Array.isArray(value)) continue
    const { [name]: _, ...others } = args
    yield { ...others, ...value }
    const [only, another] = Object.values(value)
    if (only !== undefined && another === undefined) yield { ...args, [name]: only }
  }
}

function* asText(args: Arguments): Generator<unknown> {
  yield JSON.stringify(args)
  for (const [name, value] of Object.entries(args)) {
    if (typeof value !== 'string' && value !== null) yield { ...args, [name]: JSON.stringify(value) }
  }
}

/** Words that models use for each other. */
const synonyms: Readonly<Record<string, string>> = {
  content: 'text',
  text: 'content',
  path: 'file',
  query: 'search',
  name: 'title',
  title: 'name',
  message: 'body',
  body: 'message',
  limit: 'count',
  url: 'link',
}

function* underOtherNames(args: Arguments): Generator<Arguments> {
  for (const name of Object.keys(args)) {
    const others = [...otherSpellings(name), ...(synonyms[name] ? [synonyms[name]] : [])]
    for (const other of others) if (!(other in args)) yield rename(args, name, other)
  }
}

function rename(args: Arguments, from: string, to: string): Arguments {
  return Object.fromEntries(Object.entries(args).map(([name, value]) => [name === from ? to : name, value]))
}

/** `fileName`, `file_name`, `file-name`, `FileName`. */
function otherSpellings(name: string): string[] {
  const parts = name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .split(/[\s_-]+/)
    .map((part) => part.toLowerCase())
  const capital = (part: string) => part.charAt(0).toUpperCase() + part.slice(1)
  const pascal = parts.map(capital).join('')
  const camel = pascal.charAt(0).toLowerCase() + pascal.slice(1)
  return [...new Set([parts.join('_'), parts.join('-'), camel, pascal])].filter((one) => one !== name)
}

function* withMore({ parameters }: ToolSpecification, args: Arguments): Generator<Arguments> {
  const { root } = compileSchema(parameters)
  const more = { confidence_note: 'sure', reasoning_steps: ['first'] }
  yield { ...args, ...more }
  for (const [name, value] of Object.entries(args)) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) continue
    // Where nothing is declared, any name is one of its own.
    const isDeclared = listAlternatives(root, schemaAt(root, [name])).some(({ properties }) => properties)
    if (isDeclared) yield { ...args, [name]: { ...value, ...more } }
  }
}
