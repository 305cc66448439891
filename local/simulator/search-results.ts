import type {
  DocumentedPage,
  SearchKind,
} from '../../supabase/functions/web-search-api/search/search-provider.ts'

const sites = ['handbook.example', 'wiki.example', 'journal.example', 'answers.example', 'magazine.example']

/** Made-up results, which say so, and are the same for the same query. */
export function makeResults(query: string, kind: SearchKind, pages?: string): DocumentedPage[] {
  const slug =
    query
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-|-$/g, '') || 'page'
  return Array.from({ length: 20 }, (_, index) => {
    const site = sites[index % sites.length] ?? ''
    return {
      title: `${query}: ${kind === 'news' ? 'news' : 'page'} ${index + 1}`,
      url: `${pages ?? `https://${site}`}/${kind}/${slug}-${index + 1}`,
      snippet: `A simulated result about <strong>${query.replaceAll('<', '&lt;')}</strong> &amp; related topics.`,
      source: site,
      date: `${index + 1} days ago`,
    }
  })
}

/** The page of a simulated result, for `GET …/pages/web/tea-1`; undefined for any other request. */
export function simulatedPage(request: Request): Response | undefined {
  const [, slug] = /\/pages\/(?:web|news)\/([a-z0-9-]{1,200})$/.exec(new URL(request.url).pathname) ?? []
  if (request.method !== 'GET' || slug === undefined) return undefined
  const topic = slug.replace(/-\d+$/, '').replaceAll('-', ' ')
  const paragraphs = [
    `This page about ${topic} is made up by the simulator of Askback, so that searches and summaries can be tried without an account.`,
    `Whoever looks for ${topic} finds here what a page of the web would hold: a few sentences, some of them about prices, some about opening hours.`,
    `Nothing on it is true, and ${topic} may well be something else. With a real search provider real pages are read.`,
  ]
  const html = `<!doctype html><html lang="en"><head><title>${topic} (simulated)</title></head><body><article><h1>${topic}</h1>${paragraphs.map((text) => `<p>${text}</p>`).join('')}</article></body></html>`
  return new Response(html, { headers: { 'content-type': 'text/html; charset=utf-8' } })
}
