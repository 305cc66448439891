import { clipText } from '../../../../shared/engine/core/clip-text.ts'
import { maskSecrets } from '../../../../shared/engine/core/mask-secrets.ts'
import type { Call, Entry, UserMessage } from '../../../../shared/engine/transcript/entry.ts'

/** Characters of one text, and of the arguments or the result of one call. */
const longestText = 16_000

interface Message {
  role: 'user' | 'assistant'
  parts: object[]
  finish_reason?: string
}

/** What a person wrote, as `gen_ai.input.messages`; files are left out. */
export function describeInput({ content }: UserMessage): string {
  const texts =
    typeof content === 'string'
      ? [content]
      : content.flatMap((part) => (part.type === 'text' && typeof part.text === 'string' ? [part.text] : []))
  return messages({ role: 'user', parts: texts.map(textPart) })
}

/** The words of a whole answer, as `gen_ai.output.messages`. */
export function describeAnswer(text: string): string {
  return messages({ role: 'assistant', parts: [textPart(text)], finish_reason: 'stop' })
}

/** What a model answered in one step: words and calls, as `gen_ai.output.messages`. */
export function describeReply(entries: readonly Entry[], finishReason: string): string {
  const parts = entries.flatMap((entry) => {
    if (entry.type === 'model-text') return [textPart(entry.text)]
    if (entry.type !== 'call') return []
    return [{ type: 'tool_call', id: entry.toolCallId, name: entry.name, arguments: argumentsOf(entry) }]
  })
  return messages({ role: 'assistant', parts, finish_reason: finishReason })
}

/** A value as JSON, without secrets; the beginning of a long one. */
export function describeValue(value: unknown): string {
  const text = maskSecrets(JSON.stringify(value) ?? 'null')
  return text.length > longestText ? JSON.stringify({ clipped: clipText(text, longestText) }) : text
}

function argumentsOf({ input, rawArguments }: Call): unknown {
  const written = rawArguments ?? input
  return typeof written === 'string' ? clipText(written, longestText) : written
}

function textPart(content: string): object {
  return { type: 'text', content: clipText(content, longestText) }
}

function messages(message: Message): string {
  return maskSecrets(JSON.stringify([message]))
}
