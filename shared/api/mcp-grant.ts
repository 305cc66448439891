import { z } from 'zod'
import { once } from '../engine/core/once.ts'
import { id, optional, withWords } from './field-words.ts'
import { defineRoute } from './route.ts'

// What apps that connect over MCP may do: each was let in by Supabase's OAuth server, and is allowed here.

/** The name of the tool that is the agent itself. */
const agentTool = 'ask_agent'

const toolNames = withWords(
  z
    .array(z.string().regex(/^[A-Za-z0-9_-]{1,64}$/))
    .max(1000)
    .transform((names) => [...new Set(names)]),
  { expected: 'a list of names of tools' },
)
  .describe(`Names of tools, and \`${agentTool}\` for the agent itself. A tool that comes later is off.`)
  .meta({ examples: [['web_search', 'smtp_send_email']] })

const forms = z
  .boolean()
  .describe(
    'Whether the app may show approvals itself. By default not: some apps answer them without showing them to anybody.',
  )

/** What an app may do, as its user sees it. */
export const mcpGrant = once(() =>
  z
    .strictObject({
      id: z.string(),
      clientId: z.string().describe('The id of the app at the OAuth server.'),
      clientName: z.string().describe('What the app calls itself. Nobody has checked it.'),
      redirectHost: z
        .string()
        .nullable()
        .describe('The host that its user was sent back to; null if that is not known.'),
      agentId: z.string(),
      tools: z.array(z.string()),
      forms: z.boolean(),
      createdAt: z.string(),
      lastUsedAt: z.string().nullable().describe('ISO 8601; null if it was never used.'),
      used: z.number().describe('How many requests came by it.'),
    })
    .meta({ id: 'McpGrant', description: 'What an app that connects over MCP may do with an agent.' }),
)
export type McpGrant = z.output<ReturnType<typeof mcpGrant>>

/** What could be granted. */
export const grantableAgent = once(() =>
  z
    .strictObject({
      id: z.string(),
      name: z.string(),
      tools: z.array(
        z.strictObject({
          name: z.string(),
          effect: z.enum(['read', 'write']),
          asks: z.boolean().describe('Whether the user is asked before each call.'),
        }),
      ),
    })
    .meta({ id: 'GrantableAgent', description: 'An agent, with the tools that it may use.' }),
)

export const newMcpGrant = z
  .object({
    clientId: z
      .string()
      .min(1)
      .max(2048)
      .meta({ examples: ['9f3c1a52-6f0e-4a53-8d0b-2f1f5f6f7a10'] }),
    clientName: z
      .string()
      .trim()
      .min(1)
      .max(200)
      .meta({ examples: ['Claude Code'] }),
    redirectHost: optional(z.string().min(1).max(255)).describe(
      'The host that its user is sent back to, as the OAuth server says it.',
    ),
    agentId: withWords(id(), { expected: 'the id of an agent' }),
    tools: toolNames,
    forms: forms.default(false),
  })
  .meta({ id: 'NewMcpGrant' })
export type NewMcpGrant = z.output<typeof newMcpGrant>

export const mcpGrantChange = z
  .object({ tools: optional(toolNames), forms: optional(forms) })
  .meta({ id: 'McpGrantChange' })
export type McpGrantChange = z.output<typeof mcpGrantChange>

const group = 'Connected apps'
const ofGrant = z.object({ id: withWords(id(), { refusal: 'grant_not_found' }) })

export const listMcpGrants = defineRoute({
  method: 'GET',
  path: '/integration-settings/mcp-grants',
  group,
  summary: 'List the apps that may use your agents over MCP',
  notes: 'With your agents, and the tools that each could be granted. Newest first.',
  caller: 'user',
  answer: once(() => z.strictObject({ grants: z.array(mcpGrant()), agents: z.array(grantableAgent()) })),
})

export const makeMcpGrant = defineRoute({
  method: 'POST',
  path: '/integration-settings/mcp-grants',
  group,
  summary: 'Let an app use an agent',
  notes:
    'The app still needs a token of Supabase’s OAuth server: the page where its user consents makes the grant first. The same app and agent again changes the grant.',
  caller: 'user',
  decides: true,
  body: newMcpGrant,
  status: 201,
  answer: once(() => z.strictObject({ grant: mcpGrant() })),
  refusals: ['agent_not_found', 'unknown_tool', 'limit_reached'],
})

export const changeMcpGrant = defineRoute({
  method: 'PATCH',
  path: '/integration-settings/mcp-grants/:id',
  group,
  summary: 'Change what an app may do',
  notes: 'It takes effect with the next call.',
  caller: 'user',
  decides: true,
  params: ofGrant,
  body: mcpGrantChange,
  answer: once(() => z.strictObject({ grant: mcpGrant() })),
  refusals: ['grant_not_found', 'unknown_tool'],
})

export const revokeMcpGrant = defineRoute({
  method: 'DELETE',
  path: '/integration-settings/mcp-grants/:id',
  group,
  summary: 'Disconnect an app',
  notes:
    'It takes effect with the next call. `auth.oauth.revokeGrant` of supabase-js also ends the app’s sessions at the OAuth server.',
  caller: 'user',
  params: ofGrant,
  answer: () => z.strictObject({ deleted: z.string() }),
  refusals: ['grant_not_found'],
})
