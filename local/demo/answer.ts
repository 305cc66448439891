import type { ChatCompletionFunctionTool } from 'openai/resources/chat/completions'
import type { ChatMessage } from '../../shared/engine/models/protocol/model-client.ts'
import { asSent } from '../../shared/engine/wording/corrected-call.ts'
import {
  type DemoAnswer,
  findCorrectedCall,
  hasCalled,
  hasSpoken,
  isFailure,
  listFileIds,
  listSteps,
  listUserTexts,
  readSentence,
  type Step,
  waitedForAnswer,
} from './conversation.ts'
import { type Skill, skills } from './skills.ts'

export const demoNotice =
  '(This is the built-in demo model: a few rules, not a language model. Set a model key to use a real one.)'

/**
 * Decides by rules, from nothing but the messages and tools of the request. Its first reply in a conversation says that
 * it is a demo.
 */
export function answerAsDemo(
  messages: readonly ChatMessage[],
  tools: readonly ChatCompletionFunctionTool[],
): DemoAnswer {
  const answer = decide(
    messages,
    tools.map((tool) => tool.function.name),
  )
  if ('call' in answer || hasSpoken(messages)) return answer
  return { text: `${answer.text}\n\n${demoNotice}` }
}

function decide(messages: readonly ChatMessage[], tools: readonly string[]): DemoAnswer {
  const said = listUserTexts(messages)
  const decision = readDecision(said.at(-1) ?? '')
  if (decision === 'denied') return { text: 'All right, I have not done it.' }
  if (decision === 'skipped') return { text: 'All right, I left that out.' }
  if (decision === 'draft') return { text: 'I kept it as a draft.' }
  // A message that only reports a decision is not a request: the one before it goes on.
  const texts = said.filter((text) => readDecision(text) === undefined)
  const asked = findRequest(texts, waitedForAnswer(messages))
  if (!asked) return { text: describeAbilities(tools) }
  const { skill, request } = asked
  const steps = listSteps(messages)
  const last = steps.at(-1)
  if (last && isFailure(last.result)) return correct(last, skill, texts, tools)
  const offered = skill.tools.filter((name) => tools.includes(name))
  // "With Gmail" picks the tool whose name begins with it.
  const tool =
    offered.find((name) => request.toLowerCase().includes(name.split('_', 1)[0] ?? '')) ?? offered[0]
  if (!tool) return { text: `I cannot ${skill.ability} here: this agent has no tool for it.` }
  const isFirst = !hasCalled(messages, tool)
  return skill.next({
    request,
    texts,
    fileIds: listFileIds(messages),
    tool,
    isFirst,
    steps: steps.filter(({ result }) => !isFailure(result)),
  })
}

/** How the engine tells a model what a person has decided (`decision-words.ts`); undefined for the user's own words. */
function readDecision(text: string): 'denied' | 'draft' | 'skipped' | 'goes on' | undefined {
  if (/^No, do not call \w+/.test(text)) return 'denied'
  if (/^Go on without this: /.test(text)) return 'skipped'
  if (/^Do not call \w+; save it as a draft\.$/.test(text)) return 'draft'
  const goesOn = /^(?:Yes, call \w+|Here is what you asked for: \{|(?:The connection is ready\. )?Go on\.$)/
  return goesOn.test(text) ? 'goes on' : undefined
}

/** What the last message asks for; while a question is open, it may be the answer to it. */
function findRequest(
  texts: readonly string[],
  isAsked: boolean,
): { skill: Skill; request: string } | undefined {
  const said = texts.at(-1) ?? ''
  const skill = skills.find(({ asks }) => asks(said))
  if (skill) return { skill, request: said }
  if (!isAsked) return undefined
  const request = texts.findLast((text) => skills.some(({ asks }) => asks(text)))
  const waiting = skills.find(({ asks }) => request !== undefined && asks(request))
  return waiting && request !== undefined && waiting.answers?.(said) ? { skill: waiting, request } : undefined
}

/** Sends the corrected call if the conversation holds its open values; otherwise passes the question on. */
function correct(
  { call, result }: Step,
  skill: Skill,
  texts: readonly string[],
  tools: readonly string[],
): DemoAnswer {
  const question = readSentence(result)
  const correction = findCorrectedCall(result)
  if (!correction) return { text: question }
  const name = tools.find((name) => correction.before.includes(` ${name} `)) ?? call.name
  if (!tools.includes(name)) return { text: question }
  const filled = fillSlots(correction.arguments, skill.values(texts))
  // The same call would only get the same question again.
  if (filled === undefined || JSON.stringify(filled) === JSON.stringify(call.arguments))
    return { text: question }
  return { call: { name, arguments: filled } }
}

/** The corrected call with its slots filled from the user's words; undefined if the user did not say them. */
function fillSlots(
  correction: Record<string, unknown>,
  said: Record<string, unknown>,
): Record<string, unknown> | undefined {
  const filled = Object.entries(correction).map(([name, value]) => [
    name,
    hasSlot(value) ? said[name] : value,
  ])
  return filled.some(([, value]) => value === undefined) ? undefined : Object.fromEntries(filled)
}

function hasSlot(value: unknown): boolean {
  if (typeof value === 'string') return value !== asSent && /^<[^<>]+>$/.test(value)
  return typeof value === 'object' && value !== null && Object.values(value).some(hasSlot)
}

function describeAbilities(tools: readonly string[]): string {
  const known = skills.filter((skill) => skill.tools.some((name) => tools.includes(name)))
  if (known.length === 0) return 'I am only a demo, and this agent has no tool that I know.'
  const tries = known.map(({ suggestion }) => `- \`${suggestion}\``)
  return `I only know a few things. Try one of these:\n\n${tries.join('\n')}\n\nLeave the address out of an email, and see me ask.`
}
