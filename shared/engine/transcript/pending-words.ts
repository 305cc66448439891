import { fieldOf, sayForm, titleAt } from '../../words/form-words.ts'
import type { Language } from '../../words/language.ts'
import { joinParts, saidParts, sayButton, sayOwn, says, showOf, toolOf } from '../../words/say.ts'
import { dots } from '../../words/show.ts'
import { parsePath } from '../core/json-path.ts'
import { tellWhen } from '../wording/tell-when.ts'
import type { Pending } from './answer.ts'

/** An open item in the language of its reader. `open`: the paths that are still to be filled in. */
export function sayPending(language: Language, pending: Pending, open: readonly string[]): Pending {
  const { toolName, code, codeValues, schema, values = {}, button, confirm, alsoNeeded, why } = pending
  const { remember, stillWaiting = [], changed } = pending
  if (!says(language, [code, why?.code, ...stillWaiting.map((one) => one.code)]))
    return withOwnTime(language, pending)
  const own = toolOf(language, toolName)
  const title = own?.title ?? pending.title
  // What is still to be filled in stands as three dots.
  const shown = why ? withDots(values, open) : values
  const ownButton = button === undefined ? undefined : sayButton(language, toolName, shown)
  const worded = {
    title,
    ...(ownButton === undefined ? {} : { button: ownButton }),
    ...(schema && own ? { schema: sayForm(own, schema) } : {}),
    ...(remember
      ? { remember: { ...remember, sentence: language.offerPermission({ ...remember, tool: title }) } }
      : {}),
  }
  const parts = saidParts(language, code, codeValues, values)
  // A sentence is in one language as a whole.
  if (!parts) return { ...withOwnTime(language, pending), ...worded }
  const whyParts = why && saidParts(language, why.code, why.values, shown)
  const also = codeValues?.also
  const fieldTitle = (path: unknown, index: number) => {
    const words = fieldOf(own, String(path))
    return words ? titleAt(words, String(path)) : (alsoNeeded?.[index] ?? String(path))
  }
  const needed = alsoNeeded && Array.isArray(also) ? also.map(fieldTitle) : alsoNeeded
  const waiting = stillWaiting.map((one) => ({ ...one, text: sayOwn(language, one) }))
  const told = waiting.map(({ text }) => text)
  const hint = [parts.because, parts.hint, whyParts?.because, ...told].filter(Boolean).join(' ')
  const more = needed && needed.length > 0 ? language.alsoNeeded(showOf(language).list(needed)) : ''
  const before = changed && joinParts(saidParts(language, 'changed', { changed }))
  const { hint: _, ...rest } = pending
  return {
    ...rest,
    ...worded,
    asked: parts.asked,
    question: [before, joinParts(parts), more, whyParts?.because, ...told].filter(Boolean).join(' '),
    ...(hint === '' ? {} : { hint }),
    ...(confirm === undefined ? {} : { confirm: (why ? whyParts?.asked : parts.asked) ?? confirm }),
    ...(needed ? { alsoNeeded: needed } : {}),
    ...(waiting.length > 0 ? { stillWaiting: waiting } : {}),
  }
}

/** The values of a call, with dots wherever its form asks for one. */
function withDots(values: Record<string, unknown>, open: readonly string[]): Record<string, unknown> {
  const shown = open.map((path): [string, unknown] => {
    const steps = parsePath(path) ?? [path]
    const name = String(steps[0])
    const known = values[name]
    if (steps.length === 1) return [name, Array.isArray(known) ? [dots] : dots]
    return [name, Array.isArray(known) ? known.map((item) => item ?? dots) : known]
  })
  return { ...values, ...Object.fromEntries(shown) }
}

/** The stored words with their time as the reader's clock shows it: it was written for the zone known then. */
function withOwnTime(language: Language, pending: Pending): Pending {
  const { at, when } = pending.codeValues ?? {}
  if (language.timeZone === undefined || typeof when !== 'string' || when === '') return pending
  if (typeof at !== 'string' || Number.isNaN(Date.parse(at))) return pending
  const moment = tellWhen(at, language.timeZone).trim()
  const own = (text: string) => text.replace(when, () => moment)
  const { question, hint } = pending
  return { ...pending, question: own(question), ...(hint === undefined ? {} : { hint: own(hint) }) }
}
