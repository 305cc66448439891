import type { Token, Tokens } from 'marked'
import { plainCharacters, withoutReferences } from './plain-characters.ts'

/** The style of a piece of text, in terms of the Google Docs API (TextStyle). */
export interface TextStyle {
  bold?: boolean
  italic?: boolean
  strikethrough?: boolean
  link?: { url: string }
  weightedFontFamily?: { fontFamily: string }
}

export interface StyledRun {
  text: string
  style: TextStyle
}

/** Google's own Markdown export treats text in this font as code. */
export const codeStyle: TextStyle = { weightedFontFamily: { fontFamily: 'Roboto Mono' } }

/** A line break inside a paragraph. */
const lineBreak = '\v'

/** Converts inline tokens to styled text. An image becomes a link: nothing is fetched for a document. */
export function styledText(tokens: readonly Token[], style: TextStyle = {}): StyledRun[] {
  return tokens.flatMap((token) => runsOf(token as Tokens.Generic, style))
}

function runsOf(token: Tokens.Generic, style: TextStyle): StyledRun[] {
  const inner = (more: TextStyle) => styledText(token.tokens ?? [], { ...style, ...more })
  switch (token.type) {
    case 'strong':
      return inner({ bold: true })
    case 'em':
      return inner({ italic: true })
    case 'del':
      return inner({ strikethrough: true })
    case 'link':
      return inner(linkTo(token.href))
    case 'image':
      return [run(token.text || token.href, { ...style, ...linkTo(token.href) })]
    case 'codespan':
      return [{ text: plainCharacters(token.text), style: { ...style, ...codeStyle } }]
    case 'br':
      return [{ text: lineBreak, style }]
    case 'html':
      return [{ text: plainCharacters(token.text), style }]
    default:
      return token.tokens ? inner({}) : [run(token.text ?? token.raw, style)]
  }
}

function run(text: string, style: TextStyle): StyledRun {
  return { text: unwrapped(plainCharacters(withoutReferences(text))), style }
}

/** Lines that Markdown joins, separated by one space. */
function unwrapped(text: string): string {
  const lines = text.split('\n')
  const trimmed = lines.map((line, index) => {
    const begun = index === 0 ? line : line.trimStart()
    return index === lines.length - 1 ? begun : begun.trimEnd()
  })
  return trimmed.join(' ')
}

/** Only URLs that are safe to follow; others stay text. */
function linkTo(href: string): TextStyle {
  return /^(?:https?:\/\/|mailto:)/i.test(href) ? { link: { url: href } } : {}
}

export function textOf(runs: readonly StyledRun[]): string {
  return runs.map(({ text }) => text).join('')
}
