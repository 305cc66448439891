import { plainLine, quotedValue } from '../../words/quoted-value.ts'
import type { Change } from '../core/seen.ts'

/**
 * What has changed since somebody was asked, one sentence for each.
 *
 * @example
 * changedWords([{ what: 'places', before: 1, now: 6 }]) // => '6 places now; it was 1.'
 */
export function changedWords(changed: readonly Change[]): string {
  return changed.map(sayChange).join(' ')
}

function sayChange({ what, before, now }: Change): string {
  const [was, is] = [quotedValue(before), quotedValue(now)]
  switch (what) {
    case 'places':
      return `${is} ${now === 1 ? 'place' : 'places'} now; it was ${was}.`
    case 'text':
      return `The text there is now ${is}; it was ${was}.`
    case 'title':
      return `The title is now ${is}; it was ${was}.`
    case 'paragraphs':
      return `Paragraphs that are still there: ${is} of ${was}.`
    case 'revision':
      return `It is at version ${is} now; it was at ${was}.`
    case 'newest_email':
      return `The newest email in the thread is now ${is}; it was ${was}.`
    default:
      return `${plainLine(what.replaceAll('_', ' '))}: now ${is}; it was ${was}.`
  }
}
