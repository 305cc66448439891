import { Hono } from 'hono'
import type { Inbox } from './inbox.ts'
import { renderInbox } from './page.ts'

/** `GET /messages`, `DELETE /messages` and the page. */
export function createInboxRoutes(inbox: Inbox): Hono {
  const routes = new Hono()
  routes.get('/messages', (c) => c.json(inbox.messages()))
  routes.delete('/messages', (c) => {
    inbox.clear()
    return c.json([])
  })
  routes.get('/', (c) => c.html(renderInbox(inbox)))
  return routes
}
