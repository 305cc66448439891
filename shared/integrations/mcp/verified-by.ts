import { isObject } from '../../engine/core/json-value.ts'
import { isFilled } from '../../words/fill-template.ts'
import type { ForeignTool } from './foreign-tool.ts'

/** What tells whether a call has happened whose answer was lost: another tool of the same server, and what its result says then. */
export interface VerifiedBy {
  /** Its arguments. In a text `{title}` stands for the argument `title` of the call. */
  arguments: Record<string, unknown>
  /** Stands in its result once the call has happened, and not before; with `{title}`, too. */
  found: string
}

/** Why a tool cannot tell what became of calls of another one. */
export type VerifierFault =
  | { why: 'not_a_read' }
  /** Of the tool that is to tell: it has no such argument, or cannot do without it. */
  | { why: 'no_argument' | 'argument_missing'; argument: string }
  /** Of the tool whose calls are looked for. */
  | { why: 'no_such_value'; argument: string }
  | { why: 'same_for_all' }

const place = /\{([^{}]{1,200})\}/g
const onlyPlace = /^\{([^{}]{1,200})\}$/

/** Whether its server says that it changes nothing. Whoever names it to tell what happened believes that. */
export function onlyReads({ annotations }: ForeignTool): boolean {
  return annotations.readOnlyHint === true && annotations.destructiveHint !== true
}

/** What is wrong with a reader for the calls of a tool, by the definitions of both; undefined if nothing is. */
export function verifierFault(
  { arguments: args, found }: VerifiedBy,
  tool: ForeignTool,
  reader: ForeignTool,
): VerifierFault | undefined {
  if (!onlyReads(reader)) return { why: 'not_a_read' }
  const { inputSchema } = reader
  const unknown = Object.keys(args).find((name) => !takes(inputSchema, name))
  if (unknown !== undefined) return { why: 'no_argument', argument: unknown }
  const missing = namesIn(inputSchema.required).find((name) => !Object.hasOwn(args, name))
  if (missing !== undefined) return { why: 'argument_missing', argument: missing }
  const [inFound, inArguments] = [placesIn(found), placesIn(args)]
  const strange = [...inFound, ...inArguments].find((name) => !takes(tool.inputSchema, name))
  if (strange !== undefined) return { why: 'no_such_value', argument: strange }
  return inFound.length === 0 ? { why: 'same_for_all' } : undefined
}

function takes({ properties }: ForeignTool['inputSchema'], name: string): boolean {
  return isObject(properties) && Object.hasOwn(properties, name)
}

function namesIn(required: unknown): string[] {
  return Array.isArray(required) ? required.map(String) : []
}

/** The arguments of the call that stand in a value. */
function placesIn(value: unknown): string[] {
  if (typeof value === 'string') return [...value.matchAll(place)].map(([, name = '']) => name)
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(placesIn)
}

/**
 * The same with the values of a call in it; undefined if the call lacks one, or those in `found` are too short to be found by.
 *
 * @example
 * const by = { arguments: { query: '{title}', state: 'open' }, found: '{title}' }
 * searchFor(by, { title: 'Broken login' }) // => { arguments: { query: 'Broken login', state: 'open' }, found: 'Broken login' }
 * searchFor(by, { title: '7' }) // => undefined
 */
export function searchFor(
  { arguments: args, found }: VerifiedBy,
  call: Readonly<Record<string, unknown>>,
): VerifiedBy | undefined {
  const text = fillText(found, call)
  const isTold = placesIn(found).some((name) => isTelling(textOf(valueIn(call, name)) ?? ''))
  const filled = fill(args, call)
  return text !== undefined && isTold && isObject(filled) ? { arguments: filled, found: text } : undefined
}

/** Numbers of a few digits stand in every other result: in its dates, sizes and ids. */
function isTelling(text: string): boolean {
  const { length } = [...text.trim()]
  return length >= (/\p{L}/u.test(text) ? 4 : 8)
}

/** The value with those of a call in their places; undefined if the call lacks one. */
function fill(value: unknown, call: Readonly<Record<string, unknown>>): unknown {
  if (typeof value === 'string') {
    // A place that is the whole text gets the value as it is, such as a list.
    const only = onlyPlace.exec(value)?.[1]
    return only === undefined ? fillText(value, call) : valueIn(call, only)
  }
  if (typeof value !== 'object' || value === null) return value
  const filled = Object.entries(value).map(([name, member]) => [name, fill(member, call)] as const)
  if (filled.some(([, member]) => member === undefined)) return undefined
  return Array.isArray(value) ? filled.map(([, member]) => member) : Object.fromEntries(filled)
}

function fillText(template: string, call: Readonly<Record<string, unknown>>): string | undefined {
  const texts = new Map(placesIn(template).map((name) => [name, textOf(valueIn(call, name))]))
  if ([...texts.values()].includes(undefined)) return undefined
  return template.replace(place, (_, name: string) => texts.get(name) ?? '')
}

/** Undefined if the call has no such value, or it says nothing. */
function valueIn(call: Readonly<Record<string, unknown>>, name: string): unknown {
  const value = Object.hasOwn(call, name) ? call[name] : undefined
  const isBlank = typeof value === 'string' && value.trim() === ''
  return isFilled(value) && !isBlank ? value : undefined
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
}
