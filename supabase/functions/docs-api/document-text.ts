import { isObject } from '../../../shared/engine/core/json-value.ts'
import { chipOf, elementsOf, textOfRun } from './paragraph-element.ts'

/** A paragraph anywhere in a tab: body, table, header, footnote. */
export interface TextParagraph {
  /** Its text, in which replaceAllText searches. */
  text: string
  /** The same with the words of smart chips, which no request replaces. */
  shown: string
  /** Present for paragraphs of the body itself. */
  startIndex?: number
  endIndex?: number
}

/** Stands for anything that is not text: a picture, a footnote mark. */
const noText = '\ufffc'

/**
 * All paragraphs in the content of a tab, in order. Found by their shape, so that headers, footers, footnotes and cells
 * need no special treatment: replaceAllText searches all of them.
 */
export function paragraphsOf(content: unknown): TextParagraph[] {
  const paragraphs: TextParagraph[] = []
  const pending: unknown[] = [content]
  while (pending.length > 0) {
    const value = pending.pop()
    if (Array.isArray(value)) pending.push(...value.toReversed())
    else if (isObject(value) && isObject(value.paragraph)) paragraphs.push(readParagraph(value))
    else if (isObject(value)) pending.push(...Object.values(value).filter(isContainer).toReversed())
  }
  return paragraphs
}

function isContainer(value: unknown): boolean {
  return typeof value === 'object' && value !== null
}

function readParagraph({ paragraph, startIndex, endIndex }: Record<string, unknown>): TextParagraph {
  const elements = elementsOf(paragraph)
  const joined = (textOf: (element: Record<string, unknown>) => string | undefined) =>
    elements
      .map((element) => textOf(element) ?? noText)
      .join('')
      .replace(/\n$/, '')
  return {
    text: joined(textOfRun),
    shown: joined((element) => textOfRun(element) ?? chipOf(element)?.text),
    ...(typeof startIndex === 'number' && typeof endIndex === 'number' ? { startIndex, endIndex } : {}),
  }
}
