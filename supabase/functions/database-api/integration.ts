import type { Integration } from '../../../shared/integrations/definition/integration.ts'

/** The application's own functions. Its tools are the ones that an operator offers with `askback.offer_function`. */
export const integration: Integration = { name: 'database-api', providers: [], tools: [] }
