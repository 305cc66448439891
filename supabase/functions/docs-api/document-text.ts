import { isObject } from '../../../shared/engine/core/json-value.ts'

/** A paragraph anywhere in a document: body, table, header, footnote. */
export interface TextParagraph {
  text: string
  /** Present for paragraphs of the body itself. */
  startIndex?: number
  endIndex?: number
}

/** Stands for anything that is not text: a picture, a footnote mark. */
const noText = '\ufffc'

/**
 * All paragraphs in an answer of documents.get, in order. Found by their shape, so that headers, footers, footnotes
 * and cells need no special treatment: replaceAllText searches all of them.
 */
export function paragraphsOf(document: unknown): TextParagraph[] {
  const paragraphs: TextParagraph[] = []
  const pending: unknown[] = [document]
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
  const elements = isObject(paragraph) && Array.isArray(paragraph.elements) ? paragraph.elements : []
  const text = elements.map((element) =>
    isObject(element?.textRun) && typeof element.textRun.content === 'string'
      ? element.textRun.content
      : noText,
  )
  return {
    text: text.join('').replace(/\n$/, ''),
    ...(typeof startIndex === 'number' && typeof endIndex === 'number' ? { startIndex, endIndex } : {}),
  }
}
