import { z } from 'zod'
import { id, optional, withWords } from './field-words.ts'
import { defineRoute, once } from './route.ts'
import { toolResult } from './tool-result.ts'

// The settings: what can be connected, and what a user has connected.

/** An account that a user has connected. */
export const connection = once(() =>
  z
    .strictObject({
      id: z.string(),
      provider: z.string(),
      label: z.string(),
      account: z.string().nullable().describe('The address or name that it acts as.'),
      status: z.enum(['connected', 'expiring', 'expired', 'failed', 'disabled']),
      position: z.number().describe('Its place in the order in which tools try several.'),
      values: z.record(z.string(), z.unknown()).describe('What was entered, without the secrets.'),
      scopes: z.array(z.string()).optional().describe('What the user has granted, where it signs in.'),
      allowed: z.array(z.string()).optional().describe('The same in words.'),
      unavailable: z
        .array(z.strictObject({ tool: z.string(), reason: z.string() }))
        .optional()
        .describe('Tools, and actions of tools (`tool:action`), that a missing permission switches off.'),
      lastUsedAt: z.string().nullable().describe('ISO 8601.'),
      lastError: z.string().nullable(),
      expiresAt: z.string().optional().describe('ISO 8601: when the user has to sign in again.'),
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
      oauth: z.boolean().describe('It is connected by signing in at the provider.'),
      available: z.boolean().describe('False where signing in is not set up on this server.'),
      builtIn: z.boolean().describe('It works without a connection.'),
      connections: z.array(connection()),
    })
    .meta({ id: 'Provider', description: 'Something that can be connected.' }),
)

const params = z.object({
  id: withWords(id(), {
    refusal: {
      code: 'connection_not_found',
      message: 'You have no connection with this id.',
    },
  }),
})

const query = z.object({
  test: z
    .string()
    .optional()
    .meta({
      description: '`false` stores the values without asking the provider whether it takes them.',
      examples: ['false'],
    }),
})

const label = z.string().trim().max(200).describe('What its user calls it.')
const values = withWords(
  z
    .record(z.string(), z.unknown())
    .describe('The fields of the provider, as its `connection` describes them.'),
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
    disabled: z.boolean().optional().describe('A disabled connection stays as it is and is not used.'),
  })
  .refine((change) => Object.values(change).some((value) => value !== undefined), {
    error: 'There is nothing to change. Send "label", "values", "position" or "disabled".',
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
  summary: 'Connect an account by its values',
  notes:
    'The values are tried at the provider before they are stored. What waited for the connection goes on by itself. A refusal of the values has `errorType`, `resolver` and `details` beside the message, with every problem by its field.',
  caller: 'user',
  query,
  body: newConnection,
  status: 201,
  answer: one,
  refusals: [...stores, 'unknown_provider'],
})

export const changeConnection = defineRoute({
  method: 'PATCH',
  path: '/integration-settings/connections/:id',
  group,
  summary: 'Change a connection',
  caller: 'user',
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
          .describe('Whether the provider has ended the access; null where there is nothing to end.'),
      })
      .meta({ id: 'RemovedConnection', description: 'What went with a connection.' }),
  ),
  refusals: ['connection_not_found'],
})
export type RemovedConnection = z.output<ReturnType<typeof removeConnection.answer>>

export const testConnection = defineRoute({
  method: 'POST',
  path: '/integration-settings/connections/:id/test',
  group,
  summary: 'Ask the provider whether a connection still works',
  notes: 'A provider that refuses is an answer, not an error of the API: 200 with `ok: false`.',
  caller: 'user',
  params,
  answer: () => toolResult(),
  refusals: ['connection_not_found', 'not_configured'],
})
