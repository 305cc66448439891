import { type Asked, sentenceOf } from '../../core/asked.ts'
import { isObject } from '../../core/json-value.ts'
import type { ToolSpecification } from '../../core/tool-specification.ts'
import type { ToolUse } from '../../transcript/answer.ts'
import type { OwnText } from '../../transcript/entry.ts'
import { askedOf } from '../../wording/question-for-people.ts'
import { titleOf } from '../../wording/tool-title.ts'
import { ownWords } from '../consent/ask-uncertain.ts'
import { describeEarlier, earlierValues, statementOf } from '../consent/earlier-words.ts'

type Tools = ReadonlyMap<string, ToolSpecification>

/**
 * An honest account of a run in the product's own words, a sentence each: why it ends, what was done, what was not. The
 * attempts at one thing get one verdict: it was done, it may have been, or why the last of them was not.
 * `goesOn`: it continues an earlier response, which has reported what was done until then.
 */
export function summarize(
  reason: OwnText,
  uses: readonly ToolUse[],
  tools: Tools,
  { goesOn = false } = {},
): OwnText[] {
  const done = uses.filter((use) => use.ok)
  const isDone = new Set(done.map(({ intent }) => intent))
  const uncertain = new Map<number, ToolUse>()
  for (const use of uses) if (isUncertain(use) && !isDone.has(use.intent)) uncertain.set(use.intent, use)
  const last = new Map<string, ToolUse>()
  // All names that a model made up count as one thing: something that cannot be done here.
  for (const use of uses) {
    if (!isUncertain(use) && !uncertain.has(use.intent))
      last.set(tools.has(use.toolName) ? use.toolName : '', use)
  }
  const failed = [...last.values()].filter((use) => !use.ok)
  const texts = [reason]
  if (done.length > 0) {
    const titles = done.map((use) => titleIn(tools, use) ?? 'something')
    const names = done.map(({ toolName }) => toolName)
    texts.push({ code: 'done', values: { tools: titles, toolNames: names }, text: `Done: ${count(titles)}.` })
  } else if (uncertain.size === 0) {
    const text = `Nothing ${goesOn ? 'more ' : ''}was carried out.`
    texts.push({ code: goesOn ? 'nothing_more_done' : 'nothing_done', text })
  }
  for (const use of uncertain.values()) texts.push(tellUncertain(use, tools))
  texts.push(...failed.map((use) => explain(use, tools)))
  return texts
}

/** What may have been done, and to whom; a tool's own words follow. */
function tellUncertain({ toolName, input, error }: ToolUse, tools: Tools): OwnText {
  const tool = tools.get(toolName) ?? { name: toolName }
  const args = isObject(input) ? input : {}
  const words = ownWords(error)
  return {
    code: 'not_certain',
    values: { ...earlierValues(tool, args, undefined, 'unknown'), ...whyValues(error && askedOf(error)) },
    text:
      words === undefined
        ? `This may have been done, but no confirmation arrived: ${statementOf(tool, args, 'unknown')}.`
        : `${describeEarlier(tool, args, undefined, 'unknown')} ${words}`,
  }
}

function explain(use: ToolUse, tools: Tools): OwnText {
  const { toolName, error } = use
  const asked = error && askedOf(error)
  const why = asked ? sentenceOf(asked) : ''
  const tool = titleIn(tools, use)
  return {
    code: 'not_done',
    values: { ...(tool === undefined ? {} : { tool, toolName }), ...whyValues(asked) },
    text: `Not done: ${tool === undefined ? '' : `${tool}. `}${why}`.trim(),
  }
}

/** Undefined for a name that a model made up. */
function titleIn(tools: Tools, { toolName }: ToolUse): string | undefined {
  const tool = tools.get(toolName)
  return tool && titleOf(tool)
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
