import type { CallRpc } from '../shared/server/database/call-rpc.ts'
import { createApp } from '../supabase/functions/chat/app.ts'
import { readDependencies } from '../supabase/functions/chat/turn/dependencies.ts'
import { jwtSecret, signToken } from './settings-app.ts'

/** The chat function on a database of the test; no model, and no other function, is there. */
export function createOperatorApp(rpc: CallRpc) {
  const environment = {
    SUPABASE_URL: 'http://127.0.0.1:9',
    SUPABASE_SERVICE_ROLE_KEY: 'unused',
    ASKBACK_JWT_SECRET: jwtSecret,
  }
  const app = createApp({ ...readDependencies(environment, () => {}), rpc })
  /** A request of a user; status and JSON of the answer. */
  return async (user: string, method: string, path: string, body?: unknown) => {
    const response = await app.request(`/chat${path}`, {
      method,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${await signToken(user)}` },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    // biome-ignore lint/suspicious/noExplicitAny: answers of many shapes, looked into by assertions only
    return { status: response.status, text, json: JSON.parse(text) as any }
  }
}
