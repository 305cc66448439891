import { expect, test } from 'vitest'
import type { AgentResponse } from '../../../shared/engine/loop/run/agent-response.ts'
import type { Pending } from '../../../shared/engine/transcript/answer.ts'
import { sayTo } from '../../../shared/words/languages/in-english.ts'
import { gmailReadEmails, gmailSendEmail } from '../../../supabase/functions/gmail-api/integration.ts'
import { recordingTool, startScenario } from '../../../support/agent-scenario.ts'
import { callTool, say } from '../../../support/model-server.ts'
import { german } from '../../../support/own-languages.ts'

const form = 'no-reply@forms.example'
const ada = 'ada@customer.example'
const mail = {
  id: 'm1',
  from: `Contact form <${form}>`,
  reply_to: `Ada <${ada}>`,
  subject: 'Inquiry',
  body: 'An offer, please.',
}
const answer = (to: string) => ({
  to: [to],
  subject: 'Re: Inquiry',
  body: 'Gladly.',
  reply_to_message_id: 'm1',
})

/** What is asked about an answer to the mail. */
async function ask(to: string, input: string, shown: object = mail): Promise<Pending | undefined> {
  const { specification: read } = gmailReadEmails
  const { specification: send } = gmailSendEmail
  await using scenario = await startScenario({
    stream: false,
    tools: [
      recordingTool({ ...read, providers: undefined, execute: () => ({ messages: [shown] }) } as never),
      recordingTool({ ...send, providers: undefined, looks: undefined } as never),
    ],
    script: [
      callTool('gmail_read_emails', { message_ids: ['m1'], include_body: true }),
      callTool('gmail_send_email', answer(to)),
      say('Done.'),
    ],
  })
  const response: AgentResponse = await scenario.run({ input })
  return response.pending?.[0]
}

test.each([form, ada])('an answer to %s asks, and names both addresses', async (to) => {
  const pending = await ask(to, 'Answer the inquiry: gladly.')
  expect(pending).toMatchObject({
    type: 'approval',
    code: 'approve_origin',
    codeValues: { answered: { from: form, replyTo: ada } },
  })
  expect(pending?.question).toContain(
    `The email that this answers comes from "${form}" and asks for replies to go to "${ada}".`,
  )
  const { code = '', codeValues: values } = pending ?? {}
  expect(sayTo(german, { code, values }, { input: pending?.values })?.because).toContain(
    `kommt von „${form}“ und bittet um Antworten an „${ada}“`,
  )
})

test('also where the user has typed the address, and the agent asks anyway', async () => {
  const pending = await ask(ada, `Answer ${ada}: gladly.`)
  expect(pending).toMatchObject({ code: 'approve', codeValues: { answered: { from: form, replyTo: ada } } })
})

test('where both are the same, nothing is said of it', async () => {
  const pending = await ask(form, 'Answer the inquiry: gladly.', { ...mail, reply_to: form.toUpperCase() })
  expect(pending).toMatchObject({ code: 'approve' })
  expect(pending?.codeValues).not.toHaveProperty('answered')
  expect(pending?.question).not.toContain('asks for answers')
})
