import { z } from 'zod'
import { once } from '../engine/core/once.ts'
import { optional } from './field-words.ts'
import { defineRoute } from './route.ts'

// The runs of a conversation, the models that can answer it, and its files.

const params = z.object({ id: z.string() })

export const followRun = defineRoute({
  method: 'GET',
  path: '/chat/:id/stream',
  group: 'Messages',
  summary: 'Stream an answer while it is being written',
  notes: 'The stream starts from the beginning of the answer, and stays available for a while after its end.',
  caller: 'user',
  params,
  media: { 'text/event-stream': 'The UI message stream of the AI SDK, version 1.' },
  orEmpty: 'There is nothing to read.',
  refusals: ['too_many_readers', 'rate_limited'],
})

export const stopRun = defineRoute({
  method: 'POST',
  path: '/chat/:id/stop',
  group: 'Messages',
  summary: 'Stop an answer',
  notes: 'A write that has already begun finishes. The request needs no body.',
  caller: 'user',
  params,
  answer: once(() =>
    z
      .strictObject({
        conversationId: z.string(),
        runId: z.string().nullable().describe('The run that was stopped; null if none was running.'),
        stopped: z.boolean(),
      })
      .meta({ id: 'StopAnswer', description: 'The result of stopping.' }),
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
      chosen: z
        .string()
        .nullable()
        .describe('The id of the model chosen for the conversation; null if none was chosen.'),
    }),
})

const modelChoice = once(() =>
  z
    .strictObject({
      id: z.string().describe('`provider/model`. Send it as `model` to choose it.'),
      provider: z.string(),
      model: z.string(),
      isDefault: z.boolean().describe('Whether it answers if no model is chosen.'),
      isDemo: z.boolean().describe('Whether it is the rule-based demo model of the local stack.'),
      isOwnKey: z.boolean().describe('Whether the user’s own key is used.'),
    })
    .meta({ id: 'ModelChoice', description: 'A model that can answer in a conversation.' }),
)

export const uploadFile = defineRoute({
  method: 'POST',
  path: '/chat/files',
  group: 'Messages',
  summary: 'Upload a file',
  notes:
    'Send the bytes of the file as the body, and its type as `content-type`. Then name it in a message: `{ "type": "file", "url", "mediaType", "filename" }` with what this route returned. The same file is stored once. A file that no message has used within a day is deleted.',
  caller: 'user',
  query: z.object({ name: optional(z.string()).describe('The name of the file.') }),
  upload: { '*/*': 'The file, up to 5 MiB.' },
  status: 201,
  answer: once(() => z.strictObject({ file: uploadedFile() })),
  refusals: [
    'empty_file',
    'wrong_media_type',
    'file_too_large',
    'too_much_stored',
    'limit_reached',
    'rate_limited',
    'too_many_large_bodies',
    'body_incomplete',
    'body_timeout',
    'storage_unavailable',
  ],
})

const uploadedFile = once(() =>
  z
    .strictObject({
      id: z.string(),
      url: z
        .string()
        .describe('A link to the file, for a message. Anybody can read the file with it for up to an hour.'),
      mediaType: z.string().describe('By its content, or else as it was declared.'),
      filename: z.string(),
      size: z.number().describe('In bytes.'),
    })
    .meta({ id: 'UploadedFile', description: 'A file that is stored and can be put into a message.' }),
)
export type UploadedFile = z.output<ReturnType<typeof uploadedFile>>

export const getFile = defineRoute({
  method: 'GET',
  path: '/chat/files/:id',
  group: 'Messages',
  summary: 'Get an attached file',
  notes:
    'The message contains the signed URL. For up to an hour, anybody who has it can read the file without a token.',
  caller: 'link',
  params,
  query: z.object({ expires: z.string().optional(), signature: z.string().optional() }),
  media: { '*/*': 'The file.' },
  refusals: ['file_not_found', 'too_many_documents', 'storage_unavailable'],
})

/** What is known of the clock that continues waiting runs. */
export const clockState = once(() =>
  z
    .strictObject({
      tickedAt: z
        .string()
        .nullable()
        .meta({ description: 'When the job, or the timer of the local stack, last looked for what is due.' }),
      cameAt: z
        .string()
        .nullable()
        .meta({ description: 'When a request from it last reached the function.' }),
      status: z
        .number()
        .nullable()
        .meta({ description: 'The HTTP status of the last answer that the job has seen.' }),
      trouble: z
        .enum([
          'never',
          'stopped',
          'silent',
          'no_vault',
          'no_url',
          'no_secret',
          'no_pg_net',
          'refused',
          'not_found',
          'failed',
          'no_answer',
        ])
        .nullable()
        .meta({
          description: 'What is wrong; null if nothing is. docs/observability.md says what each means.',
        }),
    })
    .meta({ id: 'ClockState' }),
)

export const checkHealth = defineRoute({
  method: 'GET',
  path: '/chat/health',
  group: 'Messages',
  summary: 'Check that the service works',
  notes:
    'For uptime checks. Operators who send their token also get the state of the clock. 503 with `{ "status": "unavailable" }` if the database does not answer within 2 s, or does not accept this version of the code.',
  caller: 'anybody',
  answer: () =>
    z.strictObject({ status: z.literal('ok'), version: z.string(), clock: clockState().optional() }),
})

export const wakeRuns = defineRoute({
  method: 'POST',
  path: '/chat/clock',
  group: 'Messages',
  summary: 'Continue runs whose wait is over',
  notes:
    'Called by the project’s cron job. The header `x-askback-clock` carries the time in seconds since 1970, a dot, and the HMAC-SHA256 of `askback-clock:` and that time, in hex; the key is `ASKBACK_FUNCTION_SECRET`. It is good for 60 seconds. A request continues at most 20 runs, and then calls this route again while more are due. Also asks providers about writes that may have happened.',
  caller: 'clock',
  body: z
    .strictObject({
      chain: z.uuid().optional().meta({ description: 'Says that this request continues an earlier one.' }),
    })
    .optional(),
  isBodyOptional: true,
  status: 202,
  answer: () => z.strictObject({ resumed: z.number() }),
  refusals: ['not_configured'],
})
