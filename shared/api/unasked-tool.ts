import { z } from 'zod'
import { once } from '../engine/core/once.ts'
import { id, withWords } from './field-words.ts'
import { defineRoute } from './route.ts'

// Tools that write and never ask: by a setting of their user, or by their own rule.

/** A tool that an agent uses without asking. */
export const unaskedTool = once(() =>
  z
    .strictObject({
      agentId: z.string(),
      toolName: z.string(),
      since: z
        .string()
        .nullable()
        .describe('ISO 8601: when you set it to never ask; null: it never asks by its own rule.'),
      used: z.number().describe('How often the agent used it without anybody being asked.'),
      lastUsedAt: z.string().nullable().describe('ISO 8601; null if that was never.'),
    })
    .meta({ id: 'UnaskedTool', description: 'A tool that writes, and that an agent uses without asking.' }),
)

const group = 'Tools that never ask'

export const listUnaskedTools = defineRoute({
  method: 'GET',
  path: '/chat/unasked-tools',
  group,
  summary: 'List the tools that your agents use without asking',
  notes:
    'Only those that write. Such a tool still asks before it repeats something, and after the model has read something from outside.',
  caller: 'user',
  answer: once(() => z.strictObject({ tools: z.array(unaskedTool()) })),
})

export const askFirst = defineRoute({
  method: 'DELETE',
  path: '/chat/unasked-tools/:agentId/:toolName',
  group,
  summary: 'Have an agent ask before it uses a tool',
  notes:
    'It takes effect with the next message or decision. Whether the agent may use the tool stays as it is.',
  caller: 'user',
  params: z.object({
    agentId: withWords(id(), { expected: 'the id of an agent' }),
    toolName: z.string(),
  }),
  answer: () => z.strictObject({ deleted: z.string().describe('The name of the tool.') }),
  refusals: ['bad_request', 'agent_not_found', 'unknown_tool'],
})
