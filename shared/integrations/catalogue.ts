import type { CatalogueTool, IntegrationProvider } from './definition/integration.ts'
import { smtpProvider, smtpSendEmail, smtpTestConnection } from './smtp/tools.ts'

/** Every provider a user can connect. The rows of `integrations` in seed.sql are made from it. */
export const providers: readonly IntegrationProvider[] = [smtpProvider]

/** Every tool an agent can have. The rows of `tools` in seed.sql are made from it. */
export const catalogue: readonly CatalogueTool[] = [smtpSendEmail, smtpTestConnection]
