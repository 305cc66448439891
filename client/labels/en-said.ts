import type { Said } from './said.ts'

const windows: Readonly<Record<string, string>> = { hour: 'this hour’s', day: 'today’s' }
const subjects: Readonly<Record<string, string>> = { agent: 'This agent has', project: 'This app has' }

/** The server's English sentences that name a time: only the reader's browser knows the time zone. */
export const englishSaid: Said = {
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
