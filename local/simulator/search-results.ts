/** A page that a simulated search finds. */
export interface SimulatedResult {
  title: string
  url: string
  /** Providers send HTML in it. */
  snippet: string
  source: string
  date: string
}

const sites = ['handbook.example', 'wiki.example', 'journal.example', 'answers.example', 'magazine.example']

/** Results about a query: made up, each says that it is, and the same for the same query. */
export function makeResults(query: string, kind: 'web' | 'news'): SimulatedResult[] {
  const slug =
    query
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-|-$/g, '') || 'page'
  return Array.from({ length: 20 }, (_, index) => {
    const site = sites[index % sites.length] ?? ''
    return {
      title: `${query}: ${kind === 'news' ? 'news' : 'page'} ${index + 1}`,
      url: `https://${site}/${kind}/${slug}-${index + 1}`,
      snippet: `A simulated result about <strong>${query.replaceAll('<', '&lt;')}</strong> &amp; what goes with it.`,
      source: site,
      date: `${index + 1} days ago`,
    }
  })
}
