import { Hono } from 'hono'
import type { Inbox } from './inbox.ts'

/** `GET /messages` and `DELETE /messages`; the page `/inbox` belongs to the web app. */
export function createInboxRoutes(inbox: Inbox): Hono {
  const routes = new Hono()
  routes.get('/messages', (c) => c.json(inbox.messages()))
  routes.delete('/messages', (c) => {
    inbox.clear()
    return c.json([])
  })
  return routes
}
