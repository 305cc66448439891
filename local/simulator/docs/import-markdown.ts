import { docsRequests } from '../../../shared/integrations/markdown/docs-requests.ts'
import { applyRequests } from './apply-requests.ts'
import { emptyPaper, type Paper } from './paper.ts'

/** Converts an upload to a document as Drive does. */
export function importText(mediaType: string, text: string): Paper {
  if (text === '') return emptyPaper()
  const requests =
    mediaType === 'text/markdown'
      ? docsRequests(text, { index: 1, afterText: false })
      : [{ insertText: { location: { index: 1 }, text } }]
  return applyRequests(emptyPaper(), requests).paper
}
