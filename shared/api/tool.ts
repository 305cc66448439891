import { z } from 'zod'
import { once } from '../engine/core/once.ts'
import { defineRoute } from './route.ts'

// What agents can be given.

const toolDescription = once(() =>
  z
    .strictObject({
      name: z.string(),
      title: z.string(),
      description: z.string(),
      effect: z.enum(['read', 'write']),
      parameters: z.record(z.string(), z.unknown()).meta({
        'x-json-schema': true,
        description: 'JSON Schema of its arguments.',
      }),
      providers: z.array(z.string()).describe('Ids of the providers whose connections it can use.'),
      function: z.string().describe('The function that runs it.'),
      action: z.string().describe('What that function is asked for.'),
      server: z
        .string()
        .optional()
        .describe('The name of the server of MCP that runs it; others run that server.'),
      approval: z
        .enum(['always', 'sometimes', 'never'])
        .describe('Whether calls need approval, unless an agent says otherwise.'),
      alwaysAsks: z.literal(true).optional().describe('Calls need approval, whatever an agent says.'),
      offReason: z.string().nullable().describe('Why nobody can use it at the moment, or null.'),
    })
    .meta({ id: 'ToolDescription', description: 'A tool as people see it.' }),
)
export type ToolDescription = z.output<ReturnType<typeof toolDescription>>

export const listTools = defineRoute({
  method: 'GET',
  path: '/chat/tools',
  group: 'Messages',
  summary: 'List the tools that agents can be given',
  notes:
    'Tools of integrations that are not in this project are left out. Those that are switched off for everybody are listed, with the reason. Then come those of servers of MCP that the user has, as they were accepted.',
  caller: 'user',
  answer: () => z.strictObject({ tools: z.array(toolDescription()) }),
})
