import type { OwnText } from './entry.ts'

/** The complete text at the end of a run: the model's words, or `said` if the end has none, followed by ours. */
export function textOfEnd(
  { text, ours = [] }: { text?: string | undefined; ours?: readonly OwnText[] },
  said: string,
): string {
  const own = ours.map((one) => one.text).join('\n')
  return [text ?? said, own].filter((part) => part.trim() !== '').join('\n\n')
}
