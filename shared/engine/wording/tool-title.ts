import type { ToolSpecification } from '../core/tool-specification.ts'
import { spellOutName } from '../schema/words-of-name.ts'

/**
 * A tool's name for people: its title, else the words of its name.
 *
 * @example
 * titleOf({ name: 'send_email' }) // => 'Send email'
 */
export function titleOf({ name, title }: Pick<ToolSpecification, 'name' | 'title'>): string {
  const words = title?.trim() || spellOutName(name).join(' ') || name
  return words.charAt(0).toUpperCase() + words.slice(1)
}
