import * as z from 'zod'

/** Ids that one call may change: as many as one request to Gmail accepts. */
const mostIds = 1000
/** Emails on one page. */
const mostResults = 100
/** A message id has 16 hexadecimal digits; Gmail refuses other things that look like ids. */
const messageId = z
  .string()
  .regex(/^[\w-]+$/)
  .max(100)
  .meta({ title: 'email id', hint: 'Please use an id from the results of an email search.' })

const messageIds = z
  .array(messageId)
  .min(1)
  .max(mostIds)
  .meta({
    title: 'emails',
    description: 'Ids of emails, as gmail_search_emails gives them.',
    question: 'Which emails is this about?',
    hint: 'Please provide the ids of the emails; searching for them gives their ids.',
    examples: [['18c2f0a1b2c3d4e5']],
    aliases: ['message_id', 'ids', 'email_ids', 'id'],
  })

const query = z
  .string()
  .max(2000)
  .meta({
    title: 'search text',
    description: "Gmail's search text, like: from:ada@example.com subject:meeting is:unread newer_than:7d",
    question: 'Which emails should I look for?',
    hint: 'Please say who they are from, what they are about or when they came.',
    examples: ['from:ada@example.com is:unread'],
    aliases: ['q', 'search', 'search_query'],
  })

const paging = {
  max_results: z
    .int()
    .min(1)
    .max(mostResults)
    .meta({ description: 'How many emails, 10 by default.', aliases: ['limit', 'count', 'num_results'] })
    .optional(),
  page_token: z
    .string()
    .max(1000)
    .meta({ description: 'next_page_token of the page before.', aliases: ['next_page_token', 'cursor'] })
    .optional(),
}

export const searchParameters = z.strictObject({ query, ...paging })

export const readParameters = z.strictObject({
  message_ids: messageIds
    .max(mostResults)
    .meta({ description: 'Ids of the emails to read. Without them the newest ones that fit are read.' })
    .optional(),
  query: query.optional(),
  label_ids: z
    .array(z.string().min(1).max(225))
    .max(20)
    .meta({
      description: 'Only emails that have all of these labels, by id or name, like INBOX or UNREAD.',
      aliases: ['labels'],
      examples: [['INBOX']],
    })
    .optional(),
  ...paging,
  include_body: z
    .boolean()
    .meta({
      description: 'Whether to read the full text and list the attached files. Without it only a snippet.',
      aliases: ['full', 'with_body'],
    })
    .optional(),
  from: z
    .int()
    .min(0)
    .max(1_000_000_000)
    .meta({
      title: 'first character',
      description:
        'With include_body and one id: where to begin in the text, in characters. A text that is cut says the value for what follows.',
      examples: [31_000],
      aliases: ['offset', 'start'],
    })
    .optional(),
})

export const actionParameters = z.strictObject({
  action: z
    .enum(['mark_read', 'mark_unread', 'archive', 'unarchive', 'star', 'unstar', 'delete', 'delete_forever'])
    .meta({
      description: 'delete moves to the trash; delete_forever cannot be undone, use it only when asked for.',
      question: 'What should I do with these emails?',
    }),
  message_ids: messageIds,
})

export const labelParameters = z.strictObject({
  action: z
    .enum(['create', 'list', 'apply', 'remove'])
    .meta({ question: 'Should I create a label, list the labels, or apply or remove one?' }),
  label_name: z
    .string()
    .min(1)
    .max(225)
    .regex(/^\P{Cc}*$/u)
    .meta({
      title: 'label',
      description: 'Name of the label. Not needed to list.',
      question: 'Which label is this about?',
      hint: 'Please provide its name.',
      examples: ['Invoices'],
      aliases: ['label', 'name'],
    })
    .optional(),
  message_ids: messageIds
    .meta({ description: 'Emails to apply the label to, or to remove it from.' })
    .optional(),
})

export type SearchParameters = z.infer<typeof searchParameters>
export type ReadParameters = z.infer<typeof readParameters>
export type ActionParameters = z.infer<typeof actionParameters>
export type LabelParameters = z.infer<typeof labelParameters>
