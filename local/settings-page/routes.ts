import { readFileSync } from 'node:fs'
import { Hono } from 'hono'
import { renderSettingsPage } from './page.ts'

/** Nothing from elsewhere runs or is shown on a page that takes passwords. */
const policy =
  "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'"

/** `/settings/integrations?provider=…`, where links of questions lead on the local stack. */
export function createSettingsRoutes(facts: Parameters<typeof renderSettingsPage>[0]): Hono {
  const routes = new Hono()
  routes.get('/script.js', (c) => {
    const script = readFileSync(new URL('script.js', import.meta.url), 'utf8')
    return c.body(script, 200, { 'content-type': 'text/javascript; charset=utf-8' })
  })
  routes.get('/', (c) => c.redirect('/settings/integrations'))
  routes.get('/integrations', (c) => {
    c.header('content-security-policy', policy)
    c.header('referrer-policy', 'no-referrer')
    return c.html(renderSettingsPage(facts))
  })
  return routes
}
