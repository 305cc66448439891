import {
  callTool,
  callTools,
  fail,
  type ModelServerReply,
  say,
  sayNothing,
} from '../../support/model-reply.ts'

/** A message to an agent of the whole service, what its model answers, and what the user then decides. */
export interface Scene {
  name: string
  message: string
  replies: readonly ModelServerReply[]
  decision?: 'approve' | 'deny' | 'skip'
}

const mail = { to: ['ada@example.com'], subject: 'Summer party', body: 'You are invited.' }
const { to: _, ...withoutRecipient } = mail
const times = (reply: ModelServerReply) => Array.from({ length: 12 }, () => reply)

/** What people meet most: each card, each way an answer ends. */
export const scenes: readonly Scene[] = [
  {
    name: 'a mail to approve',
    message: 'Invite ada@example.com',
    replies: [callTool('smtp_send_email', mail)],
  },
  {
    name: 'an approved mail',
    message: 'Invite ada@example.com',
    replies: [callTool('smtp_send_email', mail), say('Sent.')],
    decision: 'approve',
  },
  {
    name: 'a denied mail',
    message: 'Invite ada@example.com',
    replies: [callTool('smtp_send_email', mail), say('All right.')],
    decision: 'deny',
  },
  {
    name: 'two mails to approve',
    message: 'Invite ada@example.com and bob@example.com',
    replies: [
      callTools([
        ['smtp_send_email', mail],
        ['smtp_send_email', { ...mail, to: ['bob@example.com'], bcc: ['ada@example.com'] }],
      ]),
    ],
  },
  {
    name: 'a mail without a recipient',
    message: 'Invite somebody',
    replies: [callTool('smtp_send_email', withoutRecipient), say('To whom?')],
  },
  {
    name: 'a mail without a recipient, skipped',
    message: 'Invite somebody',
    replies: [callTool('smtp_send_email', withoutRecipient), say('To whom?'), say('I leave it.')],
    decision: 'skip',
  },
  {
    name: 'a mail to half an address',
    message: 'Invite ada@',
    replies: [...times(callTool('smtp_send_email', { ...mail, to: ['ada@'] }))],
  },
  {
    name: 'a mail to somebody whom nobody has named',
    message: 'Invite her',
    replies: [callTool('smtp_send_email', mail), say('To whom?')],
  },
  {
    name: 'a mail from an account that is none',
    message: 'Invite ada@example.com from carol@example.com',
    replies: [...times(callTool('smtp_send_email', { ...mail, from: 'carol@example.com' }))],
  },
  {
    name: 'a mail with a file that is not there',
    message: 'Send ada@example.com the plan',
    replies: [...times(callTool('smtp_send_email', { ...mail, attachments: [{ file_id: 'f-1' }] }))],
  },
  {
    name: 'a search that is not connected',
    message: 'Search for Oslo',
    replies: [callTool('web_search', { query: 'Oslo' }), say('Please connect a search.')],
  },
  {
    name: 'Gmail that is not connected',
    message: 'Look for mail of ada',
    replies: [callTool('gmail_search_emails', { query: 'from:ada' }), say('Please connect Gmail.')],
  },
  {
    name: 'pages that nobody has named',
    message: 'Read what is new',
    replies: [callTool('scrape_and_summarize', { urls: ['https://example.com/a', 'https://example.org/b'] })],
  },
  {
    name: 'a document to create',
    message: 'Create the document Plan',
    replies: [callTool('docs_create_document', { title: 'Plan', content: 'At ten.' }), say('Created.')],
  },
  {
    name: 'a document that is not there',
    message: 'Read the document Plan',
    replies: [...times(callTool('docs_read_document', { document_id: 'plan' }))],
  },
  {
    name: 'a tool that is not there',
    message: 'Water the flowers',
    replies: [...times(callTool('water_flowers', { liters: 2 }))],
  },
  {
    name: 'arguments that cannot be read',
    message: 'Invite ada@example.com',
    replies: [...times(callTool('smtp_send_email', '{"to": ["ada@example.com"], "subject": "Sum'))],
  },
  { name: 'a model that says nothing', message: 'Hello', replies: times(sayNothing()) },
  { name: 'a model that fails', message: 'Hello', replies: times(fail(500)) },
  { name: 'a model that refuses the key', message: 'Hello', replies: times(fail(401)) },
  {
    name: 'a message that is too long for the model',
    message: 'Hello',
    replies: times(
      fail(400, {
        errorCode: 'context_length_exceeded',
        errorMessage: 'This model’s maximum context length is 10 tokens.',
      }),
    ),
  },
  {
    name: 'a model that fails after something was done',
    message: 'Create the document Plan',
    replies: [callTool('docs_create_document', { title: 'Plan', content: 'At ten.' }), ...times(fail(500))],
  },
  {
    name: 'an answer that is cut off',
    message: 'Hello',
    replies: times(say('Once upon a time', { finishReason: 'length' })),
  },
]
