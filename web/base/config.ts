import type { FunctionNames } from '../../client/function-call.ts'

/** The deployment settings in `/config.json`. */
export interface Config {
  /** URL of the Supabase project; the app's own origin on the local stack. */
  url: string
  publishableKey: string
  /** What functions of Askback are called in this project, if not by their own names. */
  functions?: FunctionNames
  /** Only on the local stack: the demo account, the model that answers, and what is simulated. */
  local?: { email: string; password: string; model: string; simulated: string[] }
}

/** undefined if it could not be read. */
export async function loadConfig(): Promise<Config | undefined> {
  const response = await fetch('/config.json').catch(() => undefined)
  const config = response?.ok ? await response.json().catch(() => undefined) : undefined
  return URL.canParse(config?.url) && typeof config?.publishableKey === 'string' ? config : undefined
}
