import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose'

/** A private key and its public half, as Supabase Auth publishes it. */
export interface SigningKey {
  jwk: JWK
  sign(claims: Record<string, unknown>, header?: object): Promise<string>
}

export async function makeSigningKey(kid: string, alg: 'ES256' | 'RS256' = 'ES256'): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg)
  return {
    jwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' },
    sign: (claims, header = {}) =>
      new SignJWT(claims).setProtectedHeader({ alg, kid, typ: 'JWT', ...header }).sign(privateKey),
  }
}

/** The sign-in of a project as far as it publishes keys. */
export interface KeyServer {
  /** The project's URL. */
  url: string
  keysUrl: string
  /** How often the keys were asked for. */
  asked(): number
  /** From now on it publishes these. */
  publish(...keys: SigningKey[]): void
  /** From now on it answers like this. */
  answer(status: number, body: string): void
  /** Every answer waits for the returned function. */
  hold(): () => void
  close(): Promise<void>
}

export async function startKeyServer(...published: SigningKey[]): Promise<KeyServer> {
  let status = 200
  let body = ''
  let requests = 0
  let opening: Promise<void> | undefined
  const publish = (...keys: SigningKey[]) => {
    status = 200
    body = JSON.stringify({ keys: keys.map(({ jwk }) => jwk) })
  }
  publish(...published)
  const server = createServer(async (_, response) => {
    requests++
    // What was so when it was asked.
    const answer = [status, body] as const
    await opening
    response.writeHead(answer[0], { 'content-type': 'application/json' }).end(answer[1])
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    keysUrl: `${url}/auth/v1/.well-known/jwks.json`,
    asked: () => requests,
    publish,
    answer(nextStatus, nextBody) {
      status = nextStatus
      body = nextBody
    },
    hold() {
      let release = () => {}
      opening = new Promise((resolve) => {
        release = resolve
      })
      return release
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
