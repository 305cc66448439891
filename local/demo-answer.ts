import type { ChatCompletionFunctionTool } from 'openai/resources/chat/completions'
import { isObject, readJsonText } from '../shared/engine/core/json-value.ts'
import { withoutMark } from '../shared/engine/core/question-mark.ts'
import type { ChatMessage } from '../shared/engine/models/protocol/model-client.ts'
import { asSent } from '../shared/engine/wording/corrected-call.ts'
import { asksForEmail, readAddresses, writeLetter } from './demo-letter.ts'

/** What the demo model answers: words, or one tool call. */
export type DemoAnswer = { text: string } | { call: DemoCall }

export interface DemoCall {
  name: string
  arguments: Record<string, unknown>
}

export const demoNotice =
  '(This is the built-in demo model: a few rules, no language model, because no model key is set.)'

const abilities =
  'I can send e-mails here, nothing else. Try: “Send an email about the meeting to ada@example.com”, or leave the address out and see me ask.'

/**
 * Decides by rules, from the messages and tools of the request alone. Its first words in a conversation say
 * that it is a demo.
 */
export function answerAsDemo(
  messages: readonly ChatMessage[],
  tools: readonly ChatCompletionFunctionTool[],
): DemoAnswer {
  const answer = messages.at(-1)?.role === 'tool' ? afterTools(messages, tools) : afterUser(messages, tools)
  if ('call' in answer || hasSpoken(messages)) return answer
  return { text: `${answer.text}\n\n${demoNotice}` }
}

function afterUser(
  messages: readonly ChatMessage[],
  tools: readonly ChatCompletionFunctionTool[],
): DemoAnswer {
  const texts = userTexts(messages)
  const said = texts.at(-1) ?? ''
  const tool = findEmailTool(tools)
  const answersQuestion = readAddresses(said).to.length > 0 && waitsForAddress(messages)
  if (!asksForEmail(said) && !answersQuestion) return { text: abilities }
  if (tool === undefined) return { text: 'I cannot send e-mails here: this agent has no tool for it.' }
  const request = texts.findLast(asksForEmail) ?? said
  const letter = writeLetter(request)
  // The recipient is left out on purpose: the demo shows how a call with a gap is asked about and corrected.
  if (!hasCalled(messages, tool)) return { call: { name: tool, arguments: { ...letter } } }
  return { call: { name: tool, arguments: { ...recipients(texts), ...letter } } }
}

function afterTools(
  messages: readonly ChatMessage[],
  tools: readonly ChatCompletionFunctionTool[],
): DemoAnswer {
  const { calls, results } = lastRound(messages)
  const problem = results.find(isFailure)
  if (problem === undefined)
    return { text: calls.map((call, index) => report(call, results[index])).join('\n') }
  const failed = calls[results.indexOf(problem)]
  const correction = findCorrectedCall(problem)
  const question = readSentence(problem)
  if (failed === undefined || correction === undefined) return { text: question }
  const names = tools.map((tool) => tool.function.name)
  const name = names.find((name) => correction.before.includes(` ${name} `)) ?? failed.name
  if (!names.includes(name)) return { text: question }
  const filled = fillSlots(correction.arguments, userTexts(messages))
  // The same call again would get the same question again.
  if (filled === undefined || JSON.stringify(filled) === JSON.stringify(failed.arguments))
    return { text: question }
  return { call: { name, arguments: filled } }
}

/** The corrected call with its slots filled from what the user said; undefined when the user did not say it. */
function fillSlots(
  correction: Record<string, unknown>,
  texts: readonly string[],
): Record<string, unknown> | undefined {
  const said: Record<string, unknown> = {
    ...writeLetter(texts.findLast(asksForEmail) ?? ''),
    ...recipients(texts),
  }
  const filled: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(correction)) {
    if (!hasSlot(value)) filled[name] = value
    else if (said[name] !== undefined) filled[name] = said[name]
    else if (name === 'to' || name === 'subject' || name === 'body') return undefined
  }
  return filled
}

function hasSlot(value: unknown): boolean {
  if (typeof value === 'string') return value !== asSent && /^<[^<>]+>$/.test(value)
  return typeof value === 'object' && value !== null && Object.values(value).some(hasSlot)
}

/** From the user's newest words that name an address. */
function recipients(texts: readonly string[]): Record<string, string[]> {
  const named = texts.map(readAddresses).findLast(({ to }) => to.length > 0)
  return Object.fromEntries(Object.entries(named ?? {}).filter(([, addresses]) => addresses.length > 0))
}

function report(call: DemoCall, result = ''): string {
  const { accepted, refused } = readResult(result)
  const to = accepted ?? [call.arguments.to].flat().filter((address) => typeof address === 'string')
  const subject = typeof call.arguments.subject === 'string' ? ` “${call.arguments.subject}”` : ''
  if (!/send_email$/.test(call.name)) return `Done: ${call.name}.`
  const sent = `I sent the e-mail${subject}${to.length > 0 ? ` to ${to.join(', ')}` : ''}.`
  return refused === undefined || refused.length === 0 ? sent : `${sent} Not accepted: ${refused.join(', ')}.`
}

function readResult(text: string): { accepted?: string[]; refused?: string[] } {
  const value = parseObject(text)
  const texts = (list: unknown) =>
    Array.isArray(list) && list.every((item) => typeof item === 'string') ? list : undefined
  const accepted = texts(value.accepted)
  const refused = texts(value.refused)
  return { ...(accepted ? { accepted } : {}), ...(refused ? { refused } : {}) }
}

/** The tools that this model knows return objects: a text in words says that the call did not work. */
function isFailure(text: string): boolean {
  return readJsonText(text) === undefined || parseObject(text).ok === false
}

/** The arguments that a question shows, and what stands before them in their line. */
function findCorrectedCall(text: string): { before: string; arguments: Record<string, unknown> } | undefined {
  for (const line of text.split('\n')) {
    const start = line.indexOf('{')
    // A line that is all JSON is a result, not a call.
    const shown = start < 1 ? undefined : readJsonText(line.slice(start))
    if (isObject(shown)) return { before: line.slice(0, start), arguments: shown }
  }
  return undefined
}

/** The first line of a feedback, as words to a person. */
function readSentence(problem: string): string {
  const { error } = parseObject(problem)
  const line = typeof error === 'string' ? error : (problem.split('\n')[0] ?? '')
  return withoutMark(line)
}

function lastRound(messages: readonly ChatMessage[]): { calls: DemoCall[]; results: string[] } {
  const start = messages.findLastIndex((message) => message.role === 'assistant')
  const assistant = messages[start]
  const wireCalls = assistant?.role === 'assistant' ? (assistant.tool_calls ?? []) : []
  const calls: DemoCall[] = []
  const results: string[] = []
  for (const call of wireCalls) {
    if (call.type !== 'function') continue
    const result = messages.find((message) => message.role === 'tool' && message.tool_call_id === call.id)
    calls.push({ name: call.function.name, arguments: parseObject(call.function.arguments) })
    results.push(result === undefined ? '' : readText(result))
  }
  return { calls, results }
}

/** True while the last thing a tool said in this conversation is a question. */
function waitsForAddress(messages: readonly ChatMessage[]): boolean {
  const last = messages.findLast((message) => message.role === 'tool')
  const text = last === undefined ? '' : readText(last)
  return isFailure(text) && findCorrectedCall(text) !== undefined
}

function hasCalled(messages: readonly ChatMessage[], tool: string): boolean {
  return messages.some(
    (message) =>
      message.role === 'assistant' &&
      message.tool_calls?.some((call) => call.type === 'function' && call.function.name === tool),
  )
}

function hasSpoken(messages: readonly ChatMessage[]): boolean {
  return messages.some((message) => message.role === 'assistant' && readText(message) !== '')
}

function findEmailTool(tools: readonly ChatCompletionFunctionTool[]): string | undefined {
  const names = tools.map((tool) => tool.function.name)
  return ['smtp_send_email', 'gmail_send_email'].find((name) => names.includes(name))
}

function userTexts(messages: readonly ChatMessage[]): string[] {
  return messages.filter((message) => message.role === 'user').map(readText)
}

function readText({ content }: ChatMessage): string {
  if (typeof content === 'string') return content
  return (content ?? []).map((part) => (part.type === 'text' ? part.text : '')).join('')
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
