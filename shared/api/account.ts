import { z } from 'zod'
import { withWords } from './field-words.ts'
import { defineRoute, once } from './route.ts'

export const deleteAccount = defineRoute({
  method: 'DELETE',
  path: '/integration-settings/account',
  group: 'Your account',
  summary: 'Delete your account with everything of yours',
  caller: 'user',
  body: z.object({
    email: withWords(z.string().max(500).regex(/\S/), {
      expected: 'the address of the account, typed once more',
    }).describe('The address of the account, typed once more; its id where it has no address.'),
  }),
  answer: once(() =>
    z
      .strictObject({
        deleted: z.literal(true),
        notRevoked: z
          .array(z.string())
          .describe('Providers that could not be told: the user removes the app there.'),
      })
      .meta({ id: 'DeletedAccount', description: 'What became of an account.' }),
  ),
  refusals: ['wrong_email', 'still_running'],
})
export type DeletedAccount = z.output<ReturnType<typeof deleteAccount.answer>>
