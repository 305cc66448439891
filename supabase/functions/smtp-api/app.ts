import type { Hono } from 'hono'
import type { Environment } from '../../../shared/server/authentication/project-settings.ts'
import {
  createIntegrationApp,
  type IntegrationDependencies,
  readIntegrationDependencies,
} from '../../../shared/server/integration-function/integration-app.ts'
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
  return {
    ...readIntegrationDependencies(env),
    smtp: {
      allowPrivateHosts: env.ASKBACK_ALLOW_PRIVATE_HOSTS === 'true',
      // Set for every hosted function, and nowhere else.
      hosted: Boolean(env.SB_REGION),
    },
  }
}
