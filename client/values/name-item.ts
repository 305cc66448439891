import { showValue } from './sentence.ts'

/** A list item's name for people: its file name, its title, or its first value. */
export function nameItem(item: unknown): string {
  if (typeof item !== 'object' || item === null) return showValue(item)
  const { filename, title, name } = item as Record<string, unknown>
  return showValue(filename ?? title ?? name ?? Object.values(item)[0])
}
