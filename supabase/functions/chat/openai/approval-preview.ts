import { isFilled } from '../../../../shared/words/fill-template.ts'
import { fieldOf } from '../../../../shared/words/form-words.ts'
import type { Language } from '../../../../shared/words/language.ts'
import { visibleLine } from '../../../../shared/words/quoted-value.ts'
import { toolOf } from '../../../../shared/words/say.ts'
import type { PendingItem } from '../answer/open-item.ts'

/** Characters of a text that are shown in a chat. */
const longestInChat = 500
/** Longer text goes below the other values. */
const longestLine = 120

/**
 * What would be done, value by value, in Markdown, with the labels of the language: short values as a list, texts as quotations below it, so that none of
 * their lines looks like ours.
 *
 * @example
 * const call = { toolName: 'send_email', account: 'me@example.com', values: { to: ['ada@example.com'], body: 'Hi\nAda' } }
 * previewApproval(call, english)
 * // => '- From: me@example.com\n- To: ada@example.com\n\nBody:\n\n> Hi\n> Ada'
 */
export function previewApproval(
  { toolName, account, values = {} }: Pick<PendingItem, 'toolName' | 'account' | 'values'>,
  language: Language,
  longestValue = longestInChat,
): string {
  const { from, ...others } = values
  const filled = Object.entries({ from: account ?? from, ...others }).filter(([, value]) => isFilled(value))
  const list: string[] = []
  const texts: string[] = []
  for (const [name, value] of filled) {
    const text = showText(value)
    const label = name === 'from' ? language.openai.sender : labelOf(language, toolName, name)
    if (text.length <= longestLine && !text.includes('\n')) list.push(`- ${label}: ${visibleLine(text)}`)
    // Recipients are never cut.
    else texts.push(`${label}:\n\n${quote(text, Array.isArray(value) ? text.length : longestValue)}`)
  }
  return [list.join('\n'), ...texts].filter((part) => part !== '').join('\n\n')
}

function labelOf(language: Language, toolName: string, name: string): string {
  const field = fieldOf(toolOf(language, toolName), name)
  const words = visibleLine(field?.short ?? field?.title ?? name.replaceAll('_', ' '))
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function showText(value: unknown): string {
  if (typeof value === 'string') return value.trim()
  if (Array.isArray(value)) return value.map(showText).join(', ')
  // Still to be filled in.
  if (value === null) return '…'
  return JSON.stringify(value)
}

function quote(text: string, longest: number): string {
  const characters = Array.from(text.slice(0, 2 * longest))
  const shown = characters.slice(0, longest).join('')
  const lines = (shown.length < text.length ? `${shown}…` : shown).split(/\r\n|[\n\r\u2028\u2029]/)
  return lines.map((line) => `> ${visibleLine(line)}`.trimEnd()).join('\n')
}
