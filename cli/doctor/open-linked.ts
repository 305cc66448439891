import { existsSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { bodyLimits, readJson, readText } from '../../shared/engine/core/outside-body.ts'
import { Refusal } from '../command/refusal.ts'
import { patienceMs } from './finding.ts'
import { RefusedQuery } from './refused-query.ts'
import type { DeployedFunction, Target } from './target.ts'

/**
 * The hosted project that `supabase link` has linked, by Supabase's Management API.
 * @throws {Refusal} when none is linked, nobody is signed in, or the API does not answer
 */
export async function openLinked(project: string): Promise<Target> {
  const ref = readFile(join(project, 'supabase/.temp/project-ref'))
  if (!ref) throw new Refusal('No project is linked. Run `supabase link` first.')
  const token = process.env.SUPABASE_ACCESS_TOKEN || readFile(join(homedir(), '.supabase/access-token'))
  if (!token)
    throw new Refusal('Nobody is signed in to Supabase. Run `supabase login`, or set SUPABASE_ACCESS_TOKEN.')
  const api = process.env.ASKBACK_MANAGEMENT_URL || 'https://api.supabase.com'
  const ask = async (path: string, body?: unknown): Promise<unknown> => {
    const response = await fetch(`${api}/v1/projects/${ref}${path}`, {
      signal: AbortSignal.timeout(patienceMs),
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    }).catch(() => {
      throw new Refusal(
        `Supabase's Management API at ${new URL(api).host} does not answer. Try again in a minute.`,
      )
    })
    if (response.ok) return await readJson(response, bodyLimits.command)
    if (response.status === 401)
      throw new Refusal('Supabase does not accept the access token. Run `supabase login` again.')
    if (body === undefined) {
      throw new Refusal(
        `Supabase's Management API answered ${path} with status ${response.status}. Check that the access token may read this project.`,
      )
    }
    throw new RefusedQuery(
      readSqlState(await readText(response, bodyLimits.command)) ?? `status ${response.status}`,
    )
  }
  const [functions, secrets, keys] = await Promise.all([
    ask('/functions') as Promise<DeployedFunction[]>,
    ask('/secrets') as Promise<{ name: string }[]>,
    ask('/api-keys') as Promise<{ type?: string; name: string; api_key: string }[]>,
  ])
  const key = keys.find(({ type }) => type === 'publishable') ?? keys.find(({ name }) => name === 'anon')
  return {
    kind: 'linked',
    url: process.env.ASKBACK_PROJECT_URL || `https://${ref}.supabase.co`,
    publishableKey: key?.api_key,
    functions,
    secrets: secrets.map(({ name }) => name),
    query: async (query) =>
      (await ask('/database/query', { query, read_only: true })) as Record<string, unknown>[],
    close: async () => {},
  }
}

function readFile(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, 'utf8').trim() : undefined
}

/** The Management API repeats what PostgreSQL says: `Failed to run sql query: ERROR:  42501: permission denied for …`. */
function readSqlState(body: string): string | undefined {
  return /ERROR:\s+([0-9A-Z]{5}):/.exec(body)?.[1]
}
