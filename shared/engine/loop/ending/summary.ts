import { fillTemplate } from '../../../words/fill-template.ts'
import type { Said } from '../../core/asked.ts'
import { isObject } from '../../core/json-value.ts'
import type { ToolSpecification } from '../../core/tool-specification.ts'
import type { ToolUse } from '../../transcript/answer.ts'
import type { OwnText } from '../../transcript/entry.ts'
import { ownText } from '../../transcript/own-text.ts'
import { namedInput } from '../../wording/call-values.ts'
import { toldOf } from '../../wording/question-for-people.ts'
import { toolValues } from '../../wording/question-values.ts'
import { titleOf } from '../../wording/tool-title.ts'
import { whyValues } from '../../wording/why-values.ts'
import { earlierValues } from '../consent/earlier-values.ts'
import { ownWhy } from '../consent/question-about-unknown.ts'

type Tools = ReadonlyMap<string, ToolSpecification>

/**
 * An honest account of a run in the product's own words, a sentence each: why it ends, what was done, what was not. The
 * attempts at one thing get one verdict: it was done, it may have been, or why the last of them was not.
 * `goesOn`: it continues an earlier response, which has reported what was done until then.
 */
export function summarize(
  reason: Said,
  uses: readonly ToolUse[],
  tools: Tools,
  { goesOn = false } = {},
): OwnText[] {
  const done = uses.filter((use) => use.ok)
  const isDone = new Set(done.map(({ intent }) => intent))
  const unknown = new Map<number, ToolUse>()
  for (const use of uses) if (isUnknown(use) && !isDone.has(use.intent)) unknown.set(use.intent, use)
  const last = new Map<string, ToolUse>()
  // All names that a model made up count as one thing: something that cannot be done here.
  for (const use of uses) {
    if (!isUnknown(use) && !unknown.has(use.intent))
      last.set(tools.has(use.toolName) ? use.toolName : '', use)
  }
  const failed = [...last.values()].filter((use) => !use.ok)
  const texts = [ownText(reason)]
  if (done.length > 0) texts.push(...listDone(done, tools))
  else if (unknown.size === 0) {
    texts.push(ownText({ code: goesOn ? 'nothing_more_done' : 'nothing_done' }))
  }
  for (const use of unknown.values()) texts.push(describeUnknown(use, tools))
  texts.push(...failed.map((use) => explain(use, tools)))
  return texts
}

/**
 * The writes that were refused or failed, and that nothing done since makes up for, without the reason: that is for the
 * model to say. One that says "Sent." instead has not said the truth. `isTold`: these are told otherwise.
 */
export function listNotDone(
  uses: readonly ToolUse[],
  tools: Tools,
  isTold: (use: ToolUse) => boolean,
): OwnText[] {
  const isWrite = ({ toolName }: ToolUse) => tools.get(toolName)?.effect === 'write'
  const lastDone = uses.findLastIndex((use) => use.ok && isWrite(use))
  const last = new Map<number, ToolUse>()
  for (const use of uses.slice(lastDone + 1)) {
    if (isWrite(use) && !isUnknown(use) && !isOfTheUser(use) && !isTold(use)) last.set(use.intent, use)
  }
  const all = [...last.values()]
  // A call that was refused before it ran, after one of its tool that ran, was most likely the same again.
  const ran = new Set(all.flatMap(({ toolName, tries }) => (tries > 0 ? toolName : [])))
  const told = all
    .filter(({ toolName, tries }) => tries > 0 || !ran.has(toolName))
    .map(({ error: _, ...use }) => explain(use, tools))
  return told.filter(({ text }, index) => told.findIndex((one) => one.text === text) === index)
}

/** Nobody has to be told what they declined or called off themselves. */
function isOfTheUser({ error }: ToolUse): boolean {
  return error?.errorType === 'approval_denied' || error?.errorType === 'cancelled'
}

/** What was done: a few writes in their tools' words, a sentence each; reads, and more of a tool than that, as a number. */
function listDone(done: readonly ToolUse[], tools: Tools): OwnText[] {
  const named: OwnText[] = []
  const counted: ToolUse[] = []
  for (const use of done) {
    const words = isOneOfFew(use, done) ? nameDone(use, tools) : undefined
    if (words === undefined) counted.push(use)
    else named.push(words)
  }
  if (counted.length === 0) return named
  const titles = counted.map((use) => titleIn(tools, use) ?? 'something')
  const toolNames = counted.map(({ toolName }) => toolName)
  return [...named, ownText({ code: 'done', values: { tools: titles, toolNames } })]
}

/** Writes of one tool that are named individually. */
const mostNamed = 3

function isOneOfFew({ toolName }: ToolUse, done: readonly ToolUse[]): boolean {
  return done.filter((other) => other.toolName === toolName).length <= mostNamed
}

function nameDone({ toolName, input, output, summary }: ToolUse, tools: Tools): OwnText | undefined {
  const tool = tools.get(toolName)
  if (tool?.summary === undefined || tool.effect !== 'write') return undefined
  const args = isObject(input) ? input : {}
  const hasAll = !tool.summary.includes('{output')
  return ownText({
    code: 'done',
    values: {
      tools: [titleOf(tool)],
      toolNames: [toolName],
      ...toolValues(tool),
      ...(hasAll ? { input: namedInput(tool, args, []) } : {}),
      summary: summary ?? fillTemplate(tool.summary, { args, output }),
    },
  })
}

/** What may have been done, and to whom; a tool's own words follow. */
function describeUnknown({ toolName, input, error }: ToolUse, tools: Tools): OwnText {
  const tool: Partial<ToolSpecification> & { name: string } = tools.get(toolName) ?? { name: toolName }
  const args = isObject(input) ? input : {}
  const values = { ...earlierValues(tool, args, { status: 'unknown' }), ...ownWhy(error) }
  return ownText({ code: 'unknown_if_done', values }, { tool })
}

function explain(use: ToolUse, tools: Tools): OwnText {
  const { toolName, input, tries, error } = use
  const tool = tools.get(toolName)
  // What was tried is complete, and so can be named; what was refused before may not be.
  const isNamed = tool !== undefined && tries > 0 && tool.effect === 'write' && isObject(input)
  const named = isNamed ? earlierValues(tool, input, { status: 'unknown' }) : {}
  const values = {
    ...(tool === undefined ? {} : toolValues(tool)),
    ...named,
    ...whyValues(error && toldOf(error)),
  }
  return ownText({ code: 'not_done', values }, { tool })
}

/** Undefined for a name that a model made up. */
function titleIn(tools: Tools, { toolName }: ToolUse): string | undefined {
  const tool = tools.get(toolName)
  return tool && titleOf(tool)
}

/** A write whose answer was lost, or that is still running elsewhere, may have happened. */
function isUnknown({ error }: ToolUse): boolean {
  return error?.errorType === 'outcome_unknown'
}
