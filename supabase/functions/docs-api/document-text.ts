import { isObject } from '../../../shared/engine/core/json-value.ts'

/** A paragraph of a document, wherever it stands: body, table, header, footnote. */
export interface TextParagraph {
  text: string
  /** There for paragraphs of the body itself. */
  startIndex?: number
  endIndex?: number
}

/** What stands where something is that is no text: a picture, a footnote's mark. */
const noText = '\ufffc'

/**
 * All paragraphs of what documents.get answers, in its order. Found by their form, so that headers, footers, footnotes
 * and cells need no names: replaceAllText looks into all of them.
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
