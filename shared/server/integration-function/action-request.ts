import { z } from 'zod'
import { optional, withWords } from '../../api/field-words.ts'
import { once } from '../../engine/core/once.ts'
import { requireShallow } from '../http/json-depth.ts'
import { parseRequest } from '../http/parse-request.ts'

/** A place list that a caller got wrong opens no place. */
const texts = () =>
  z.preprocess(
    (list) => (Array.isArray(list) ? list.filter((one) => typeof one === 'string') : []),
    z.array(z.string()),
  )

const actionRequest = once(() =>
  withWords(
    z.object({
      action: withWords(z.string().min(1), { expected: 'the name of an action, such as "send_email"' }),
      params: z
        .preprocess((params) => params ?? {}, z.record(z.string(), z.unknown()))
        .describe('Arguments of the tool, as prepared by the caller.'),
      agentId: optional(withWords(z.guid(), { expected: 'the id of an agent' })),
      scope: optional(z.string().max(200)).describe('What the conversation belongs to in the app.'),
      idempotencyKey: optional(z.string().min(1).max(256)).describe(
        'The same for all deliveries of one call; without it every request is a separate call.',
      ),
      freePlaces: z
        .object({ sites: texts(), addresses: texts() })
        .optional()
        .catch(undefined)
        .describe('For a tool that reads the web: additional places that may be read.'),
      seen: z
        .record(z.string(), z.unknown())
        .optional()
        .describe(
          'What the approval of this call relied on: compared before the effect, or with `look` right away.',
        ),
      look: z
        .literal(true)
        .optional()
        .catch(undefined)
        .describe('Does nothing except look at what the effect of this call depends on.'),
      verify: z
        .literal(true)
        .optional()
        .catch(undefined)
        .describe('Does nothing except ask the provider whether the write with this key has happened.'),
    }),
    { expected: 'a JSON object { action, params, agentId?, idempotencyKey? }' },
  ),
)

/** A request to an integration function. */
export type ActionRequest = z.output<ReturnType<typeof actionRequest>>

/** Reads the body; throws ApiError 400 that says which member is wrong. Ignores unknown members. */
export function readActionRequest(body: unknown): ActionRequest {
  requireShallow(body)
  return parseRequest(actionRequest(), body)
}
