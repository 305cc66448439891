// The pages of the settings, loaded together: each name more would make the first page larger.
export { AccountPage } from './account.tsx'
export { IntegrationsPage } from './integrations.tsx'
export { SchedulesPage } from './schedules.tsx'
export { TokensPage } from './tokens.tsx'
export { WithoutAskingPage } from './without-asking.tsx'
