import { randomBytes } from 'node:crypto'

/** The account and the scopes of a token. */
export interface Account {
  email: string
  scopes: string[]
}

/** What one account has allowed one client. Revoking one of its tokens revokes all of them, as with Google. */
interface Grant extends Account {
  clientId: string
  revoked: boolean
}

interface Code extends Account {
  clientId: string
  redirectUri: string
  challenge: string | undefined
  /** Whether a refresh token is issued. */
  offline: boolean
  /** Whether its tokens include what was allowed earlier. */
  addTo: boolean
  expiresAt: number
}

interface AccessToken {
  grant: Grant
  scopes: string[]
  expiresAt: number
}

interface RefreshToken {
  grant: Grant
  scopes: string[]
  /** Undefined: it does not expire. */
  expiresAt: number | undefined
}

export interface IssuedTokens extends Account {
  accessToken: string
  expiresIn: number
  refreshToken?: string
  refreshTokenExpiresIn?: number
}

/** How tokens are issued; tests change it while the simulator runs. */
export interface GrantSettings {
  /** Lifetime of an access token in seconds: 3599 at Google. */
  accessTokenSeconds: number
  /** Lifetime of a refresh token in seconds; undefined: until it is revoked. For apps in testing, Google has 7 days. */
  refreshTokenSeconds: number | undefined
  /** Whether each refresh replaces the refresh token. Google does not, other providers do. */
  rotate: boolean
  /** Seconds by which this server's clock is ahead of ours. */
  clockSkewSeconds: number
}

export const grantSettings: GrantSettings = {
  accessTokenSeconds: 3599,
  refreshTokenSeconds: undefined,
  rotate: false,
  clockSkewSeconds: 0,
}

/** Lifetime of an authorization code in seconds. */
const codeSeconds = 600

/** Codes, tokens and their grants, in memory. */
export function createGrants(settings: GrantSettings) {
  const grants = new Map<string, Grant>()
  const codes = new Map<string, Code>()
  const accessTokens = new Map<string, AccessToken>()
  const refreshTokens = new Map<string, RefreshToken>()
  const now = () => Date.now() / 1000 + settings.clockSkewSeconds

  const grantOf = (clientId: string, { email, scopes }: Account, addTo: boolean): Grant => {
    const key = `${clientId} ${email}`
    const known = grants.get(key)
    const kept = known && !known.revoked && addTo ? known.scopes : []
    const grant =
      known && !known.revoked ? known : { clientId, email, scopes: [] as string[], revoked: false }
    grant.scopes = [...new Set([...kept, ...scopes])]
    grants.set(key, grant)
    return grant
  }

  const giveAccess = (grant: Grant, scopes: string[]) => {
    const accessToken = `ya29.${makeText(48)}`
    const expiresIn = settings.accessTokenSeconds
    accessTokens.set(accessToken, { grant, scopes, expiresAt: now() + expiresIn })
    return { email: grant.email, scopes, accessToken, expiresIn }
  }

  const giveRefresh = (grant: Grant, scopes: string[]) => {
    const refreshToken = `1//0${makeText(64)}`
    const lasts = settings.refreshTokenSeconds
    refreshTokens.set(refreshToken, {
      grant,
      scopes,
      expiresAt: lasts === undefined ? undefined : now() + lasts,
    })
    return { refreshToken, refreshTokenExpiresIn: lasts }
  }

  const liveAccess = (token: string): AccessToken | undefined => {
    const found = accessTokens.get(token)
    return found && !found.grant.revoked && found.expiresAt > now() ? found : undefined
  }

  return {
    makeCode(code: Omit<Code, 'expiresAt'>): string {
      const text = `4/0A${makeText(32)}`
      codes.set(text, { ...code, expiresAt: now() + codeSeconds })
      return text
    },

    /** The grant of a code, once; undefined when it was used or has expired. */
    takeCode(code: string): Code | undefined {
      const found = codes.get(code)
      codes.delete(code)
      return found && found.expiresAt > now() ? found : undefined
    },

    /** Issues tokens for what a user has just allowed; with `addTo` they include what was allowed earlier. */
    issue(clientId: string, account: Account, options: { offline: boolean; addTo: boolean }): IssuedTokens {
      const grant = grantOf(clientId, account, options.addTo)
      const scopes = options.addTo ? grant.scopes : account.scopes
      return { ...giveAccess(grant, scopes), ...(options.offline ? giveRefresh(grant, scopes) : {}) }
    },

    /** Undefined when the token is unknown, expired, revoked or another client's. */
    refresh(clientId: string, token: string): IssuedTokens | undefined {
      const found = refreshTokens.get(token)
      if (!found || found.grant.revoked || found.grant.clientId !== clientId) return undefined
      if (found.expiresAt !== undefined && found.expiresAt <= now()) return undefined
      if (settings.rotate) refreshTokens.delete(token)
      const next = settings.rotate ? giveRefresh(found.grant, found.scopes) : {}
      return { ...giveAccess(found.grant, found.scopes), ...next }
    },

    /** False when the token belongs to no living grant. */
    revokeToken(token: string): boolean {
      const grant = liveAccess(token)?.grant ?? refreshTokens.get(token)?.grant
      if (!grant || grant.revoked) return false
      grant.revoked = true
      return true
    },

    revokeAccount(email: string): void {
      for (const grant of grants.values()) if (grant.email === email) grant.revoked = true
    },

    expireAccessTokens(): void {
      for (const token of accessTokens.values()) token.expiresAt = 0
    },

    accountOf(token: string): Account | undefined {
      const found = liveAccess(token)
      return found && { email: found.grant.email, scopes: [...found.scopes] }
    },
  }
}

function makeText(bytes: number): string {
  return randomBytes(bytes).toString('base64url')
}
