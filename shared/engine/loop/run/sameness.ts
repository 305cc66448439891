import { parametersIn } from '../../../words/fill-template.ts'
import { canonicalJson } from '../../core/canonical-json.ts'
import { parameterAt } from '../../core/json-path.ts'
import type { ToolSpecification } from '../../core/tool-specification.ts'
import { answeredId } from '../../provenance/answered-mail.ts'
import { type SourcedValue, sourcedValues } from '../../provenance/sourced-values.ts'
import { meansAddress, readAddresses } from '../../provenance/value-kind.ts'
import type { AgentContext } from '../../tools/agent.ts'

type Arguments = Record<string, unknown>

/** Recognises a write that is worded differently. Compared as text, also by the database. */
export interface Meaning {
  /** The values that must come from the user; `''` if the tool has none. */
  sourced: string
  /** These and what the tool's `confirm` names; `''` if it names no more. */
  named: string
  /** The values that must come from the user, in whatever place, without the user's own addresses. */
  people: string[]
  /** The id of the email that it replies to; `''` if it is no reply. */
  answers: string
  /** Doing it again in a later turn is normal. */
  repeats: boolean
}

/** How long an equal write of an earlier message is asked about, in milliseconds. */
export const samenessMs = 24 * 3_600_000
/** The same for clients that do not name their chat: any of their requests may be an earlier one in other words. */
export const unnamedMs = 12 * 3_600_000
/** How long equal values from the user are enough for those. */
export const unnamedSourcedMs = 10 * 60_000
/** How long a write to the same people is asked about, unless the user has typed something new since. */
export const otherWordsMs = 12 * 3_600_000

export function meaningOf(
  tool: ToolSpecification | undefined,
  args: Arguments,
  user: AgentContext['user'] = {},
): Meaning {
  if (!tool) return { sourced: '', named: '', people: [], answers: '', repeats: false }
  const values = sourcedValues(tool.parameters, args).filter(({ source }) => source === 'conversation')
  const sourced = values.map(({ path, value }) => [parameterAt(path), foldValue(value)] as const)
  const known = new Set(sourced.map(([name]) => name))
  const more = parametersIn(tool.confirm ?? '').filter((name) => !known.has(name) && args[name] !== undefined)
  const told = more.map((name) => [name, foldValue(args[name])] as const)
  return {
    sourced: sourced.length === 0 ? '' : list(sourced),
    named: told.length === 0 ? '' : list([...sourced, ...told]),
    people: peopleOf(values, user),
    answers: answeredId(tool, args) ?? '',
    repeats: tool.repeats === true,
  }
}

function peopleOf(
  values: readonly SourcedValue[],
  { email, accounts = [] }: NonNullable<AgentContext['user']>,
) {
  const own = [email ?? '', ...accounts].flatMap((address) => readAddresses(address) ?? [])
  const people = values.flatMap((value) => {
    const addresses = meansAddress(value) ? readAddresses(String(value.value)) : undefined
    return (
      addresses ?? [
        foldValue(value.value)
          .normalize('NFKC')
          .replace(/[\s()/-]+/g, ''),
      ]
    )
  })
  return [...new Set(people)].filter((person) => !own.includes(person)).sort()
}

/** Sorted: two recipients in another order are the same two. */
function list(values: readonly (readonly [string, string])[]): string {
  return canonicalJson([...new Set(values.map((value) => canonicalJson(value)))].sort())
}

/** A value as it is compared: the same in another spelling is the same. */
export function foldValue(value: unknown): string {
  return typeof value === 'string' ? value.trim().toLowerCase() : canonicalJson(value)
}

/** The parts of a write that are compared. */
export interface ComparedWrite extends Meaning {
  arguments: Arguments
}

/** Whether two calls of a tool would do the same, however they are worded. */
export function isSameEffect(tool: ToolSpecification | undefined, a: Arguments, b: Arguments): boolean {
  return meansTheSame({ ...meaningOf(tool, a), arguments: a }, { ...meaningOf(tool, b), arguments: b })
}

/** The same sourced values; for a tool without any, half of the arguments. */
export function meansTheSame(a: ComparedWrite, b: ComparedWrite): boolean {
  if (isEqual(a, b)) return true
  if (a.sourced !== '' || b.sourced !== '') return a.sourced === b.sourced
  const names = new Set([...Object.keys(a.arguments), ...Object.keys(b.arguments)])
  const equal = [...names].filter(
    (name) => canonicalJson(a.arguments[name]) === canonicalJson(b.arguments[name]),
  )
  return equal.length > 0 && equal.length * 2 >= names.size
}

/** The same in a later turn: also everything that its question names. */
export function saysTheSame(a: ComparedWrite, b: ComparedWrite): boolean {
  return isEqual(a, b) || (a.named !== '' && a.named === b.named && meansTheSame(a, b))
}

export function isEqual(a: ComparedWrite, b: ComparedWrite): boolean {
  return canonicalJson(a.arguments) === canonicalJson(b.arguments)
}

/** Whether two calls go to different people, nobody of them the same. */
export function goToOthers(tool: ToolSpecification | undefined, a: Arguments, b: Arguments): boolean {
  const [some, others] = [a, b].map((args) =>
    sourcedValues(tool?.parameters ?? {}, args).flatMap(({ value }) => foldPerson(value)),
  )
  if (!some?.length || !others?.length) return false
  return !others.some((person) => some.includes(person))
}

/** A person or amount as it is compared: addresses without the names beside them. */
function foldPerson(value: unknown): string[] {
  return (typeof value === 'string' && readAddresses(value)) || [foldValue(value)]
}
