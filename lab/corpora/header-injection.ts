import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import PostalMime from 'postal-mime'
import { prepareToolCall } from '../../shared/engine/calls/prepare-tool-call.ts'
import { ToolCallError } from '../../shared/engine/core/tool-error.ts'
import { readFiles } from '../../shared/integrations/email/attached-files.ts'
import type { EmailParameters } from '../../shared/integrations/email/email-parameters.ts'
import { buildMessage } from '../../shared/integrations/email/message.ts'
import { readSmtpAccount } from '../../supabase/functions/smtp-api/account.ts'
import { smtpSendEmail } from '../../supabase/functions/smtp-api/integration.ts'

interface Case {
  id: string
  field: string
  value: string
  verdict: 'reject' | 'reject_or_neutralise' | 'accept'
}

const recipient = 'jane@example.com'
const plain = { to: [recipient], subject: 'Hello', body: 'Dear Jane' }
const listFields = ['to', 'cc', 'bcc']
const headersOfOurs = [
  'from',
  'to',
  'cc',
  'reply-to',
  'subject',
  'message-id',
  'date',
  'mime-version',
  'content-type',
  'content-transfer-encoding',
]

/** Injection through the fields of a mail: labelled values, checked in the bytes on the wire. */
export async function measureHeaderInjection(dir: string) {
  const cases = JSON.parse(await readFile(join(dir, 'bad-input/header-injection-dev.json'), 'utf8')) as Case[]
  const missed: string[] = []
  for (const one of cases) {
    const outcome = await outcomeOf(one)
    const accepted = {
      reject: ['rejected'],
      reject_or_neutralise: ['rejected', 'harmless'],
      accept: ['whole'],
    }
    // A value that arrives unchanged is harmless too.
    const is = outcome === 'whole' ? ['whole', 'harmless'] : [outcome]
    if (!is.some((word) => accepted[one.verdict].includes(word)))
      missed.push(`${one.id}: ${outcome}, expected ${one.verdict}`)
  }
  const total = cases.length
  const hits = total - missed.length
  return [
    {
      name: 'header values: right verdict',
      goal: '100 %',
      value: `${((100 * hits) / total).toFixed(1)} %`,
      hits,
      total,
      missed,
    },
  ]
}

/** rejected; whole: arrives unchanged; harmless: arrives changed, but only in its own field; injected. */
async function outcomeOf({ field, value }: Case): Promise<'rejected' | 'whole' | 'harmless' | 'injected'> {
  try {
    const { from } = readSmtpAccount({
      host: 'smtp.example.com',
      user: 'ada@example.com',
      password: 'x',
      from: field === 'from_name' ? `${value} <ada@example.com>` : 'ada@example.com',
    })
    const given = field === 'from_name' ? {} : { [field]: listFields.includes(field) ? [value] : value }
    const prepared = prepareToolCall({
      name: smtpSendEmail.specification.name,
      rawArguments: JSON.stringify({ ...plain, ...given }),
      tools: [smtpSendEmail.specification],
    })
    if (!prepared.ok) return 'rejected'
    const params = prepared.args as EmailParameters
    const message = await buildMessage(params, {
      from,
      messageId: '<1@example.com>',
      date: new Date(),
      files: await readFiles(params.attachments ?? [], async () => undefined),
    })
    const parsed = await PostalMime.parse(message.raw)
    const foreign = parsed.headers.map(({ key }) => key).filter((name) => !headersOfOurs.includes(name))
    if (foreign.length > 0 || message.envelope.to.some((address) => address !== recipient)) return 'injected'
    const texts: Record<string, string | undefined> = {
      subject: parsed.subject,
      body: parsed.text?.trimEnd(),
    }
    return texts[field]?.replaceAll('\r\n', '\n') === value.replaceAll('\r\n', '\n') ? 'whole' : 'harmless'
  } catch (error) {
    if (error instanceof ToolCallError) return 'rejected'
    throw error
  }
}
