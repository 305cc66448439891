import { z } from 'zod'
import { once } from '../engine/core/once.ts'
import { id, optional, withWords } from './field-words.ts'
import { defineRoute } from './route.ts'

// Tokens that let clients without a sign-in use agents.

/** What a token opens. */
export const tokenScope = z.enum(['chat', 'mcp'])
export type TokenScope = z.output<typeof tokenScope>

const facts = () => ({
  id: z.string(),
  name: z.string(),
  scope: tokenScope.describe('What it opens, and nothing else: `chat/v1`, or `mcp`.'),
  prefix: z.string().describe('The first characters of the token.'),
  agents: z
    .array(z.string())
    .nullable()
    .describe('Ids of the agents that it may use; null means all, including those created later.'),
  expiresAt: z.string().nullable().describe('ISO 8601; null means never.'),
  lastUsedAt: z.string().nullable().describe('ISO 8601; null if it was never used.'),
  used: z.number().describe('How many requests came with it.'),
  createdAt: z.string(),
})

/** A token as its owner sees it. */
export const apiToken = once(() =>
  z.strictObject(facts()).meta({ id: 'ApiToken', description: 'A token that lets a client use agents.' }),
)
export type ApiToken = z.output<ReturnType<typeof apiToken>>

const madeToken = once(() =>
  z
    .strictObject({
      ...facts(),
      value: z.string().describe('The token itself. This is the only time it is shown.'),
    })
    .meta({ id: 'MadeApiToken' }),
)

export const newApiToken = z
  .object({
    name: z
      .string()
      .trim()
      .min(1)
      .max(200)
      .meta({ examples: ['Open WebUI'] }),
    scope: optional(tokenScope).describe(
      'What it opens: `chat` for OpenAI clients (`chat/v1`), `mcp` for MCP clients. If left out: `chat`.',
    ),
    agents: optional(
      withWords(
        z
          .array(id())
          .min(1)
          .max(100)
          .transform((ids) => [...new Set(ids)]),
        { expected: 'a list of ids of agents', instead: 'Leave it out for all of them.' },
      ),
    ).describe('Ids of the agents that it may use. If left out: all, including those created later.'),
    expiresAt: optional(
      z.iso
        .datetime({ offset: true })
        .refine((moment) => Date.parse(moment) > Date.now(), {
          params: { why: 'token_in_past' },
        })
        .meta({ examples: ['2027-01-31T12:00:00Z'] }),
    ),
  })
  .meta({ id: 'NewApiToken' })
export type NewApiToken = z.output<typeof newApiToken>

const group = 'Tokens for OpenAI clients'

export const listApiTokens = defineRoute({
  method: 'GET',
  path: '/integration-settings/tokens',
  group,
  summary: 'List your tokens',
  caller: 'user',
  answer: () => z.strictObject({ tokens: z.array(apiToken()) }),
})

export const createApiToken = defineRoute({
  method: 'POST',
  path: '/integration-settings/tokens',
  group,
  summary: 'Create a token',
  caller: 'user',
  decides: true,
  body: newApiToken,
  status: 201,
  answer: () => z.strictObject({ token: madeToken() }),
  refusals: ['agent_not_found', 'limit_reached'],
})

export const revokeApiToken = defineRoute({
  method: 'DELETE',
  path: '/integration-settings/tokens/:id',
  group,
  summary: 'Revoke a token',
  caller: 'user',
  params: z.object({
    id: withWords(id(), {
      refusal: 'token_not_found',
    }),
  }),
  answer: () => z.strictObject({ deleted: z.string() }),
  refusals: ['token_not_found'],
})

export const revokeApiTokens = defineRoute({
  method: 'DELETE',
  path: '/integration-settings/tokens',
  group,
  summary: 'Revoke all of your tokens',
  notes: 'For signing out everywhere: signing out at Supabase Auth ends sessions, but revokes no tokens.',
  caller: 'user',
  answer: () => z.strictObject({ revoked: z.number().describe('How many were usable until now.') }),
})
