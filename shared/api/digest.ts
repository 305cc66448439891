import { z } from 'zod'
import { once } from '../engine/core/once.ts'
import { withWords } from './field-words.ts'
import { defineRoute } from './route.ts'

// Mails about what has waited for a user for a while.

/** A week. */
const mostMinutes = 10_080

export const digestSetting = once(() =>
  z
    .strictObject({
      minutes: z
        .number()
        .nullable()
        .describe('After how many minutes of waiting you are mailed; null: you are not.'),
      to: z.string().nullable().describe('Your address; null without one that is confirmed.'),
      isPossible: z.boolean().describe('Whether the project sends such mails.'),
    })
    .meta({ id: 'DigestSetting', description: 'When a user is mailed about what waits.' }),
)
export type DigestSetting = z.output<ReturnType<typeof digestSetting>>

const group = 'Your account'

export const readDigestSetting = defineRoute({
  method: 'GET',
  path: '/chat/digest',
  group,
  summary: 'Read when you are mailed about what waits',
  caller: 'user',
  answer: once(() => z.strictObject({ digest: digestSetting() })),
})

export const changeDigestSetting = defineRoute({
  method: 'PATCH',
  path: '/chat/digest',
  group,
  summary: 'Change when you are mailed about what waits',
  notes:
    'You get one mail about everything that has waited for you for so long, and never a second one about the same item. Off by default.',
  caller: 'user',
  body: z
    .object({
      minutes: withWords(z.int().min(1).max(mostMinutes).nullable(), {
        expected: 'a whole number of minutes from 1 to 10080, or null for no mails',
      }).describe('After how many minutes of waiting, up to a week; null for never.'),
    })
    .meta({ id: 'DigestChange' }),
  answer: once(() => z.strictObject({ digest: digestSetting() })),
})

const token = z.object({ token: z.string().max(200).describe('From the mail.') })
const ofMail = { path: '/chat/digest/unsubscribe', group, caller: 'anybody', query: token } as const

export const openUnsubscribe = defineRoute({
  ...ofMail,
  method: 'GET',
  summary: 'Open the link by which mails are ended',
  notes:
    'Changes nothing, since mail programs open links in advance: it leads to a page of the web app that asks.',
  status: 303,
  refusals: ['link_not_valid', 'not_configured'],
})

export const unsubscribe = defineRoute({
  ...ofMail,
  method: 'POST',
  summary: 'End the mails',
  notes:
    'For the page behind the link, and for mail programs (`List-Unsubscribe-Post`, RFC 8058). Takes no sign-in; the same again changes nothing.',
  answer: () => z.strictObject({ unsubscribed: z.literal(true) }),
  refusals: ['link_not_valid', 'not_configured'],
})
