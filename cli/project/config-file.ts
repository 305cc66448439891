import { isDeepStrictEqual } from 'node:util'
import { type AST, getStaticTOMLValue, ParseError, parseTOML } from 'toml-eslint-parser'
import { Refusal } from '../command/refusal.ts'
import { lineEndOf } from './line-ends.ts'
import { type Marks, withBlock, withoutBlock } from './marked-block.ts'

const marks: Marks = {
  first: '# Askback: `npx askback add` writes what is between this line and the one that ends it.',
  last: '# Askback ends here.',
}
const schema = 'askback'
/** What the Supabase CLI exposes where a project says nothing. */
const defaults = ['public', 'graphql_public']
const ownLine = `schemas = [${[...defaults, schema].map((name) => JSON.stringify(name)).join(', ')}]`

const reason = "# Askback's functions verify tokens themselves."

type Values = Record<string, unknown>

/**
 * `config.toml` with our functions in one block and our schema among the exposed ones; everything else stays byte for
 * byte.
 * @throws {Refusal} if it cannot be read, a function has a table outside of the block, or the result says something else
 */
export function withAskback(text: string, slugs: readonly string[]): string {
  const others = withoutBlock(text, marks)
  const before = read(others)
  const taken = slugs.find((slug) => Object.hasOwn((before.functions ?? {}) as Values, slug))
  if (taken !== undefined) {
    throw new Refusal(
      `supabase/config.toml has [functions.${taken}] already. Remove it, or give ours another name with --name.`,
    )
  }
  const tables = slugs.map((slug) => `[functions.${slug}]\nverify_jwt = false\n`)
  if (tables[0] !== undefined) tables[0] = `${reason}\n${tables[0]}`
  if (before.api === undefined) tables.unshift(`[api]\n${ownLine}\n`)
  const result = withBlock(exposeSchema(text, others), marks, tables.join('\n'))
  requireMeaning(result, expected(before, slugs))
  return result
}

/** `config.toml` as it was before, whatever else has changed in it since. */
export function withoutAskback(text: string): string {
  const others = withoutBlock(text, marks)
  const result = hideSchema(others)
  const before = read(others)
  for (const api of apisOf(before)) {
    if (Array.isArray(api.schemas)) api.schemas = api.schemas.filter((name) => name !== schema)
  }
  const after = read(result)
  const isDefault = isDeepStrictEqual((before.api as Values | undefined)?.schemas, defaults)
  if (isDefault && (after.api as Values | undefined)?.schemas === undefined) {
    delete (before.api as Values).schemas
  }
  if (!isDeepStrictEqual(after, before)) throw notPossible()
  return result
}

function expected(before: Values, slugs: readonly string[]): Values {
  const result = structuredClone(before)
  const ours = Object.fromEntries(slugs.map((slug) => [slug, { verify_jwt: false }]))
  result.functions = { ...(result.functions as Values | undefined), ...ours }
  result.api = { ...(result.api as Values | undefined) }
  const api = result.api as Values
  api.schemas ??= defaults
  for (const one of apisOf(result)) {
    const names = one.schemas
    if (Array.isArray(names) && !names.includes(schema)) one.schemas = [...names, schema]
  }
  return result
}

/** The table `api`, and those of the branches. */
function apisOf({ api, remotes }: Values): Values[] {
  const branches = Object.values((remotes ?? {}) as Values).map((remote) => (remote as Values).api)
  return [api, ...branches].filter((one) => one !== undefined) as Values[]
}

function requireMeaning(text: string, meaning: Values): void {
  if (!isDeepStrictEqual(read(text), meaning)) throw notPossible()
}

function notPossible(): Refusal {
  return new Refusal(
    'supabase/config.toml is written in a way that cannot be changed safely. Nothing was changed. Bring the list api.schemas into the form schemas = ["public"] below [api], and run this again.',
  )
}

function read(text: string): Values {
  return getStaticTOMLValue(parse(text)) as Values
}

function parse(text: string): AST.TOMLProgram {
  try {
    return parseTOML(text)
  } catch (cause) {
    if (!(cause instanceof ParseError)) throw cause
    throw new Refusal(`supabase/config.toml cannot be read: line ${cause.lineNumber}, ${cause.message}.`)
  }
}

interface Place {
  path: string[]
  value: AST.TOMLContentNode
}

/** Every value with its path, also those in inline tables. */
function places(text: string): Place[] {
  const found: Place[] = []
  const add = (before: (string | number)[], { key, value }: AST.TOMLKeyValue) => {
    const path = [
      ...before.map(String),
      ...key.keys.map((one) => (one.type === 'TOMLBare' ? one.name : one.value)),
    ]
    found.push({ path, value })
    if (value.type === 'TOMLInlineTable') for (const one of value.body) add(path, one)
  }
  for (const node of parse(text).body[0].body) {
    if (node.type === 'TOMLKeyValue') add([], node)
    else for (const one of node.body) add(node.resolvedKey, one)
  }
  return found
}

function schemaLists(text: string): (Place & { value: AST.TOMLArray })[] {
  return places(text).filter((place): place is Place & { value: AST.TOMLArray } => {
    const path = place.path.join('\0')
    return place.value.type === 'TOMLArray' && /^(?:remotes\0[^\0]*\0)?api\0schemas$/.test(path)
  })
}

/** Adds our schema to every list that lacks it. `others` is the text without our block. */
function exposeSchema(text: string, others: string): string {
  const lists = schemaLists(text).filter(({ value }) => !elementOf(value))
  let result = text
  // From the end, so that the ranges before stay right.
  for (const { value } of lists.reverse()) {
    const [last, lastButOne] = [value.elements.at(-1), value.elements.at(-2)]
    const isBroken = last && lastButOne && text.slice(lastButOne.range[1], last.range[0]).includes('\n')
    const indent = last ? text.slice(text.lastIndexOf('\n', last.range[0]) + 1, last.range[0]) : ''
    const gap = isBroken && indent.trim() === '' ? `,${lineEndOf(text)}${indent}` : ', '
    const at = last ? last.range[1] : value.range[0] + 1
    result = `${result.slice(0, at)}${last ? gap : ''}${JSON.stringify(schema)}${result.slice(at)}`
  }
  const isSaid = places(others).some(({ path }) => path.join('.') === 'api.schemas')
  return isSaid
    ? result
    : result.replace(/^\[api\][^\S\n]*(?:#[^\n]*)?\n/m, (line) => `${line}${ownLine}${lineEndOf(text)}`)
}

/** Takes our schema out of every list again. */
function hideSchema(text: string): string {
  const line = new RegExp(
    `^(\\[api\\][^\\S\\n]*(?:#[^\\n]*)?\\n)${ownLine.replace(/[[\]]/g, '\\$&')}\\r?\\n`,
    'm',
  )
  let result = text.replace(line, '$1')
  for (const { value } of schemaLists(result).reverse()) {
    const element = elementOf(value)
    if (!element) continue
    const index = value.elements.indexOf(element)
    const [before, after] = [value.elements[index - 1], value.elements[index + 1]]
    const start = before ? before.range[1] : element.range[0]
    const end = before || !after ? element.range[1] : after.range[0]
    result = result.slice(0, start) + result.slice(end)
  }
  return result
}

function elementOf({ elements }: AST.TOMLArray): AST.TOMLContentNode | undefined {
  return elements.find((one) => one.type === 'TOMLValue' && one.kind === 'string' && one.value === schema)
}
