import type { ToolSpecification } from '../core/tool-specification.ts'
import { unspacedScript } from '../core/unspaced-scripts.ts'
import { isFact, isSaid } from './check-provenance.ts'
import type { Evidence, Words } from './evidence.ts'
import { isNamedPlace } from './free-places.ts'
import { isGuessable } from './guessable-value.ts'
import { asText } from './readable-text.ts'
import { type CallValue, valuesOf } from './sourced-values.ts'
import { characterAt, characterBefore } from './text-boundary.ts'
import { type NamedIn, recognise } from './value-kind.ts'
import { linksIn, namesWebAddress, sameStartPage } from './web-address.ts'

type Arguments = Record<string, unknown>
interface User {
  name?: string
  email?: string
  accounts?: string[]
}

/**
 * Whether a call holds a value that only the user can have chosen: one that nobody can guess (`isGuessable`) and that
 * they typed whole or approved lately, in this turn or since something from outside came; or whoever they wrote to
 * before, the sender whom it answers, or what stands at a trusted place. The user's own name, address
 * and accounts are no secret, and count only where they typed them. `today`: see `isGuessable`.
 */
export function hasChosenValue(
  tool: ToolSpecification,
  args: Arguments,
  evidence: Evidence,
  { user = {}, today }: { user?: User | undefined; today: readonly string[] },
): boolean {
  const lately = evidence.saidLately
  const sender = evidence.answeredSender(tool, args)
  const own = [user.name, user.email, ...(user.accounts ?? [])]
    .filter((fact) => fact !== undefined)
    .map(asText)
  return valuesOf(tool.parameters, args).some((value) => {
    if (isGuessable(value.value, today)) return false
    const isNamedIn = recognise(value)
    if (isTyped(value, isNamedIn, lately)) return true
    if (own.some(isNamedIn)) return false
    return (sender !== undefined && isNamedIn(sender)) || isFact(value, isNamedIn, evidence)
  })
}

/**
 * Whether everything in a call is the user's: typed whole or approved lately, flags and choices included. A call without
 * values is nobody's.
 */
export function isChosenWhole(tool: ToolSpecification, args: Arguments, evidence: Evidence): boolean {
  const lately = evidence.saidLately
  const values = valuesOf(tool.parameters, args, { withChoices: true })
  return values.length > 0 && values.every((value) => isTyped(value, recognise(value), lately))
}

/** The links that a call would write and that the user never has, each once. */
export function foreignLinks(tool: ToolSpecification, args: Arguments, evidence: Evidence): string[] {
  const isWritten = (link: string) => {
    const named = sameStartPage(link).map((one) => namesWebAddress(one))
    return evidence.said.some(({ text, except }) =>
      named.some((isNamedIn) => isNamedIn(text) && !isNamedIn(except)),
    )
  }
  const links = valuesOf(tool.parameters, args)
    .filter((value) => typeof value.value === 'string' && !isApproved(value, evidence.saidLately))
    .flatMap(({ value }) => linksIn(String(value)))
    .filter((readings) => !readings.some(isWritten))
  return [...new Set(links.map(([link = '']) => link))]
}

/** Whether a value is the user's own words: it stands whole in them, or a person has approved it. */
export function isTyped(value: CallValue, isNamedIn: NamedIn, said: readonly Words[]): boolean {
  if (value.source === 'seen' && isNamedPlace(String(value.value), said)) return true
  return isApproved(value, said) || isSaid(value, isNamedIn, said) || standsAmongUnspaced(value, said)
}

/** Where words are written without spaces, nothing shows where one ends: `东京` in `写一个关于东京的笔记`. */
function standsAmongUnspaced({ value, source }: CallValue, said: readonly Words[]): boolean {
  const text = asText(value)
  const edges = [characterAt(text, 0), characterBefore(text, text.length)]
  if (source !== undefined || !edges.every((edge) => unspacedScript.test(edge))) return false
  return said.some(({ text: typed, except }) => typed.includes(text) && !except.includes(text))
}

function isApproved({ value }: CallValue, said: readonly Words[]): boolean {
  return said.some(({ approved }) => approved?.has(JSON.stringify(value)))
}
