import { type Asked, sentenceOf } from '../../core/asked.ts'
import type { ToolUse } from '../../transcript/answer.ts'
import type { OwnText } from '../../transcript/entry.ts'
import { askedOf } from '../../wording/question-for-people.ts'

/** The display name of a tool. */
type Title = (toolName: string) => string | undefined

/**
 * An honest account of a run in the product's own words, a sentence each: why it ends, what was done, what was not.
 * `goesOn`: it continues an earlier response, which has reported what was done until then. `title`: undefined if there is no such tool.
 */
export function summarize(
  reason: OwnText,
  uses: readonly ToolUse[],
  title: Title,
  { goesOn = false } = {},
): OwnText[] {
  const done = uses.filter((use) => use.ok)
  const uncertain = uses.filter(isUncertain)
  const last = new Map<string, ToolUse>()
  // All names that a model made up count as one thing: something that cannot be done here.
  for (const use of uses) if (!isUncertain(use)) last.set(title(use.toolName) ? use.toolName : '', use)
  const failed = [...last.values()].filter((use) => !use.ok)
  const texts = [reason]
  if (done.length > 0) {
    const titles = done.map((use) => title(use.toolName) ?? 'something')
    const names = done.map(({ toolName }) => toolName)
    texts.push({ code: 'done', values: { tools: titles, toolNames: names }, text: `Done: ${count(titles)}.` })
  } else if (uncertain.length === 0) {
    const text = `Nothing ${goesOn ? 'more ' : ''}was carried out.`
    texts.push({ code: goesOn ? 'nothing_more_done' : 'nothing_done', text })
  }
  texts.push(...uncertain.map((use) => explain('not_certain', 'Not certain', use, title)))
  texts.push(...failed.map((use) => explain('not_done', 'Not done', use, title)))
  return texts
}

function explain(
  code: 'not_done' | 'not_certain',
  words: string,
  { toolName, error }: ToolUse,
  title: Title,
): OwnText {
  const asked = error && askedOf(error)
  const why = asked ? sentenceOf(asked) : ''
  const tool = title(toolName)
  return {
    code,
    values: { ...(tool === undefined ? {} : { tool, toolName }), ...whyValues(asked) },
    text: `${words}: ${tool === undefined ? '' : `${tool}. `}${why}`.trim(),
  }
}

/** Why something was not done, as a sentence of its own. */
export function whyValues(asked: Asked | undefined): Record<string, unknown> {
  if (asked === undefined) return {}
  const { code, values } = asked
  return { why: code, ...(values ? { whyValues: values } : {}), whyText: sentenceOf(asked) }
}

/** A write whose answer was lost, or that is still running elsewhere, may have happened. */
function isUncertain({ error }: ToolUse): boolean {
  return error?.errorType === 'outcome_unknown'
}

function count(names: readonly string[]): string {
  const times = new Map<string, number>()
  for (const name of names) times.set(name, (times.get(name) ?? 0) + 1)
  return [...times].map(([name, number]) => (number > 1 ? `${name} (${number} times)` : name)).join(', ')
}
