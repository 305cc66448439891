import { sha256 } from '../../engine/core/sha256.ts'
import { bearerToken } from './authenticate.ts'

/**
 * Whether a server of the project calls: with one of its secret keys, as `apikey` or as the bearer token. Compared by their
 * hashes, so that the time it takes says nothing of a key.
 */
export async function isOfProject(headers: Headers, secretKeys: readonly string[]): Promise<boolean> {
  const given = [headers.get('apikey'), bearerToken(headers)].filter((key) => key)
  const [sent, known] = await Promise.all(
    [given, secretKeys].map((keys) => Promise.all(keys.map((key) => sha256(String(key))))),
  )
  return sent?.some((hash) => known?.includes(hash)) ?? false
}
