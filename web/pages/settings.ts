// The pages of the settings, loaded together.
export { AccountPage } from './account.tsx'
export { IntegrationsPage } from './integrations.tsx'
export { TokensPage } from './tokens.tsx'
