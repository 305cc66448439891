/** What the app is told about where it runs: `/config.json`. */
export interface Config {
  /** Of the Supabase project; the app's own origin on the local stack. */
  url: string
  publishableKey: string
  /** Only on the local stack: who may be signed in with one click, and which model answers. */
  local?: { email: string; password: string; model: string }
}

/** undefined: it could not be read. */
export async function loadConfig(): Promise<Config | undefined> {
  const response = await fetch('/config.json').catch(() => undefined)
  const config = response?.ok ? await response.json().catch(() => undefined) : undefined
  return URL.canParse(config?.url) && typeof config?.publishableKey === 'string' ? config : undefined
}
