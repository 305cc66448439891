import { z } from 'zod'
import { once } from '../engine/core/once.ts'
import { withWords } from './field-words.ts'
import { defineRoute } from './route.ts'

export const deleteAccount = defineRoute({
  method: 'DELETE',
  path: '/integration-settings/account',
  group: 'Your account',
  summary: 'Delete your account and all your data',
  caller: 'user',
  decides: true,
  body: z.object({
    email: withWords(z.string().max(500).regex(/\S/), {
      expected: 'the address of the account, typed once more',
    }).describe('The email address of the account, typed again to confirm; its id if it has no address.'),
  }),
  answer: once(() =>
    z
      .strictObject({
        deleted: z.literal(true),
        notRevoked: z
          .array(z.string())
          .describe('Providers where access could not be revoked: the user has to remove the app there.'),
      })
      .meta({ id: 'DeletedAccount', description: 'The result of deleting an account.' }),
  ),
  refusals: ['wrong_email', 'still_running'],
})
export type DeletedAccount = z.output<ReturnType<typeof deleteAccount.answer>>
