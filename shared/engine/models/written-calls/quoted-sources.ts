import { readMessageText } from '../protocol/message-text.ts'
import type { ChatMessage } from '../protocol/model-client.ts'
import { plainMarks } from './plain-marks.ts'

/** Shorter pieces of a call stand in a message by chance. */
const shortest = 24

/** Whether a piece of markup stands word for word in what people or tools have said: then it is quoted. */
export type IsQuoted = (markup: string) => boolean

export function quotedIn(messages: readonly ChatMessage[]): IsQuoted {
  let sources: string[] | undefined
  return (markup) => {
    const wanted = squeeze(markup)
    if (wanted.length < shortest) return false
    sources ??= messages.flatMap(({ role, content }) =>
      role === 'user' || role === 'tool'
        ? [content, plainMarks(readMessageText(content as string))].map((said) =>
            squeeze(readMessageText(said as string)),
          )
        : [],
    )
    return sources.some(
      (source) => source.includes(wanted) || source.includes(JSON.stringify(wanted).slice(1, -1)),
    )
  }
}

function squeeze(text: string): string {
  return text.replace(/\s+/g, '')
}
