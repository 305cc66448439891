import { z } from 'zod'
import { once } from '../engine/core/once.ts'
import { id, optional, withWords } from './field-words.ts'
import { defineRoute } from './route.ts'

// Servers of MCP that others run, whose tools a user's agents can use.

/** What a server is called here: the names of its tools begin with it. */
const serverName = withWords(
  z
    .string()
    .max(24)
    .regex(/^[a-z](?:_?[a-z0-9])*$/),
  { expected: 'a name of at most 24 small letters, digits and single underscores, such as linear' },
).meta({ examples: ['linear'] })

/** Another tool of a server that tells what became of calls of one. */
const verifier = once(() =>
  z
    .object({
      tool: z.string().max(64).describe('A tool of the same server, which says that it only reads.'),
      arguments: withWords(
        z.record(z.string().max(200), z.unknown()).refine((given) => Object.keys(given).length <= 20),
        { expected: 'an object with at most 20 arguments' },
      ).describe('Its arguments. In a text `{title}` stands for the argument `title` of the call.'),
      found: z
        .string()
        .min(1)
        .max(1000)
        .describe(
          'What its result says once the call has happened, and does not say before; with `{title}`, too.',
        ),
    })
    .meta({
      id: 'McpVerifier',
      description: 'A tool that tells whether a call has happened whose answer was lost.',
    }),
)
export type McpVerifier = z.output<ReturnType<typeof verifier>>

/** A server, as those who can use it see it. */
export const mcpServer = once(() =>
  z
    .strictObject({
      id: z.string(),
      name: z.string().describe('The names of its tools begin with it, as in `linear__create_issue`.'),
      title: z.string().describe('What the server calls itself. Nobody has checked it.'),
      url: z.string(),
      scope: z.enum(['user', 'project']).describe('`project`: everybody has it, and operators change it.'),
      changeable: z.boolean().describe('Whether you may change it.'),
      status: z
        .enum(['ready', 'sign_in', 'unreachable'])
        .describe('`sign_in`: it lets nobody in without signing in there.'),
      trusted: z.boolean().describe('Whether it is believed which of its tools only read: those do not ask.'),
      private: z
        .boolean()
        .describe('Whether it may be sent what was read elsewhere, without asking about that.'),
      notes: z
        .array(z.string())
        .describe('Why it is not ready, or what of its tools was not taken as the server has it.'),
      tools: z
        .array(
          z.strictObject({
            name: z.string(),
            title: z.string(),
            effect: z.enum(['read', 'write']),
            on: z.boolean().describe('Whether agents can use it.'),
            verifiedBy: verifier().optional(),
          }),
        )
        .describe('Those that somebody has accepted.'),
      changes: z.number().describe('How many of its tools are new, different or gone.'),
    })
    .meta({ id: 'McpServer', description: 'A server of MCP that others run.' }),
)
export type McpServer = z.output<ReturnType<typeof mcpServer>>

/** What a server says of one of its tools. */
const definition = once(() =>
  z
    .strictObject({
      title: z.string(),
      description: z.string(),
      inputSchema: z.record(z.string(), z.unknown()),
      annotations: z.record(z.string(), z.boolean()),
    })
    .meta({ id: 'McpToolDefinition', description: 'What a server says of one of its tools.' }),
)

/** What is different with a tool since it was accepted. */
export const mcpToolChange = once(() =>
  z
    .strictObject({
      name: z.string(),
      title: z.string(),
      kind: z
        .enum(['words', 'stricter', 'off', 'gone', 'new'])
        .describe('`words`: it works on as it was accepted. `off`: nobody can use it until it is accepted.'),
      said: z.array(z.string()),
      before: definition().optional().describe('As it was accepted.'),
      after: definition().optional().describe('What there is to accept.'),
    })
    .meta({ id: 'McpToolChange', description: 'What is different with a tool since it was accepted.' }),
)
export type McpToolChange = z.output<ReturnType<typeof mcpToolChange>>

/** Sent to the server's origin only. */
const headers = withWords(
  z
    .record(z.string().min(1).max(200), z.string().max(8000))
    .refine((given) => Object.keys(given).length <= 20),
  { expected: 'at most 20 headers, each with a text' },
)
  .describe(
    'Sent to the server’s own origin with each request, such as a key. They are stored encrypted and never shown.',
  )
  .meta({ examples: [{ Authorization: 'Bearer …' }] })

export const newMcpServer = z
  .object({
    url: z
      .string()
      .trim()
      .min(1)
      .max(2000)
      .meta({ examples: ['https://mcp.example.com/mcp'] }),
    name: optional(serverName).describe('By default made of what it calls itself, or of its host.'),
    scope: z
      .enum(['user', 'project'])
      .default('user')
      .describe('`project`: for everybody, by operators only.'),
    headers: optional(headers),
  })
  .meta({ id: 'NewMcpServer' })
export type NewMcpServer = z.output<typeof newMcpServer>

export const mcpServerChange = z
  .object({
    name: optional(serverName).describe('Its tools get other names. What was allowed for the old ones ends.'),
    trusted: optional(z.boolean()),
    private: optional(z.boolean()),
    tools: optional(
      withWords(
        z
          .array(
            z.object({
              name: z.string().max(64),
              on: optional(z.boolean()),
              verifiedBy: verifier()
                .nullable()
                .optional()
                .describe('Null: nothing tells, and people are asked.'),
            }),
          )
          .max(200),
        { expected: 'a list of tools, each with its name, and `on` or `verifiedBy`' },
      ),
    ),
  })
  .meta({ id: 'McpServerChange' })
export type McpServerChange = z.output<typeof mcpServerChange>

const group = 'Servers of MCP'
const ofServer = z.object({ id: withWords(id(), { refusal: 'server_not_found' }) })
const answer = once(() => z.strictObject({ server: mcpServer() }))
const ofChange = ['server_not_found', 'not_an_operator', 'stale'] as const

export const listMcpServers = defineRoute({
  method: 'GET',
  path: '/integration-settings/servers',
  group,
  summary: 'List the servers whose tools your agents can use',
  notes: 'Those of the project first.',
  caller: 'user',
  answer: once(() => z.strictObject({ servers: z.array(mcpServer()) })),
})

export const addMcpServer = defineRoute({
  method: 'POST',
  path: '/integration-settings/servers',
  group,
  summary: 'Add a server',
  notes:
    'Its tools are read and accepted as they are. A server that wants a sign-in, or that cannot be reached at the moment, is added without tools. The same address again is the same server: its headers are replaced, if there are any, and its tools are read again.',
  caller: 'user',
  decides: true,
  body: newMcpServer,
  status: 201,
  answer,
  refusals: [
    'server_not_usable',
    'server_name_taken',
    'not_an_operator',
    'limit_reached',
    'stale',
    'not_configured',
  ],
})

export const changeMcpServer = defineRoute({
  method: 'PATCH',
  path: '/integration-settings/servers/:id',
  group,
  summary: 'Change a server',
  caller: 'user',
  decides: true,
  params: ofServer,
  body: mcpServerChange,
  answer,
  refusals: [...ofChange, 'server_name_taken', 'unknown_tool', 'not_verifiable'],
})

export const removeMcpServer = defineRoute({
  method: 'DELETE',
  path: '/integration-settings/servers/:id',
  group,
  summary: 'Remove a server',
  notes: 'With its tools, and what was allowed for them. It also ends your sign-in there.',
  caller: 'user',
  params: ofServer,
  answer: () => z.strictObject({ deleted: z.string() }),
  refusals: ['server_not_found', 'not_an_operator'],
})

export const refreshMcpServer = defineRoute({
  method: 'POST',
  path: '/integration-settings/servers/:id/refresh',
  group,
  summary: 'Read the tools of a server again',
  notes: 'What is new or different waits until it is accepted.',
  caller: 'user',
  params: ofServer,
  answer,
  refusals: [...ofChange, 'not_configured'],
})

export const listMcpServerChanges = defineRoute({
  method: 'GET',
  path: '/integration-settings/servers/:id/changes',
  group,
  summary: 'List what is different with the tools of a server',
  notes: 'Compared with what was accepted, when its tools were read last.',
  caller: 'user',
  params: ofServer,
  answer: once(() => z.strictObject({ changes: z.array(mcpToolChange()) })),
  refusals: ['server_not_found'],
})

export const acceptMcpServerChanges = defineRoute({
  method: 'POST',
  path: '/integration-settings/servers/:id/accept',
  group,
  summary: 'Accept what is different with tools of a server',
  notes: 'What was allowed for the tools as they were ends. A tool that is gone is removed.',
  caller: 'user',
  decides: true,
  params: ofServer,
  body: z.object({
    tools: withWords(z.array(z.string().max(64)).min(1).max(400), { expected: 'a list of names of tools' }),
  }),
  answer,
  refusals: [...ofChange, 'unknown_tool'],
})
