import { z } from 'zod'
import { once } from '../engine/core/once.ts'

/** A sentence of ours, as data and in words. */
export const ownText = once(() =>
  z
    .strictObject({
      code: z.string(),
      values: z.record(z.string(), z.unknown()).optional(),
      text: z.string(),
      toolCallId: z.string().optional().describe('The call that it is about.'),
    })
    .meta({
      id: 'OwnText',
      description:
        'A sentence that the model did not write: what stands for it in every language, and the sentence.',
    }),
)
