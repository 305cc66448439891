import type { RunEnd } from './entry.ts'

/** All that a run ends with as one text: the model's words, `said` where the end brings none, and ours behind them. */
export function textOfEnd({ text, ours = [] }: Pick<RunEnd, 'text' | 'ours'>, said: string): string {
  const own = ours.map((one) => one.text).join('\n')
  return [text ?? said, own].filter((part) => part.trim() !== '').join('\n\n')
}
