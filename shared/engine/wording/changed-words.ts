import type { Change } from '../core/seen.ts'
import { plainLine, quotedValue } from './quoted-value.ts'

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
      return `The place now reads ${is}; it was ${was}.`
    case 'title':
      return `The title is now ${is}; it was ${was}.`
    case 'paragraphs':
      return `Only ${is} of its ${was} paragraphs are still there.`
    case 'revision':
      return `It is at version ${is} now; it was ${was}.`
    case 'newest_email':
      return `The newest email of the thread is now ${is}; it was ${was}.`
    default:
      return `${plainLine(what.replaceAll('_', ' '))}: now ${is}; it was ${was}.`
  }
}
