/** A part of a message's content as servers and clients write it; anything may be missing. */
interface Part {
  type?: string
  text?: unknown
}

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
  const texts = (content ?? []).filter((part) => !/think|reason/.test(part?.type ?? ''))
  return texts.flatMap((part) => (typeof part?.text === 'string' ? [part.text] : [])).join(between)
}
