import { z } from 'zod'
import { connection } from './connection.ts'
import { id, optional, withWords } from './field-words.ts'
import { defineRoute } from './route.ts'

// Connecting an account by signing in with its provider.

export const signIn = z
  .object({
    provider: z
      .string()
      .min(1)
      .max(500)
      .meta({ examples: ['gmail'] }),
    returnTo: optional(z.string()).describe(
      'Where the browser goes afterwards: an address of an origin in `ASKBACK_APP_URLS`.',
    ),
    tools: optional(withWords(z.array(z.string()), { expected: 'a list of names of tools' })).describe(
      'The tools that it is for: only what they need is asked for. `tool:action` where an action needs more.',
    ),
    connectionId: optional(withWords(id(), { expected: 'the id of a connection' })).describe(
      'The connection to renew: its account is proposed.',
    ),
  })
  .meta({ id: 'SignIn' })
export type SignIn = z.output<typeof signIn>

const group = 'Signing in at a provider'

export const startSignIn = defineRoute({
  method: 'POST',
  path: '/integration-settings/oauth/start',
  group,
  summary: 'Begin to sign in at a provider',
  caller: 'user',
  body: signIn,
  answer: () =>
    z.strictObject({ url: z.string().describe('The page of the provider, for the user to open.') }),
  refusals: ['unknown_provider', 'unknown_tool', 'no_sign_in', 'return_to_not_allowed', 'not_configured'],
})

export const receiveSignIn = defineRoute({
  method: 'GET',
  path: '/integration-settings/oauth/callback',
  group,
  summary: 'Come back from the page of the provider',
  notes:
    'Opened by the browser. It goes on to `returnTo` with `connecting=<provider>` and `code=<one-time code>`, or `error=<code>`. Nothing is connected yet.',
  caller: 'anybody',
  query: z.object({
    state: z.string().optional(),
    code: z.string().optional(),
    error: z.string().optional(),
  }),
  status: 303,
  refusals: ['unknown_state', 'not_configured'],
})

export const completeSignIn = defineRoute({
  method: 'POST',
  path: '/integration-settings/oauth/complete',
  group,
  summary: 'Connect the account that was signed in',
  notes: 'Only the user who began can do so. The code works once, for ten minutes.',
  caller: 'user',
  body: z.object({
    code: z.string().min(1).max(500).describe('From the address that the browser came back to.'),
  }),
  status: 201,
  answer: () => z.strictObject({ connection: connection() }),
  refusals: [
    'unknown_code',
    'foreign_code',
    'sign_in_refused',
    'no_account',
    'nothing_granted',
    'label_taken',
    'stale',
    'unknown_provider',
    'not_configured',
    'provider_unavailable',
  ],
})
