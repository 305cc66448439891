/**
 * The text without the `<think>` block before it, where local servers leave the thoughts of reasoning models.
 * A block that never ends is all thinking.
 *
 * @example
 * withoutThinking('<think>Hm.</think>\n\nHello') // => 'Hello'
 * withoutThinking('<think>Hm') // => ''
 * withoutThinking('Use the <think> tag.') // => 'Use the <think> tag.'
 */
export function withoutThinking(text: string): string {
  if (!startsThinking(text)) return text
  const end = text.indexOf('</think>')
  return end < 0 ? '' : text.slice(end + '</think>'.length).trimStart()
}

/** True for a text that starts with a thinking block. */
export function startsThinking(text: string): boolean {
  return text.trimStart().startsWith('<think>')
}
