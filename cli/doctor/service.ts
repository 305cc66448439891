import { version } from '../../shared/server/version.ts'
import { type Finding, fail, note, ok, patienceMs } from './finding.ts'
import type { Target } from './target.ts'

/** What the services of the project say: the Data API, the keys of its tokens, the chat function if it has one. */
export async function checkServices(
  { url, publishableKey, kind }: Target,
  chat: string | undefined,
): Promise<Finding[]> {
  if (!url) return []
  return await Promise.all([
    checkExposed(url, publishableKey),
    checkSigningKeys(url, kind),
    ...(chat === undefined ? [] : [checkHealth(url, chat, kind)]),
  ])
}

async function checkExposed(url: string, publishableKey = ''): Promise<Finding> {
  const response = await get(`${url}/rest/v1/tools?limit=0`, {
    apikey: publishableKey,
    'accept-profile': 'askback',
  })
  if (!response) return fail(`The Data API at ${url} does not answer within 5 s.`)
  const { code } = (await response.json().catch(() => ({}))) as { code?: string }
  // A schema that is not exposed; any other answer, even a refusal, comes from behind that.
  if (response.status === 406 || code === 'PGRST106') {
    return fail(
      'The Data API does not expose the schema "askback". Add it in the dashboard: Project Settings, Data API, Exposed schemas.',
    )
  }
  return ok('The Data API exposes the schema "askback"')
}

async function checkSigningKeys(url: string, kind: Target['kind']): Promise<Finding> {
  if (kind === 'dev') return ok('`askback dev` signs tokens with a secret that its functions have')
  const response = await get(`${url}/auth/v1/.well-known/jwks.json`)
  const { keys = [] } = (await response?.json().catch(() => ({}))) ?? {}
  if (keys.length > 0) return ok('Tokens are signed with asymmetric keys')
  if (!response) return fail(`The sign-in at ${url} does not answer within 5 s.`)
  return fail(
    'Tokens are signed with a shared secret. Change that in the dashboard: Project Settings, JWT Keys, "Migrate JWT secret". Or give the functions the secret ASKBACK_JWT_SECRET.',
  )
}

async function checkHealth(url: string, chat: string, kind: Target['kind']): Promise<Finding> {
  const response = await get(`${url}/functions/v1/${chat}/health`)
  if (!response) return fail(`The function "${chat}" does not answer within 5 s.`)
  const body = (await response.json().catch(() => ({}))) as { status?: string; version?: string }
  if (response.status === 200 && body.status === 'ok') {
    return body.version === version
      ? ok(`The function "${chat}" answers, in version ${version}`)
      : note(
          `The function "${chat}" is of version ${body.version}, and this is askback ${version}. Deploy it: supabase functions deploy`,
        )
  }
  if (response.status === 503 && body.status === 'unavailable') {
    return fail(
      `The function "${chat}" cannot use the database. See its log, and compare the versions above.`,
    )
  }
  const where = kind === 'dev' ? 'See the terminal of `askback dev`.' : 'Deploy it: supabase functions deploy'
  return fail(`The function "${chat}" answers with status ${response.status}. ${where}`)
}

async function get(url: string, headers: Record<string, string> = {}): Promise<Response | undefined> {
  return await fetch(url, { headers, signal: AbortSignal.timeout(patienceMs) }).catch(() => undefined)
}
