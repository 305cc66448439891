/** What the app is told about where it runs: `/config.json`. */
export interface Config {
  /** Of the Supabase project; the app's own origin on the local stack. */
  url: string
  publishableKey: string
  /** Only on the local stack: who may be signed in with one click, and which model answers. */
  local?: { email: string; password: string; model: string }
}

/** Throws a sentence when there is none. */
export async function loadConfig(): Promise<Config> {
  const response = await fetch('/config.json').catch(() => undefined)
  const config = response?.ok ? await response.json().catch(() => undefined) : undefined
  if (typeof config?.url === 'string' && typeof config?.publishableKey === 'string') return config
  throw new Error('Can’t reach the server. Reload this page in a moment.')
}
