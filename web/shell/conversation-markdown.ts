import type { ChatMessage } from '../../client/api/message.ts'
import type { Labels } from '../../client/labels/en.ts'
import type { CallView } from '../../client/react/calls/call-view.ts'
import { describeCall } from '../../client/react/calls/tool-line.ts'
import { listBlocks } from '../../client/react/messages/message-blocks.ts'
import { withoutHidden } from '../../shared/words/hidden-marks.ts'
import { showDate } from '../../shared/words/locale.ts'
import { menuWords } from './menu-words.ts'

interface Facts {
  /** When messages were written, by id. */
  times: Readonly<Record<string, string>>
  /** The title of a tool. */
  titleOf(toolName: string): string
  labels: Labels
}

/** A conversation as Markdown: who said what and when, and one line for each call. */
export function toMarkdown(title: string, messages: readonly ChatMessage[], facts: Facts): string {
  const parts = [`# ${oneLine(title)}`, ...messages.map((message) => writeMessage(message, facts))]
  return `${parts.join('\n\n')}\n`
}

function writeMessage(message: ChatMessage, { times, titleOf, labels }: Facts): string {
  const { id, role } = message
  const words = menuWords()
  const written = times[id]
  const at = written === undefined ? '' : ` · ${showDate(written, 'longMoment', labels.locale)}`
  const blocks = listBlocks(message).flatMap((block) => {
    switch (block.kind) {
      case 'text':
        return block.text.trim() === '' ? [] : [block.text.trim()]
      case 'file':
        return [words.attached(oneLine(block.filename ?? words.aFile))]
      case 'before':
        return block.writes.map(
          ({ toolName, summary }) => `> ${oneLine(labels.doneBefore(summary ?? titleOf(toolName)))}`,
        )
      case 'calls':
        return block.attempts.slice(-1).map((call) => writeCall(call, titleOf, labels))
      default:
        return []
    }
  })
  return [`## ${role === 'user' ? labels.you : labels.answer}${at}`, ...blocks.map(withoutHidden)].join(
    '\n\n',
  )
}

function writeCall(call: CallView, titleOf: Facts['titleOf'], labels: Labels): string {
  return `> ${oneLine(`${titleOf(call.toolName)}: ${describeCall(call, labels)}`)}`
}

function oneLine(text: string): string {
  return withoutHidden(text).replace(/\s+/g, ' ').trim()
}
