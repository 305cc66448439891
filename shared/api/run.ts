import { z } from 'zod'
import { defineRoute, once } from './route.ts'

// The runs of a conversation, the models that can answer it, and its files.

const params = z.object({ id: z.string() })

export const followRun = defineRoute({
  method: 'GET',
  path: '/chat/:id/stream',
  group: 'Messages',
  summary: 'Read an answer while it is written',
  notes: 'From its first part, and a while after its end; 204 where there is nothing to read.',
  caller: 'user',
  params,
  media: { 'text/event-stream': 'The UI message stream of the AI SDK, version 1.' },
  refusals: ['too_many_readers'],
})

export const stopRun = defineRoute({
  method: 'POST',
  path: '/chat/:id/stop',
  group: 'Messages',
  summary: 'Stop an answer',
  notes: 'What has begun to be sent is still finished. A body is not read.',
  caller: 'user',
  params,
  answer: once(() =>
    z
      .strictObject({
        conversationId: z.string(),
        runId: z.string().nullable().describe('The run that was stopped; null where none was at work.'),
        stopped: z.boolean(),
      })
      .meta({ id: 'StopAnswer', description: 'What stopping has come to.' }),
  ),
  refusals: ['conversation_not_found'],
})
export type StopAnswer = z.output<ReturnType<typeof stopRun.answer>>

export const listModels = defineRoute({
  method: 'GET',
  path: '/chat/models',
  group: 'Messages',
  summary: 'List the models that can answer',
  caller: 'user',
  query: z.object({ agentId: z.string().optional(), conversationId: z.string().optional() }),
  answer: () =>
    z.strictObject({
      models: z.array(modelChoice()),
      chosen: z.string().nullable().describe('The id of the one that was chosen there; null: none.'),
    }),
})

const modelChoice = once(() =>
  z
    .strictObject({
      id: z.string().describe('As it is sent to choose it: `provider/model`.'),
      provider: z.string(),
      model: z.string(),
      isDefault: z.boolean().describe('It answers where nothing is chosen.'),
      isDemo: z.boolean().describe('A few rules of the local stack, no language model.'),
      isOwnKey: z.boolean().describe('It is asked with the user’s own key.'),
    })
    .meta({ id: 'ModelChoice', description: 'A model that a conversation can be answered by.' }),
)

export const getFile = defineRoute({
  method: 'GET',
  path: '/chat/files/:id',
  group: 'Messages',
  summary: 'Get a file of a message',
  notes:
    'The address stands in the message. It is the right to read the file, for an hour; no token is needed.',
  caller: 'link',
  params,
  query: z.object({ expires: z.string().optional(), signature: z.string().optional() }),
  media: { '*/*': 'The file.' },
  refusals: ['file_not_found', 'storage_unavailable'],
})

export const wakeRuns = defineRoute({
  method: 'POST',
  path: '/chat/clock',
  group: 'Messages',
  summary: 'Go on with runs whose time has come',
  notes: 'For the clock of the project, with the function secret.',
  caller: 'clock',
  status: 202,
  answer: () => z.strictObject({ resumed: z.number() }),
  refusals: ['not_configured'],
})
