/** A part of a message's content as servers and clients write it; anything may be missing. */
interface Part {
  type?: string
  text?: unknown
  /** Why the model does not answer (OpenAI). */
  refusal?: unknown
  /** Mistral's thoughts: a text, or text parts. */
  thinking?: unknown
}

export type MessagePart = Part | null

/**
 * The text of a message, or of its text parts, one per line or joined with `between`.
 * Pictures, files and the thoughts of a reasoning model (Mistral sends them as parts) are left out.
 *
 * @example
 * readMessageText([{ type: 'text', text: 'Hello' }, { type: 'image_url' }]) // => 'Hello'
 */
export function readMessageText(
  content: string | readonly (Part | null)[] | null | undefined,
  between = '\n',
): string {
  if (typeof content === 'string') return content
  const texts = (content ?? []).filter((part) => !isThought(part))
  return texts
    .flatMap((part) => [part?.text ?? part?.refusal].filter((said) => typeof said === 'string'))
    .join(between)
}

function isThought(part: MessagePart): boolean {
  return /think|reason/.test(part?.type ?? '')
}

/**
 * The thoughts among the parts of a message.
 *
 * @example
 * readThoughtParts([{ type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] }]) // => 'Hm.'
 */
export function readThoughtParts(content: string | readonly MessagePart[] | null | undefined): string {
  if (typeof content === 'string' || !content) return ''
  return content.filter(isThought).map(readThought).join('')
}

function readThought(part: MessagePart): string {
  const thought = part?.thinking ?? part?.text
  if (typeof thought === 'string') return thought
  return Array.isArray(thought) ? readMessageText(thought, '') : ''
}
