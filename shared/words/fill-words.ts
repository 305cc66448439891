import { type FindRecord, fillTemplate, type TemplateLanguage } from './fill-template.ts'
import type { Show } from './show.ts'
import type { Known, ToolWords, Values } from './tool-words.ts'

/** The question that asks for approval of a call; undefined if the tool has none. */
export function sayConfirm(
  own: ToolWords | undefined,
  input: Values,
  show: Show,
  known: Known,
): string | undefined {
  return fill(own?.confirm, input, undefined, show, known)
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
  if (output === undefined && own?.summary?.replace(optional, '').includes('{output')) return undefined
  return fill(own?.summary, input, output, show, known)
}

/** The verb on the button; undefined if the tool has none. */
export function sayVerb(own: ToolWords | undefined, input: Values, show: Show): string | undefined {
  return fill(own?.button, input, undefined, show, {})
}

function fill(
  template: string | undefined,
  args: Values,
  output: unknown,
  show: Show,
  known: Known,
): string | undefined {
  if (template === undefined) return undefined
  return fillTemplate(template, { args, output, find: finderOf(args, known) }, languageOf(show))
}

function languageOf(show: Show): TemplateLanguage {
  return { value: (value) => show.value(value) ?? '–', others: show.more, more: show.more }
}

/** What is known is listed without its ids: in their order, without those of which nothing is. */
function finderOf(args: Values, known: Known): FindRecord {
  return (parameter, id) => {
    const ids: unknown[] = [args[parameter] ?? []].flat()
    return known[parameter]?.[ids.indexOf(id)]
  }
}
