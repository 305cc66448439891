import { isObject, readJsonText } from '../../shared/engine/core/json-value.ts'
import { withoutMark } from '../../shared/engine/core/question-mark.ts'
import type { ChatMessage } from '../../shared/engine/models/protocol/model-client.ts'

/** A tool call of the demo model. */
export interface DemoCall {
  name: string
  arguments: Record<string, unknown>
}

/** A reply of the demo model: text, or tool calls. */
export type DemoAnswer = { text: string } | { calls: DemoCall[] }

/** A call of this turn and its result. */
export interface Step {
  call: DemoCall
  result: string
}

/** The user's messages, oldest first, without their attachments. */
export function listUserTexts(messages: readonly ChatMessage[]): string[] {
  return messages.filter(({ role }) => role === 'user').map((message) => readUserText(message).words)
}

/** Ids of the files of the newest message with files. */
export function listFileIds(messages: readonly ChatMessage[]): string[] {
  const all = messages.filter(({ role }) => role === 'user').map((message) => readUserText(message).fileIds)
  return all.findLast((ids) => ids.length > 0) ?? []
}

/** How paragraphs of the engine's begin. */
const ours = '(Not from the user:'

/**
 * Removes what the engine adds to a message: the files that `messageContent` writes, each up to where its id is
 * repeated, and the paragraphs that `runLines`, `olderLine` and `openLines` put first.
 */
function readUserText(message: ChatMessage): { words: string; fileIds: string[] } {
  const fileIds: string[] = []
  const words: string[] = []
  const lines = readText(message).split('\n')
  let begin = 0
  while (lines[begin]?.startsWith(ours) && lines.includes('', begin)) begin = lines.indexOf('', begin) + 1
  for (let at = begin; at < lines.length; at++) {
    const line = lines[at] ?? ''
    if (!line.startsWith('[The user attached "')) {
      words.push(line)
      continue
    }
    const id = line.slice(line.lastIndexOf(', file_id ')).slice(', file_id '.length).split('.', 1)[0] ?? ''
    if (/^[0-9a-f-]{36}$/.test(id)) fileIds.push(id)
    const end = lines[at + 1] === `<file ${id}>` ? lines.indexOf(`</file ${id}>`, at) : -1
    if (end > 0) at = end
    if (end > 0 && lines[at + 1]?.startsWith('[Only ')) at++
  }
  return { words: words.join('\n').trim(), fileIds }
}

/** Whether the conversation's last call went wrong. */
export function hasFailed(messages: readonly ChatMessage[]): boolean {
  const last = messages.findLast(({ role }) => role === 'tool')
  return last !== undefined && isFailure(readText(last))
}

/** What waits for the user: the call as far as it is known, and the question if words can answer it. */
export interface DemoItem {
  call?: DemoCall
  /** Whether it needs an account, not a decision. */
  isConnection?: boolean
  question: string | undefined
}

/**
 * What the user's newest message may be about: the last item that the engine calls open. Clients that keep their own
 * history send no tool messages: for them the assistant's last words count.
 */
export function findOpenItem(messages: readonly ChatMessage[]): DemoItem | undefined {
  const said = messages.findLastIndex(({ role }) => role === 'user')
  const last = messages[said]
  const note =
    last &&
    /^(?:\(Not from the user: (?:[^\n]+\n)+\n)*\(Not from the user:\n(?:[^\n]+\n)+\n/.exec(
      readText(last),
    )?.[0]
  const [, item = '', name, written = ''] =
    [...(note?.matchAll(/^- (".*?): (\w+) (\{.*)$/gm) ?? [])].at(-1) ?? []
  if (name !== undefined) {
    const [, ...asked] = item.split(' answer "')
    const question = asked.length > 0 ? asked.join(' answer "').slice(0, -1) : undefined
    const isConnection = item.endsWith(' to connect an account')
    return { call: { name, arguments: parseObject(written) }, isConnection, question }
  }
  const before = messages.slice(0, Math.max(said, 0))
  const words = before.at(-1)
  if (words?.role !== 'assistant' || before.some(({ role }) => role === 'tool')) return undefined
  const sentence = readSentence(readText(words))
  return sentence.includes('?') ? { question: sentence } : undefined
}

/** The calls of the newest reply since the user's last message, with their results. */
export function listRound(messages: readonly ChatMessage[]): Step[] {
  const start = messages.findLastIndex(({ role }) => role !== 'tool')
  const reply = messages[start]
  return reply ? readSteps(reply, messages) : []
}

/** The calls since the user's last message, with their results. */
export function listSteps(messages: readonly ChatMessage[]): Step[] {
  const start = messages.findLastIndex((message) => message.role === 'user')
  return messages.slice(start + 1).flatMap((message) => readSteps(message, messages))
}

function readSteps(message: ChatMessage, messages: readonly ChatMessage[]): Step[] {
  if (message.role !== 'assistant') return []
  return (message.tool_calls ?? []).flatMap((call) => {
    if (call.type !== 'function') return []
    const result = messages.find((other) => other.role === 'tool' && other.tool_call_id === call.id)
    const { name, arguments: written } = call.function
    return [{ call: { name, arguments: parseObject(written) }, result: result ? readText(result) : '' }]
  })
}

export function hasCalled(messages: readonly ChatMessage[], tool: string): boolean {
  return messages.some(
    (message) =>
      message.role === 'assistant' &&
      message.tool_calls?.some((call) => call.type === 'function' && call.function.name === tool),
  )
}

/** How often a tool has succeeded in the conversation. */
export function countDone(messages: readonly ChatMessage[], tool: string): number {
  const steps = messages.flatMap((message) => readSteps(message, messages))
  return steps.filter(({ call, result }) => call.name === tool && !isFailure(result)).length
}

export function hasSpoken(messages: readonly ChatMessage[]): boolean {
  return messages.some((message) => message.role === 'assistant' && readText(message) !== '')
}

/** The tools that this model knows return objects: plain text means that the call failed. */
export function isFailure(text: string): boolean {
  return readJsonText(text) === undefined || parseObject(text).ok === false
}

/** The arguments shown in a question, and the text before them in their line. */
export function findCorrectedCall(
  text: string,
): { before: string; arguments: Record<string, unknown> } | undefined {
  for (const line of text.split('\n')) {
    const start = line.indexOf('{')
    // A line of nothing but JSON is a result, not a call.
    const shown = start < 1 ? undefined : readJsonText(line.slice(start))
    if (isObject(shown)) return { before: line.slice(0, start), arguments: shown }
  }
  return undefined
}

/** The first line of a feedback, worded for people. */
export function readSentence(problem: string): string {
  const { error } = parseObject(problem)
  const line = typeof error === 'string' ? error : (problem.split('\n')[0] ?? '')
  return withoutMark(line)
}

export function parseObject(text: string): Record<string, unknown> {
  const value = readJsonText(text)
  return isObject(value) ? value : {}
}

function readText({ content }: ChatMessage): string {
  if (typeof content === 'string') return content
  return (content ?? []).map((part) => (part.type === 'text' ? part.text : '')).join('\n')
}
