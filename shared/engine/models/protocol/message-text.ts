/** A part of a message's content as servers and clients write it; anything may be missing. */
interface Part {
  type?: string
  text?: unknown
}

/**
 * What a message says to its reader: its text, or its parts of text, a line each or put together as `between` says.
 * Pictures and files say nothing, nor does what a reasoning model thought (Mistral sends that as parts).
 *
 * @example
 * readMessageText([{ type: 'text', text: 'Hello' }, { type: 'image_url' }]) // => 'Hello'
 */
export function readMessageText(
  content: string | readonly (Part | null)[] | null | undefined,
  between = '\n',
): string {
  if (typeof content === 'string') return content
  const texts = (content ?? []).filter((part) => !/think|reason/.test(part?.type ?? ''))
  return texts.flatMap((part) => (typeof part?.text === 'string' ? [part.text] : [])).join(between)
}
