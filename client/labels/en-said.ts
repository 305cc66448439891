import { changesIn, type Said } from './said.ts'

const windows: Readonly<Record<string, string>> = { hour: 'this hour’s', day: 'today’s' }
const subjects: Readonly<Record<string, string>> = { agent: 'This agent has', project: 'This app has' }

/** The server's English sentences that are worded here: a card shows what has changed, and only the reader's browser knows the time zone. */
export const englishSaid: Said = {
  changed: ({ values, show }) => {
    const said = changesIn(values).map(({ what, before, now }) => {
      const [was, is] = [show.value(before) ?? '–', show.value(now) ?? '–']
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
