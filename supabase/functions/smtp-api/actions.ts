import { readFiles } from '../../../shared/integrations/email/attached-files.ts'
import { chooseAccount } from '../../../shared/integrations/email/choose-account.ts'
import type { EmailParameters } from '../../../shared/integrations/email/email-parameters.ts'
import { buildMessage, messageIdFor } from '../../../shared/integrations/email/message.ts'
import type { Environment } from '../../../shared/server/authentication/project-settings.ts'
import type {
  Implementation,
  IntegrationAction,
} from '../../../shared/server/integration-function/integration-action.ts'
import { readSmtpAccount, type SmtpAccount, senderOf } from './account.ts'
import { explainFailure } from './explain-failure.ts'
import { smtpSendEmail, smtpTestConnection } from './integration.ts'
import { type SmtpSettings, sendMessage, signIn } from './session.ts'
import { SmtpFailure } from './smtp-failure.ts'

interface SmtpFunctionSettings extends SmtpSettings {
  /** Whether this runs on hosted Supabase. */
  hosted: boolean
}

/** What the agent is told about a mail that was sent. */
export interface SentEmail {
  messageId: string
  /** Addresses whose mail the server accepted. */
  accepted: string[]
  /** Addresses it refused: these got nothing. */
  refused: { address: string; reason: string }[]
  /** Present if somebody got nothing: what to do about it. */
  warning?: string
}

function sendEmail(settings: SmtpFunctionSettings): IntegrationAction<EmailParameters> {
  return {
    tool: smtpSendEmail,
    chooses: true,
    async run(params, { userId, connections, idempotencyKey, readFile }): Promise<SentEmail> {
      const candidates = connections.map((handle) => ({
        handle,
        pinned: handle.pinned,
        address: senderOf(handle.metadata) ?? handle.account ?? undefined,
      }))
      const { handle } = chooseAccount(candidates, params.from)
      const account = readSmtpAccount((await handle.open()).values)
      const messageId = await messageIdFor(userId, idempotencyKey, account.from.address)
      const message = await buildMessage(params, {
        from: account.from,
        messageId,
        date: new Date(),
        files: await readFiles(params.attachments ?? [], readFile),
      })
      const { accepted, refused } = await explained(sendMessage(account, message, settings), {
        account,
        params,
        settings,
      })
      return {
        messageId,
        accepted,
        refused: refused.map(({ address, reason }) => ({ address, reason })),
        warning: refused.length === 0 ? undefined : warningAbout(refused.map(({ address }) => address)),
      }
    },
  }
}

function checkAccount(settings: SmtpFunctionSettings): IntegrationAction<Record<string, never>> {
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

/** The actions of this function. */
export function createActions(env: Environment): Implementation {
  return implement({
    allowPrivateHosts: env.ASKBACK_ALLOW_PRIVATE_HOSTS === 'true',
    // Set for every hosted function, and nowhere else.
    hosted: Boolean(env.SB_REGION),
  })
}

export function implement(settings: SmtpFunctionSettings): Implementation {
  return {
    actions: [sendEmail(settings), checkAccount(settings)],
    testConnection: {
      async smtp(values) {
        const account = readSmtpAccount(values)
        await explained(signIn(account, settings), { account, settings })
        return { account: account.from.address }
      },
    },
  }
}

/** Explains a failed transaction; rethrows any other error. */
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
