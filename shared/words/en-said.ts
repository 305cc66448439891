import { changesIn, type Said } from './said.ts'

const windows: Readonly<Record<string, string>> = { hour: 'this hour’s', day: 'today’s' }
const subjects: Readonly<Record<string, string>> = { agent: 'This agent has', project: 'This app has' }

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
  wait_budget: ({ values: { scope, measure, per, limit, tool, resumeAt }, show }) => {
    const when = show.moment(resumeAt)
    if (when === undefined) return undefined
    const because =
      measure === 'writes'
        ? `You’ve reached your limit for changes${tool ? ' with this tool' : ''} (${show.value(limit)} per ${per}).`
        : `${subjects[String(scope)] ?? 'You’ve'} used ${windows[String(per)]} budget.`
    return { because, asked: `It continues at ${when}. To continue sooner, ask your administrator.` }
  },
}
