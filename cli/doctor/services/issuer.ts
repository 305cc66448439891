import { isObject } from '../../../shared/engine/core/json-value.ts'
import { bodyLimits, readJson } from '../../../shared/engine/core/outside-body.ts'
import { type Finding, fail, ok } from '../finding.ts'
import { get, type Services } from './services.ts'

/** Whether functions accept the issuer that Auth names in its tokens: asked with a token that nobody has signed. */
export async function checkIssuer({ url, chat }: Services): Promise<Finding | Finding[]> {
  if (chat === undefined) return []
  const issuer = await readIssuer(url)
  if (issuer === undefined) return []
  const response = await get(`${url}/functions/v1/${chat}/models`, {
    authorization: `Bearer ${unsigned(issuer)}`,
    accept: 'application/json',
  })
  const { error } = (await read(response)) as { error?: { code?: string } }
  if (error?.code === 'foreign_issuer') {
    return fail(
      `Users cannot sign in: their tokens are issued by ${issuer}, which the functions refuse. Accept them: supabase secrets set ASKBACK_TOKEN_ISSUERS=${issuer}`,
    )
  }
  return error?.code === 'unauthorized' ? ok(`The functions accept tokens of ${issuer}`) : []
}

/** What Auth calls itself (OpenID Connect Discovery 1.0, section 4). */
async function readIssuer(url: string): Promise<string | undefined> {
  const response = await get(`${url}/auth/v1/.well-known/openid-configuration`)
  const { issuer } = (await read(response)) as { issuer?: unknown }
  return typeof issuer === 'string' && issuer !== '' ? issuer : undefined
}

/** An object without members if there is no JSON. */
async function read(response: Response | undefined): Promise<object> {
  const body = response && (await readJson(response, bodyLimits.signIn).catch(() => undefined))
  return isObject(body) ? body : {}
}

function unsigned(issuer: string): string {
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
  return `${encode({ alg: 'ES256', typ: 'JWT' })}.${encode({ iss: issuer, aud: 'authenticated' })}.AA`
}
