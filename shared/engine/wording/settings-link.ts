/** Where a user sets up, mends and removes the connections of a provider, in the app. */
export function settingsLink(provider: string): string {
  return `/settings/integrations?provider=${encodeURIComponent(provider)}`
}
