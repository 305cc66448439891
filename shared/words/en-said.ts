import { changesIn, type Said } from './said.ts'
import { waits } from './sentences/waits.ts'

/** English sentences that are worded here and not by the server: they show values as a card does, or times in the reader's time zone. */
export const englishSaid: Said = {
  changed: ({ values, show }) => {
    const said = changesIn(values).map(({ what, before, now }) => {
      const [was, is] = [show.value(before) ?? '–', show.value(now) ?? '–']
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
          return `${show.value(what.replaceAll('_', ' '))}: now ${is}; it was ${was}.`
      }
    })
    return said.length > 0 ? said.join(' ') : undefined
  },
  wait_budget: waits.en.wait_budget,
}
