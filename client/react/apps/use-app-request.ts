import type { SupabaseClient } from '@supabase/supabase-js'
import { useEffect, useRef, useState } from 'react'
import type { GrantableAgent } from '../../api/types.ts'
import type { Askback } from '../../askback.ts'
import { type AskbackError, failureOf } from '../../askback-error.ts'
import { createConnectedApps } from '../../connected-apps.ts'

/** What supabase-js says of other apps, and is told about them. */
export interface AppSignIn {
  oauth: SupabaseClient['auth']['oauth']
}

/** Which app asks: for a consent, as the OAuth server has sent its user here, or one that has been let in there before. */
export interface AskedApp {
  authorizationId?: string | undefined
  clientId?: string | undefined
}

/** An app, as it describes itself. */
export interface AppRequest {
  clientId: string
  name: string
  /** Where its user goes back to; undefined for one that does not wait for that. */
  redirectUri?: string
  email?: string
  agents: readonly GrantableAgent[]
  /** Titles of tools by name. */
  titles: ReadonlyMap<string, string>
}

export type AppState =
  | { kind: 'loading' }
  | { kind: 'asked'; request: AppRequest }
  /** Let in before: its user goes on to it. */
  | { kind: 'leaving'; to: string }
  | { kind: 'over' | 'unknown' | 'switched_off' | 'nothing' }
  | { kind: 'failed'; error: unknown }

/** Reads who asks, once: the OAuth server ties the request to whoever opens it first. */
export function useAppRequest(
  askback: Askback,
  auth: AppSignIn,
  { authorizationId, clientId }: AskedApp,
  isShown: boolean,
): AppState {
  const [state, setState] = useState<AppState>({ kind: 'loading' })
  const read = useRef<string>(undefined)
  const key = authorizationId ?? clientId ?? ''
  useEffect(() => {
    if (!isShown || read.current === key) return
    read.current = key
    readRequest(askback, auth, { authorizationId, clientId }).then(setState, (error) =>
      setState({ kind: 'failed', error }),
    )
  }, [askback, auth, authorizationId, clientId, key, isShown])
  return state
}

async function readRequest(
  askback: Askback,
  { oauth }: AppSignIn,
  { authorizationId, clientId }: AskedApp,
): Promise<AppState> {
  const asked = authorizationId
    ? await readAuthorization(oauth, authorizationId)
    : clientId
      ? await readConsented(oauth, clientId)
      : ({ kind: 'nothing' } as const)
  if (asked.kind !== 'app') return asked
  const [{ agents }, tools] = await Promise.all([createConnectedApps(askback).list(), askback.tools()])
  const titles = new Map(tools.map(({ name, title }) => [name, title]))
  return { kind: 'asked', request: { ...asked.app, agents, titles } }
}

type Found = AppState | { kind: 'app'; app: Omit<AppRequest, 'agents' | 'titles'> }

async function readAuthorization(oauth: AppSignIn['oauth'], id: string): Promise<Found> {
  const { data, error } = await oauth.getAuthorizationDetails(id)
  if (error) return refused(error)
  if (!('authorization_id' in data)) return { kind: 'leaving', to: data.redirect_url }
  const { client, redirect_uri: redirectUri, user } = data
  const app = { clientId: client.id, name: client.name ?? '', redirectUri, email: user.email }
  return { kind: 'app', app }
}

/** Nobody makes a grant for an app that its user has not signed in to: the address may come from anybody. */
async function readConsented(oauth: AppSignIn['oauth'], clientId: string): Promise<Found> {
  const { data, error } = await oauth.listGrants()
  if (error) return refused(error)
  const client = data.find(({ client }) => client.id === clientId)?.client
  if (!client) return { kind: 'unknown' }
  return { kind: 'app', app: { clientId, name: client.name ?? '' } }
}

interface SignInError {
  code?: string | undefined
  status?: number | undefined
}

function refused(error: SignInError): Found {
  const failure = failureOfSignIn(error)
  if (failure) return { kind: 'failed', error: failure }
  const isThere = error.status !== 404 || error.code === 'oauth_authorization_not_found'
  return { kind: isThere ? 'over' : 'switched_off' }
}

/** A failure that is no answer of the OAuth server; undefined for a refusal. */
export function failureOfSignIn({ status = 0 }: SignInError): AskbackError | undefined {
  if (status === 0) return failureOf('unreachable')
  if (status === 401) return failureOf('signed_out', status)
  return status >= 500 ? failureOf('server_silent', status) : undefined
}
