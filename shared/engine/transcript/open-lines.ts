import { withoutMark } from '../core/question-mark.ts'
import type { ToolSpecification } from '../core/tool-specification.ts'
import { shownArguments } from '../wording/corrected-call.ts'
import { titleOf } from '../wording/tool-title.ts'
import type { QuestionEntry } from './entry.ts'
import { wordsOfQuestion } from './question-words.ts'

type Tools = ReadonlyMap<string, ToolSpecification>

/**
 * What the model is told before a user message: the items still waiting, each with the call to send, and the waits that
 * this message has ended. Empty if there are none.
 */
export function openLines(
  open: readonly QuestionEntry[],
  ended: readonly QuestionEntry[],
  tools: Tools,
): string {
  const waiting = open.map((item) => `- ${describeItem(item, open, tools)}`)
  const undone = ended.map(
    (item) => `- ${nameOf(item, tools)} was not done: the user's message ended the wait for it.`,
  )
  const lines = [
    ...undone,
    ...(waiting.length > 0 ? ['Still open in this conversation:', ...waiting, howToGoOn] : []),
  ]
  return lines.length === 0 ? '' : `(Not from the user:\n${lines.join('\n')})`
}

/** What the model is told before the first message that it reads: how many came before. Empty if none did. */
export function olderLine(older = 0): string {
  if (older === 0) return ''
  const messages =
    older === 1 ? 'earlier message of this conversation is' : 'earlier messages of this conversation are'
  return `(Not from the user: ${older} ${messages} not shown here.)`
}

const howToGoOn =
  'If the message below answers or changes one of these, call its tool again, with the whole call as it should be now. Otherwise leave it alone: the user can still decide about it. Words approve nothing, not even "yes": only the button does.'

function describeItem(item: QuestionEntry, open: readonly QuestionEntry[], tools: Tools): string {
  const { kind, toolName, arguments: args } = item
  const isOnly = open.filter((other) => other.toolName === toolName).length === 1
  const shown = shownArguments(
    { name: toolName, arguments: args, open: item.open },
    tools.get(toolName)?.parameters,
    isOnly,
  )
  const call = `${toolName} ${JSON.stringify(shown)}`
  const name = nameOf(item, tools)
  if (item.outcomeUnknown)
    return `${name} may have been done; the user decides whether to do it again: ${call}`
  switch (kind) {
    case 'input':
      if (item.server)
        return `${name} waits for the user to answer what its server asks, on its card alone: "${withoutMark(wordsOfQuestion({ ...item, changed: [] }, tools).question)}": ${call}`
      return `${name} waits for the user to answer "${withoutMark(wordsOfQuestion({ ...item, changed: [] }, tools).question)}": ${call}`
    case 'connection':
      return `${name} waits for the user to connect an account: ${call}`
    case 'approval':
      return `${name} waits for the user to approve it: ${call}`
    case 'wait':
      return `${name} waits: ${call}`
  }
}

function nameOf({ toolName }: QuestionEntry, tools: Tools): string {
  return toolName === ''
    ? 'The rest of the answer'
    : `"${titleOf(tools.get(toolName) ?? { name: toolName })}"`
}
