import type { Hono } from 'hono'
import { type Environment, readProjectSettings } from '../../../shared/authentication/project-settings.ts'
import { createRpc } from '../../../shared/database/call-rpc.ts'
import {
  createIntegrationApp,
  type IntegrationDependencies,
} from '../../../shared/integrations/integration-app.ts'
import { type SmtpFunctionSettings, sendEmail, testConnection } from './actions.ts'

export interface SmtpDependencies extends IntegrationDependencies {
  smtp: SmtpFunctionSettings
}

/** Sends mail through the user's own mail server. */
export function createApp({ smtp, ...dependencies }: SmtpDependencies): Hono {
  return createIntegrationApp('smtp-api', [sendEmail(smtp), testConnection(smtp)], dependencies)
}

/** Reads the environment; throws an Error that names a missing variable. */
export function readDependencies(env: Environment): SmtpDependencies {
  const { url, serviceKey, verify, functionSecret } = readProjectSettings(env)
  return {
    verify,
    functionSecret,
    rpc: createRpc({ url, serviceKey }),
    credentialsKeys: env.ASKBACK_CREDENTIALS_KEYS,
    smtp: {
      allowPrivateHosts: env.ASKBACK_ALLOW_PRIVATE_HOSTS === 'true',
      // Set for every hosted function, and nowhere else.
      hosted: Boolean(env.SB_REGION),
    },
  }
}
