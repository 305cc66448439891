import { z } from 'zod'
import { once } from '../engine/core/once.ts'
import { usualUse } from '../engine/core/permission.ts'
import { readPattern } from '../engine/provenance/recipients.ts'
import { id, optional, withWords } from './field-words.ts'
import { defineRoute } from './route.ts'

// Standing permissions: to whom an agent may send without asking, and how often.

const pattern = withWords(
  z
    .string()
    .max(320)
    .transform((text, context) => {
      const read = readPattern(text)
      if (read !== undefined) return read
      context.addIssue({ code: 'custom' })
      return z.NEVER
    }),
  { expected: 'an email address, or "*@" and a domain' },
)
  .describe('An address, or `*@` and a domain for every address at exactly that domain.')
  .meta({ examples: ['*@acme.com'] })

const per = z.enum(['minute', 'hour', 'day'])

const limit = {
  pattern,
  max: withWords(z.number().int().min(1).max(1000), { expected: 'a whole number from 1 to 1000' })
    .default(usualUse.max)
    .describe(`How often it may be used; ${usualUse.max} by default.`),
  per: per
    .default(usualUse.per)
    .describe(`The period that \`max\` applies to, in UTC; \`${usualUse.per}\` by default.`),
}

/** The standing permission that comes with an approval. */
export const remembered = z.object(limit).meta({ id: 'Remember' })
export type Remembered = z.output<typeof remembered>

export const newPermission = z
  .object({
    agentId: withWords(id(), { expected: 'the id of an agent' }),
    grantId: optional(withWords(id(), { expected: 'the id of a grant' })).describe(
      'Of an app that connects over MCP, for what it does through this agent. The agent’s own permissions don’t count there.',
    ),
    toolName: z
      .string()
      .min(1)
      .max(64)
      .meta({ examples: ['smtp_send_email'] }),
    ...limit,
  })
  .meta({ id: 'NewPermission' })
export type NewPermission = z.output<typeof newPermission>

/** Whom a standing permission is about, and how often it may be used. */
export const permissionTerms = once(() => z.strictObject({ pattern: z.string(), max: z.number(), per }))

/** A standing permission as its owner sees it. */
export const permission = once(() =>
  z
    .strictObject({
      id: z.string(),
      agentId: z.string(),
      grantId: z
        .string()
        .nullable()
        .describe(
          'The app over MCP that it was given to; null if it counts for the agent itself, in the chat.',
        ),
      toolName: z.string(),
      path: z.string().describe('The parameter that it is about; `to` stands for to, cc and bcc.'),
      pattern: z.string(),
      max: z.number(),
      per,
      used: z.number().describe('Uses in this minute, hour or day.'),
      total: z.number().describe('Uses since it was given.'),
      lastUsedAt: z.string().nullable().describe('ISO 8601.'),
      createdAt: z.string(),
    })
    .meta({ id: 'Permission', description: 'To whom an agent may send without asking, and how often.' }),
)
export type Permission = z.output<ReturnType<typeof permission>>

const group = 'Standing permissions'

export const listPermissions = defineRoute({
  method: 'GET',
  path: '/chat/permissions',
  group,
  summary: 'List your standing permissions',
  caller: 'user',
  query: z.object({ agentId: optional(id()).describe('Only those of this agent.') }),
  answer: once(() => z.strictObject({ permissions: z.array(permission()) })),
})

export const addPermission = defineRoute({
  method: 'POST',
  path: '/chat/permissions',
  group,
  summary: 'Let an agent send to somebody without asking',
  notes:
    'The same tool and pattern again changes the limit. With `grantId` it is given to an app over MCP, and ends with its grant.',
  caller: 'user',
  decides: true,
  body: newPermission,
  status: 201,
  answer: once(() => z.strictObject({ permission: permission() })),
  refusals: [
    'agent_not_found',
    'grant_not_found',
    'unknown_tool',
    'pattern_too_wide',
    'permission_not_possible',
    'too_many_permissions',
    'limit_reached',
  ],
})

export const revokePermission = defineRoute({
  method: 'DELETE',
  path: '/chat/permissions/:id',
  group,
  summary: 'Revoke a standing permission',
  notes: 'It takes effect with the next call, even in a run already under way.',
  caller: 'user',
  params: z.object({
    id: withWords(id(), {
      refusal: 'permission_not_found',
    }),
  }),
  answer: () => z.strictObject({ deleted: z.string() }),
  refusals: ['permission_not_found'],
})
