import { z } from 'zod'
import { once } from '../engine/core/once.ts'
import { id, optional, withWords } from './field-words.ts'
import { defineRoute } from './route.ts'
import { toolResult } from './tool-result.ts'

// The settings: what can be connected, and what a user has connected.

/** An account that a user has connected. */
export const connection = once(() =>
  z
    .strictObject({
      id: z.string(),
      provider: z.string(),
      label: z.string(),
      account: z.string().nullable().describe('The address or name of the connected account.'),
      status: z.enum(['connected', 'expiring', 'expired', 'failed', 'disabled']),
      position: z.number().describe('Its place in the order in which tools try several connections.'),
      values: z.record(z.string(), z.unknown()).describe('The values that were entered, without secrets.'),
      scopes: z
        .array(z.string())
        .optional()
        .describe('The scopes that the user granted. Only for providers with sign-in.'),
      allowed: z.array(z.string()).optional().describe('The same scopes, described in words.'),
      unavailable: z
        .array(z.strictObject({ tool: z.string(), reason: z.string() }))
        .optional()
        .describe(
          'Tools, or single actions (`tool:action`), that cannot be used because a permission is missing.',
        ),
      lastUsedAt: z.string().nullable().describe('ISO 8601.'),
      lastError: z.string().nullable(),
      lastSaid: z
        .strictObject({ code: z.string(), values: z.record(z.string(), z.unknown()).optional() })
        .optional()
        .describe('The code and the values of `lastError`, to translate it.'),
      expiresAt: z.string().optional().describe('ISO 8601. The user has to sign in again by then.'),
    })
    .meta({ id: 'Connection', description: 'An account that a user has connected. It holds no secrets.' }),
)

const provider = once(() =>
  z
    .strictObject({
      id: z.string(),
      name: z.string(),
      description: z.string(),
      service: z.string().describe('What kind of service it is, such as `documents`.'),
      tools: z.array(z.string()).describe('Names of the tools that use it.'),
      connection: z.record(z.string(), z.unknown()).meta({
        'x-json-schema': true,
        description: 'JSON Schema of the form. Secret fields have `secret: true`.',
      }),
      oauth: z.boolean().describe('Whether the user connects it by signing in with the provider.'),
      available: z.boolean().describe('False if sign-in is not set up on this server.'),
      builtIn: z.boolean().describe('Whether it works without a connection.'),
      connections: z.array(connection()),
    })
    .meta({ id: 'Provider', description: 'Something that can be connected.' }),
)

const params = z.object({
  id: withWords(id(), {
    refusal: 'connection_not_found',
  }),
})

const query = z.object({
  test: z
    .string()
    .optional()
    .meta({
      description: '`false` stores the values without testing them with the provider.',
      examples: ['false'],
    }),
})

const label = z.string().trim().max(200).describe('A name that the user chooses.')
const values = withWords(
  z
    .record(z.string(), z.unknown())
    .describe('Values for the fields that the provider’s `connection` schema describes.'),
  { expected: 'an object with the fields of the provider' },
)

/** A name that the project gave to something. */
const name = () => z.string().min(1).max(500)

export const newConnection = z
  .object({ provider: name().meta({ examples: ['serper'] }), label: optional(label), values })
  .meta({ id: 'NewConnection' })
export type NewConnection = z.output<typeof newConnection>

export const connectionChange = z
  .object({
    label: optional(label),
    values: values.optional().describe('The fields to change. Secrets that are left out stay as they are.'),
    position: z.int().min(0).max(1000).optional(),
    disabled: z.boolean().optional().describe('A disabled connection is kept but not used.'),
  })
  .refine((change) => Object.values(change).some((value) => value !== undefined), {
    params: { why: 'connection_unchanged' },
  })
  .meta({ id: 'ConnectionChange' })
export type ConnectionChange = z.output<typeof connectionChange>

const group = 'Connections'
const one = () => z.strictObject({ connection: connection() })
/** For routes that store values after testing them at a provider. */
const stores = [
  'invalid_values',
  'connection_test_failed',
  'sign_in_needed',
  'built_in',
  'label_taken',
  'stale',
  'not_configured',
] as const

export const listProviders = defineRoute({
  method: 'GET',
  path: '/integration-settings',
  group,
  summary: 'List what can be connected, with your connections',
  caller: 'user',
  answer: () => z.strictObject({ providers: z.array(provider()) }),
})

export const createConnection = defineRoute({
  method: 'POST',
  path: '/integration-settings/connections',
  group,
  summary: 'Connect an account with a key or password',
  notes:
    'The values are tested with the provider before they are stored. Then, without another request, the newest call that was waiting for its provider continues, and so do all waiting reads; other waiting writes become approvals. If the values are refused, the error also has `errorType`, `resolver` and `details`, which lists every problem by field.',
  caller: 'user',
  decides: true,
  query,
  body: newConnection,
  status: 201,
  answer: one,
  refusals: [...stores, 'unknown_provider', 'limit_reached'],
})

export const changeConnection = defineRoute({
  method: 'PATCH',
  path: '/integration-settings/connections/:id',
  group,
  summary: 'Change a connection',
  caller: 'user',
  decides: true,
  params,
  query,
  body: connectionChange,
  answer: one,
  refusals: [...stores, 'connection_not_found'],
})

export const removeConnection = defineRoute({
  method: 'DELETE',
  path: '/integration-settings/connections/:id',
  group,
  summary: 'Delete a connection',
  caller: 'user',
  decides: true,
  params,
  answer: once(() =>
    z
      .strictObject({
        deleted: z.string(),
        lost: z
          .array(z.strictObject({ id: z.string(), name: z.string(), tools: z.array(z.string()) }))
          .describe('Agents that can no longer use these tools.'),
        revoked: z
          .boolean()
          .nullable()
          .describe(
            'Whether access was revoked at the provider; null if there was nothing to revoke, or if another connection depends on the same sign-in.',
          ),
      })
      .meta({ id: 'RemovedConnection', description: 'The result of deleting a connection.' }),
  ),
  refusals: ['connection_not_found'],
})
export type RemovedConnection = z.output<ReturnType<typeof removeConnection.answer>>

export const testConnection = defineRoute({
  method: 'POST',
  path: '/integration-settings/connections/:id/test',
  group,
  summary: 'Test a connection with its provider',
  notes: 'If the provider rejects the connection, the response is still 200, with `ok: false`.',
  caller: 'user',
  params,
  answer: () => toolResult(),
  refusals: ['connection_not_found', 'not_configured'],
})
