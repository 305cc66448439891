import type { OAuthDiscoveryState, StoredOAuthClientInformation } from '../protocol/sdk.ts'

/** Our registration at an authorization server, as it has answered it. */
export type Registration = StoredOAuthClientInformation & { issuer: string }

/** A user signs in with a server: begun in a tab, and ended by what its authorization server answers there. */
export interface Flow {
  userId: string
  /** The server's URL. */
  server: string
  /** The PKCE verifier. */
  verifier: string
  /** To which authorization server the user was sent, and where it gives tokens. */
  discovery: OAuthDiscoveryState
  registration: Registration
  /** What was asked for. */
  scope?: string
  /** Where the browser goes after that. */
  returnTo: string
}

/** What an authorization server answers in the browser. */
export interface Answer {
  code: string
  /** Which one says it (RFC 9207). */
  iss?: string
}

/** The tokens of a user for a server. */
export interface Grant {
  /** The server's URL: the tokens go to its origin only. */
  server: string
  /** Who has issued them, and refreshes them: only there goes the refresh token. */
  discovery: OAuthDiscoveryState
  registration: Registration
  /** For which resource they were asked (RFC 8707). */
  resource: string
  accessToken: string
  refreshToken?: string
  scope?: string
  /** Of the access token; it may last forever. */
  expiresInSeconds?: number
}

/** Of a grant: one that works, the right to refresh it, or why there is none. */
export type HeldGrant =
  | { kind: 'token'; accessToken: string; scope?: string | undefined }
  | { kind: 'refresh'; grant: Grant; version: number }
  /** Somebody else is refreshing it. */
  | { kind: 'busy' }
  | { kind: 'none' }

/** Where sign-ins are kept. Secrets are kept sealed. */
export interface SignInStore {
  /** Of an issuer; undefined if we have not registered there. */
  findRegistration(issuer: string): Promise<Registration | undefined>
  saveRegistration(registration: Registration): Promise<void>
  /** The authorization server no longer knows it. */
  forgetRegistration(issuer: string): Promise<void>
  /** Kept for ten minutes, under its state: a hash of it is enough. */
  saveFlow(state: string, flow: Flow): Promise<void>
  /**
   * Uses the state up: the answer waits under a code of ours for another ten minutes. Without one the flow is over. Resolves
   * to where the browser goes; undefined for a state that is unknown, used or too old.
   */
  receiveAnswer(state: string, ours?: { code: string; answer: Answer }): Promise<string | undefined>
  /** Uses our code up, whoever brings it: only the user who has begun the flow gets it. */
  takeFlow(userId: string, code: string): Promise<{ flow: Flow; answer: Answer } | undefined>
  /** In place of an earlier one of this user and server. */
  saveGrant(userId: string, grant: Grant): Promise<void>
  /**
   * The access token, if it lasts for another minute and is not `refused`; else the right to refresh it, for 10 s and one
   * holder.
   */
  holdGrant(userId: string, server: string, holder: string, refused?: string): Promise<HeldGrant>
  /** Ends the holder's right. False if there is a newer grant. */
  renewGrant(userId: string, grant: Grant, version: number): Promise<boolean>
  /** Ends the holder's right: the user has to sign in again (`isOver`), or it can be tried later. */
  releaseGrant(userId: string, server: string, holder: string, isOver: boolean): Promise<void>
  /** Returns what was kept. */
  removeGrant(userId: string, server: string): Promise<Grant | undefined>
}
