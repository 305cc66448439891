import { z } from 'zod'
import { type TokenScope, tokenScope } from '../../api/api-token.ts'
import { sha256 } from '../../engine/core/sha256.ts'
import { askDatabase } from '../database/ask-database.ts'
import type { CallRpc } from '../database/call-rpc.ts'
import { ApiError } from '../http/api-error.ts'

/** The prefix of every token of ours, so that people and secret scanners recognise a leaked one. */
const mark = 'askb_'
/** Characters by which its owner recognises it. */
const shownLength = 12
const randomBytes = 32

/** A new token: the value is shown once, the rest is stored. */
export interface NewApiToken {
  value: string
  hash: string
  prefix: string
}

/** Makes a token with 256 random bits. */
export async function makeApiToken(): Promise<NewApiToken> {
  const bytes = crypto.getRandomValues(new Uint8Array(randomBytes))
  const text = btoa(String.fromCharCode(...bytes))
  const value = mark + text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
  return { value, hash: await hashApiToken(value), prefix: value.slice(0, shownLength) }
}

/** True if this can only be one of our tokens, not a JWT. */
export function isApiToken(text: string): boolean {
  return text.startsWith(mark)
}

/** A random value of this length needs no salt and no slow hash. */
export function hashApiToken(value: string): Promise<string> {
  return sha256(value)
}

const useSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('valid'),
    id: z.string(),
    userId: z.string(),
    name: z.string(),
    agents: z.array(z.string()).nullable(),
  }),
  z.object({ kind: z.enum(['unknown', 'revoked', 'expired']) }),
  z.object({ kind: z.literal('other_scope'), scope: tokenScope }),
])

/** Whose token this is; its use is counted. Throws ApiError 401 unless it opens `scope`, 503 if that cannot be looked up. */
export async function useApiToken(rpc: CallRpc, value: string, scope: TokenScope) {
  const hash = await hashApiToken(value)
  const asked = rpc('use_api_token', { p_hash: hash, p_scope: scope })
  const use = await askDatabase(asked, useSchema, 'token_unchecked')
  if (use.kind === 'valid') return { ...use, hash }
  if (use.kind === 'other_scope') throw new ApiError('invalid_api_key', { why: use.kind, scope: use.scope })
  throw new ApiError('invalid_api_key', { why: use.kind })
}
