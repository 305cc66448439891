import type { EmailParameters } from '../../../shared/integrations/email/email-parameters.ts'
import { readSmtpAccount, type SmtpAccount } from '../../../shared/integrations/smtp/account.ts'
import { explainFailure } from '../../../shared/integrations/smtp/explain-failure.ts'
import { buildMessage, messageIdFor } from '../../../shared/integrations/smtp/message.ts'
import { type SmtpSettings, sendMessage, signIn } from '../../../shared/integrations/smtp/session.ts'
import { SmtpFailure } from '../../../shared/integrations/smtp/smtp-failure.ts'
import { smtpSendEmail, smtpTestConnection } from '../../../shared/integrations/smtp/tools.ts'
import type { IntegrationAction } from '../../../shared/server/integration-function/integration-action.ts'

export interface SmtpFunctionSettings extends SmtpSettings {
  /** Whether this runs on hosted Supabase. */
  hosted: boolean
}

/** What the agent is told about a mail that went out. */
export interface SentEmail {
  messageId: string
  /** Addresses whose mail the server took. */
  accepted: string[]
  /** Addresses it refused: these got nothing. */
  refused: { address: string; reason: string }[]
  /** There when somebody got nothing: what to do about it. */
  warning?: string
}

export function sendEmail(settings: SmtpFunctionSettings): IntegrationAction<EmailParameters> {
  return {
    tool: smtpSendEmail,
    async run(params, { userId, connection, idempotencyKey }): Promise<SentEmail> {
      const account = readSmtpAccount(connection?.values)
      const messageId = await messageIdFor(userId, idempotencyKey, account.from.address)
      const message = await buildMessage(params, { from: account.from, messageId, date: new Date() })
      const { accepted, refused } = await explained(sendMessage(account, message, settings), {
        account,
        params,
        settings,
      })
      return {
        messageId,
        accepted,
        refused: refused.map(({ address, reason }) => ({ address, reason })),
        ...(refused.length === 0 ? {} : { warning: warningAbout(refused.map(({ address }) => address)) }),
      }
    },
  }
}

export function testConnection(settings: SmtpFunctionSettings): IntegrationAction<Record<string, never>> {
  return {
    tool: smtpTestConnection,
    async run(_, { connection }) {
      const account = readSmtpAccount(connection?.values)
      await explained(signIn(account, settings), { account, settings })
      const { host, port, security, user, from } = account
      return { works: true, host, port, security, user, from: from.address }
    },
  }
}

/** Says what a failed transaction means; any other error is not foreseen and goes on as it is. */
async function explained<T>(
  transaction: Promise<T>,
  {
    settings,
    ...attempt
  }: { account: SmtpAccount; params?: EmailParameters; settings: SmtpFunctionSettings },
): Promise<T> {
  try {
    return await transaction
  } catch (error) {
    if (!(error instanceof SmtpFailure)) throw error
    throw explainFailure(error, { ...attempt, hosted: settings.hosted })
  }
}

function warningAbout(refused: string[]): string {
  return `The mail server refused ${refused.join(', ')}; everybody else got the email. Do not send it to them again: ask for the right address, and send it to that one alone.`
}
