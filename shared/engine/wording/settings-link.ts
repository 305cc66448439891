/** Where a user sets up, repairs and removes a provider's connections, in the app. */
export function settingsLink(provider: string): string {
  return `/settings/integrations?provider=${encodeURIComponent(provider)}`
}
