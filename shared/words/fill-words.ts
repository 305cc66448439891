import { fillTemplate, type TemplateLanguage } from './fill-template.ts'
import { wordFor } from './form-words.ts'
import type { Show } from './show.ts'
import type { Known, ToolWords, Values } from './tool-words.ts'

/** The question that asks for approval of a call; undefined if the tool has none. */
export function sayConfirm(
  own: ToolWords | undefined,
  input: Values,
  show: Show,
  known: Known,
): string | undefined {
  return fill(own, 'confirm', input, undefined, show, known)
}

/** Parts that are left out if something in them is unknown. */
const optional = /\[[^\]]*\]/g

/** What a call did; undefined if the tool has no words for it, or needs an output for them that is not known. */
export function saySummary(
  own: ToolWords | undefined,
  input: Values,
  output: unknown,
  show: Show,
  known: Known,
): string | undefined {
  if (output === undefined && needsOutput(own?.summary)) return undefined
  return fill(own, 'summary', input, output, show, known)
}

/** Whether a summary cannot be told without what the call returned. */
export function needsOutput(summary: unknown): boolean {
  return typeof summary === 'string' && summary.replace(optional, '').includes('{output')
}

/** Characters on a button. */
const longestVerb = 40

/** The verb on the button; undefined if the tool has none. */
export function sayVerb(own: ToolWords | undefined, input: Values, show: Show): string | undefined {
  const verb = fill(own, 'button', input, undefined, show, {})
  return verb && verb.length > longestVerb ? `${verb.slice(0, longestVerb - 1)}…` : verb
}

/** What a call is once it is made, after "already" or "not"; undefined if the tool has no word for it. */
export function sayPast(own: ToolWords | undefined, input: Values, show: Show): string | undefined {
  return fill(own, 'past', input, undefined, show, {})
}

function fill(
  own: ToolWords | undefined,
  part: 'confirm' | 'summary' | 'button' | 'past',
  args: Values,
  output: unknown,
  show: Show,
  known: Known,
): string | undefined {
  const template = own?.[part]
  if (typeof template !== 'string') return undefined
  return fillTemplate(template, { args, output, known, wordFor: wordFor(own) }, templatesOf(show))
}

/** How a language fills in templates. */
export function templatesOf(show: Show): TemplateLanguage {
  return { value: (value) => show.value(value) ?? '–', others: show.others, more: show.more }
}
