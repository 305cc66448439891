/** Where a user sets up, repairs and removes a provider's connections, in the app. */
export function settingsLink(provider: string): string {
  return `/settings/integrations?provider=${encodeURIComponent(provider)}`
}

/** Where a user signs in with a server of MCP, and changes or removes it, in the app. */
export function serverLink(id: string): string {
  return `/settings/integrations?server=${encodeURIComponent(id)}`
}
