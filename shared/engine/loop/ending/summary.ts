import { english } from '../../../words/languages/english.ts'
import type { Said } from '../../core/asked.ts'
import { isObject } from '../../core/json-value.ts'
import type { ToolSpecification } from '../../core/tool-specification.ts'
import type { EndedCall } from '../../transcript/answer.ts'
import type { OwnSaid } from '../../transcript/entry.ts'
import { type InputOf, sayTexts } from '../../transcript/own-words.ts'
import { namedInput } from '../../wording/call-values.ts'
import { saidOf } from '../../wording/question-for-people.ts'
import { toolValues } from '../../wording/question-values.ts'
import { titleOf } from '../../wording/tool-title.ts'
import { whyValues } from '../../wording/why-values.ts'
import { earlierValues } from '../consent/earlier-values.ts'
import { ownWhy } from '../consent/question-about-unknown.ts'
import { doneIn } from '../run/done-words.ts'

type Tools = ReadonlyMap<string, ToolSpecification>

/**
 * An honest account of a run in the product's own words, a sentence each: why it ends, what was done, what was not. The
 * attempts at one thing get one verdict: it was done, it may have been, or why the last of them was not.
 * `goesOn`: it continues an earlier response, which has reported what was done until then.
 */
export function summarize(
  reason: Said,
  uses: readonly EndedCall[],
  tools: Tools,
  { goesOn = false } = {},
): OwnSaid[] {
  const done = uses.filter((use) => use.ok)
  const isDone = new Set(done.map(({ intent }) => intent))
  const unknown = new Map<number, EndedCall>()
  for (const use of uses) if (isUnknown(use) && !isDone.has(use.intent)) unknown.set(use.intent, use)
  const last = new Map<string, EndedCall>()
  // All names that a model made up count as one thing: something that cannot be done here.
  for (const use of uses) {
    if (!isUnknown(use) && !unknown.has(use.intent))
      last.set(tools.has(use.toolName) ? use.toolName : '', use)
  }
  const failed = [...last.values()].filter((use) => !use.ok)
  const said: OwnSaid[] = [reason]
  if (done.length > 0) said.push(...listDone(done, tools))
  else if (unknown.size === 0) {
    said.push({ code: goesOn ? 'nothing_more_done' : 'nothing_done' })
  }
  for (const use of unknown.values()) said.push(describeUnknown(use, tools))
  said.push(...failed.map((use) => explain(use, tools)))
  return said
}

/**
 * The writes that were refused or failed, and that nothing done since makes up for, without the reason: that is for the
 * model to say. One that says "Sent." instead has not said the truth. `isTold`: these are told otherwise.
 */
export function listNotDone(
  uses: readonly EndedCall[],
  tools: Tools,
  isTold: (use: EndedCall) => boolean,
): OwnSaid[] {
  const isWrite = ({ toolName }: EndedCall) => tools.get(toolName)?.effect === 'write'
  const lastDone = uses.findLastIndex((use) => use.ok && isWrite(use))
  const last = new Map<number, EndedCall>()
  for (const use of uses.slice(lastDone + 1)) {
    if (isWrite(use) && !isUnknown(use) && !isOfTheUser(use) && !isTold(use)) last.set(use.intent, use)
  }
  const all = [...last.values()]
  // A call that was refused before it ran, after one of its tool that ran, was most likely the same again.
  const ran = new Set(all.flatMap(({ toolName, tries }) => (tries > 0 ? toolName : [])))
  const said = all
    .filter(({ toolName, tries }) => tries > 0 || !ran.has(toolName))
    .map(({ error: _, ...use }) => explain(use, tools))
  return eachOnce(said, tools)
}

/** Sentences that read alike only once. */
export function eachOnce(said: readonly OwnSaid[], tools: Tools, inputOf?: InputOf): OwnSaid[] {
  const texts = sayTexts(english, said, inputOf, tools).map(({ text }) => text)
  return said.filter((_, index) => texts.indexOf(texts[index] ?? '') === index)
}

/** Nobody has to be told what they declined or called off themselves. */
function isOfTheUser({ error }: EndedCall): boolean {
  return error?.errorType === 'approval_denied' || error?.errorType === 'cancelled'
}

/** What was done: a few writes in their tools' words, a sentence each; reads, and more of a tool than that, as a number. */
function listDone(done: readonly EndedCall[], tools: Tools): OwnSaid[] {
  const named: OwnSaid[] = []
  const counted: EndedCall[] = []
  for (const use of done) {
    const words = isOneOfFew(use, done) ? nameDone(use, tools) : undefined
    if (words === undefined) counted.push(use)
    else named.push(words)
  }
  if (counted.length === 0) return named
  const titles = counted.map((use) => titleIn(tools, use) ?? 'something')
  const toolNames = counted.map(({ toolName }) => toolName)
  return [...named, { code: 'done', values: { tools: titles, toolNames } }]
}

/** Writes of one tool that are named individually. */
const mostNamed = 3

function isOneOfFew({ toolName }: EndedCall, done: readonly EndedCall[]): boolean {
  return done.filter((other) => other.toolName === toolName).length <= mostNamed
}

function nameDone({ toolName, input, output, done }: EndedCall, tools: Tools): OwnSaid | undefined {
  const tool = tools.get(toolName)
  if (tool?.summary === undefined || tool.effect !== 'write') return undefined
  const args = isObject(input) ? input : {}
  return {
    code: 'done',
    values: {
      tools: [titleOf(tool)],
      toolNames: [toolName],
      ...toolValues(tool),
      input: namedInput(tool, args, []),
      ...(done ?? doneIn(tool.summary, output)),
    },
  }
}

/** What may have been done, and to whom; a tool's own words follow. */
function describeUnknown({ toolName, input, error }: EndedCall, tools: Tools): OwnSaid {
  const tool: Partial<ToolSpecification> & { name: string } = tools.get(toolName) ?? { name: toolName }
  const args = isObject(input) ? input : {}
  const values = { ...earlierValues(tool, args, { status: 'unknown' }), ...ownWhy(error) }
  return { code: 'unknown_if_done', values }
}

function explain(use: EndedCall, tools: Tools): OwnSaid {
  const { toolName, input, tries, error } = use
  const tool = tools.get(toolName)
  // What was tried is complete, and so can be named; what was refused before may not be.
  const isNamed = tool !== undefined && tries > 0 && tool.effect === 'write' && isObject(input)
  const named = isNamed ? earlierValues(tool, input, { status: 'unknown' }) : {}
  const values = {
    ...(tool === undefined ? {} : toolValues(tool)),
    ...named,
    ...whyValues(error && saidOf(error)),
  }
  return { code: 'not_done', values }
}

/** Undefined for a name that a model made up. */
function titleIn(tools: Tools, { toolName }: EndedCall): string | undefined {
  const tool = tools.get(toolName)
  return tool && titleOf(tool)
}

/** A write whose answer was lost, or that is still running elsewhere, may have happened. */
function isUnknown({ error }: EndedCall): boolean {
  return error?.errorType === 'outcome_unknown'
}
