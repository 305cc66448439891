import { parametersIn } from '../../../words/fill-template.ts'
import { canonicalJson } from '../../core/canonical-json.ts'
import { parameterAt } from '../../core/json-path.ts'
import type { ToolSpecification } from '../../core/tool-specification.ts'
import type { LiveWrite } from '../../core/write.ts'
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
const unnamedMs = 12 * 3_600_000
/** How long equal values from the user are enough for those. */
const unnamedSourcedMs = 10 * 60_000
/** How long a write to the same people is asked about, unless the user has typed something new since. */
export const otherWordsMs = 12 * 3_600_000

export function meaningOf(
  tool: ToolSpecification | undefined,
  args: Arguments,
  user: AgentContext['user'] = {},
): Meaning {
  if (!tool) return { sourced: '', named: '', people: [], answers: '', repeats: false }
  const values = sourcedValues(tool, args).filter(({ source }) => source === 'conversation')
  const sourced = values.map(({ path, value }) => [parameterAt(path), foldValue(value)] as const)
  const known = new Set(sourced.map(([name]) => name))
  const more = parametersIn(tool.confirm ?? '').filter((name) => !known.has(name) && args[name] !== undefined)
  const others = more.map((name) => [name, foldValue(args[name])] as const)
  return {
    sourced: sourced.length === 0 ? '' : list(sourced),
    named: others.length === 0 ? '' : list([...sourced, ...others]),
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
function meansTheSame(a: ComparedWrite, b: ComparedWrite): boolean {
  if (canonicalJson(a.arguments) === canonicalJson(b.arguments)) return true
  if (a.sourced !== '' || b.sourced !== '') return a.sourced === b.sourced
  const names = new Set([...Object.keys(a.arguments), ...Object.keys(b.arguments)])
  const equal = [...names].filter(
    (name) => canonicalJson(a.arguments[name]) === canonicalJson(b.arguments[name]),
  )
  return equal.length > 0 && equal.length * 2 >= names.size
}

/** A write of the same tool that was, or may have been, carried out before. */
export interface EarlierClaim extends ComparedWrite {
  status: LiveWrite['status']
  repetition: number
  /** Milliseconds since it was claimed. */
  ageMs: number
  /** Of the same turn, whose model has seen its outcome. */
  isOfTurn: boolean
  /** It was claimed after the item was asked that the new one comes from. */
  isAfterItem: boolean
}

/** A write that is about to be claimed. */
export interface NewClaim extends ComparedWrite {
  repetition: number
  /** Whether its client says which requests belong to one chat. */
  isNamed: boolean
}

/**
 * Whether a write counts as the same as an earlier one, so that its user is asked first. The database's rule is
 * `askback_private.same_write`: the cases of `support/same-writes.json` run against both.
 */
export function isSameWrite(earlier: EarlierClaim, write: NewClaim): boolean {
  const { ageMs, status, isOfTurn } = earlier
  const { sourced, repeats, isNamed } = write
  const isEqual = canonicalJson(earlier.arguments) === canonicalJson(write.arguments)
  // The claim's key tells equal writes of one turn apart, and which of them was approved.
  if (isOfTurn && isEqual) return earlier.repetition >= write.repetition
  // Of another request, which may be this one in other words.
  if (!isNamed && !isOfTurn && ageMs >= unnamedMs) return false
  const isRecent = ageMs < samenessMs
  const means = meansTheSame(earlier, write)
  if (status !== 'succeeded') return means && (status === 'running' || isRecent)
  if (earlier.isAfterItem) return means
  // A model that has seen the outcome of the first one means another one, unless it goes to the same people.
  if (isOfTurn) return means && !repeats && sourced !== ''
  if (repeats) return false
  if (means && !isNamed && ageMs < unnamedSourcedMs && sourced !== '') return true
  // In a later turn also everything that its question names.
  return isRecent && (isEqual || (means && write.named !== '' && write.named === earlier.named))
}

/** Whether two calls go to different people, nobody of them the same. */
export function goToOthers(tool: ToolSpecification | undefined, a: Arguments, b: Arguments): boolean {
  const [some, others] = [a, b].map((args) =>
    (tool ? sourcedValues(tool, args) : []).flatMap(({ value }) => foldPerson(value)),
  )
  if (!some?.length || !others?.length) return false
  return !others.some((person) => some.includes(person))
}

/** A person or amount as it is compared: addresses without the names beside them. */
function foldPerson(value: unknown): string[] {
  return (typeof value === 'string' && readAddresses(value)) || [foldValue(value)]
}
