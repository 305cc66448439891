import * as z from 'zod'
import {
  type CatalogueTool,
  type Integration,
  type IntegrationProvider,
  integrationTool,
  toJsonSchema,
} from '../../../shared/integrations/definition/integration.ts'
import { emailParameters } from '../../../shared/integrations/email/email-parameters.ts'
import { words } from './words.ts'

/** What a user enters to connect an SMTP account. */
export const smtpConnection = z.strictObject({
  host: z
    .string()
    .min(1)
    .max(253)
    .meta({
      title: 'mail server',
      question: 'Which server sends your mail?',
      hint: 'The host name. Leave it empty for common providers.',
      examples: ['smtp.example.com'],
    })
    .optional(),
  port: z
    .int()
    .min(1)
    .max(65535)
    .meta({
      title: 'port',
      question: 'Which port does the mail server listen on?',
      hint: 'Usually 465. Hosted Supabase blocks 25 and 587.',
      examples: [465],
    })
    .optional(),
  user: z
    .string()
    .min(1)
    .max(320)
    .meta({
      title: 'user name',
      question: 'Which user name do you sign in to the mail server with?',
      hint: 'Please provide the user name, often your email address.',
      examples: ['ada@example.com'],
    }),
  password: z
    .string()
    .min(1)
    .max(1024)
    .meta({
      title: 'password',
      question: 'What is the password of your mail account?',
      hint: 'Please provide the password, or an app password if your provider has them.',
      secret: true,
      // Required again when the destination changes.
      sentTo: ['host', 'port', 'user'],
    }),
  from: z
    .string()
    .max(320)
    .meta({
      title: 'sender',
      question: 'Which address should your mail come from?',
      hint: 'Please provide an address, or a name and an address; the user name by default.',
      examples: ['ada@example.com', 'Ada Lovelace <ada@example.com>'],
      aliases: ['sender', 'from_email'],
    })
    .optional(),
})

export type SmtpConnection = z.infer<typeof smtpConnection>

export const smtpProvider: IntegrationProvider = {
  id: 'smtp',
  name: 'SMTP',
  description: 'Sends email through any mail server that you have an account on.',
  service: 'mail',
  purpose: 'send emails',
  connection: toJsonSchema(smtpConnection),
}

export const smtpSendEmail: CatalogueTool = integrationTool({
  name: 'smtp_send_email',
  title: 'Send email',
  confirm: 'Send "{subject}" to {to,cc,bcc~people}?',
  summary: 'Sent "{subject}" to {to,cc,bcc~people}',
  button: 'Send email',
  past: 'sent',
  description:
    "Sends an email from the user's own mail account. Use only recipients that the user named; never invent an address.",
  parameters: emailParameters,
  effect: 'write',
  approval: 'always',
  action: 'send_email',
  providers: ['smtp'],
})

export const smtpTestConnection: CatalogueTool = integrationTool({
  name: 'smtp_test_connection',
  title: 'Test mail account',
  description:
    'Checks that the mail server of the user can be reached and accepts the sign-in. Sends nothing.',
  parameters: z.strictObject({}),
  summary: 'The mail account works',
  effect: 'read',
  action: 'test_connection',
  providers: ['smtp'],
})

export const integration: Integration = {
  name: 'smtp-api',
  providers: [smtpProvider],
  tools: [smtpSendEmail, smtpTestConnection],
  words,
}
