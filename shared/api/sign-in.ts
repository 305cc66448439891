import { z } from 'zod'
import { connection } from './connection.ts'
import { id, optional, withWords } from './field-words.ts'
import { mcpServer } from './mcp-server.ts'
import { defineRoute } from './route.ts'

// Connecting an account by signing in with its provider.

export const signIn = z
  .object({
    provider: optional(
      z
        .string()
        .min(1)
        .max(500)
        .meta({ examples: ['gmail'] }),
    ),
    server: optional(withWords(id(), { refusal: 'server_not_found' })).describe(
      'In place of a provider: the id of a server of MCP.',
    ),
    returnTo: optional(z.string()).describe(
      'Where the browser goes afterwards. Its origin has to be one of those in `ASKBACK_APP_URLS`.',
    ),
    tools: optional(withWords(z.array(z.string()), { expected: 'a list of names of tools' })).describe(
      'The tools to connect for: only the permissions that they need are requested. Use `tool:action` if an action needs more.',
    ),
    connectionId: optional(withWords(id(), { expected: 'the id of a connection' })).describe(
      'The connection to renew; its account is suggested to the user.',
    ),
  })
  .refine(({ provider, server }) => provider !== undefined || server !== undefined, { path: ['provider'] })
  .meta({ id: 'SignIn' })
export type SignIn = z.output<typeof signIn>

const group = 'Signing in with a provider'

export const startSignIn = defineRoute({
  method: 'POST',
  path: '/integration-settings/oauth/start',
  group,
  summary: 'Start signing in with a provider',
  caller: 'user',
  decides: true,
  body: signIn,
  answer: () =>
    z.strictObject({
      url: z.string().describe('The provider’s page, which the user has to open.'),
      host: z
        .string()
        .optional()
        .describe('Whose page that is, for a server of MCP: show it before the user goes there.'),
    }),
  refusals: [
    'unknown_provider',
    'unknown_tool',
    'no_sign_in',
    'return_to_not_allowed',
    'server_not_found',
    'server_not_usable',
    'not_configured',
  ],
})

export const receiveSignIn = defineRoute({
  method: 'GET',
  path: '/integration-settings/oauth/callback',
  group,
  summary: 'Return from the provider’s page',
  notes:
    'The browser opens this, and is redirected to `returnTo` with `connecting=<provider>` and either `code=<one-time code>` or `error=<code>`. Nothing is connected yet.',
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
  summary: 'Connect the account after signing in',
  notes:
    'Only the user who started the sign-in can complete it. The code is valid for ten minutes and can be used once.',
  caller: 'user',
  decides: true,
  body: z.object({
    code: z.string().min(1).max(500).describe('The `code` in the address that the browser returned to.'),
  }),
  status: 201,
  answer: () =>
    z.union([z.strictObject({ connection: connection() }), z.strictObject({ server: mcpServer() })]),
  refusals: [
    'unknown_code',
    'foreign_code',
    'sign_in_refused',
    'no_account',
    'nothing_granted',
    'label_taken',
    'limit_reached',
    'stale',
    'unknown_provider',
    'not_configured',
    'provider_unavailable',
    'server_not_found',
    'server_not_usable',
  ],
})
