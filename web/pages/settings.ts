// The pages of the settings, loaded together: each name more would make the first page larger.
export { AccountPage } from './account.tsx'
export { IntegrationsPage } from './integrations.tsx'
export { TokensPage } from './tokens.tsx'
