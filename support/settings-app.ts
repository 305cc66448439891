import { SignJWT } from 'jose'
import type { Clock } from '../shared/engine/core/clock.ts'
import { type ToolResult, toolError } from '../shared/engine/core/tool-error.ts'
import type { CallRpc } from '../shared/server/database/call-rpc.ts'
import { createFileStore } from '../shared/server/files/file-store.ts'
import { createBucket } from '../shared/server/files/storage-bucket.ts'
import { createApp } from '../supabase/functions/integration-settings/app.ts'
import { readDependencies } from '../supabase/functions/integration-settings/dependencies.ts'
import { checkAnswer } from './api-answers.ts'
import { consent, googleClient } from './google-oauth-server.ts'

export const jwtSecret = 'a secret of the tests that is long enough'
const project = 'http://127.0.0.1:9'
export const appUrl = 'https://app.example.com'

export interface SettingsApp {
  /** A request of a user (or of nobody): status, JSON and text of the answer. */
  call(user: string | undefined, method: string, path: string, body?: unknown): Promise<Reply>
  /** From the provider's page, over the callback, to where the app is opened again. */
  signIn(user: string, start: Record<string, unknown>, choice?: Parameters<typeof consent>[1]): Promise<URL>
  /** The whole of it, to the connection. */
  connect(
    user: string,
    start: Record<string, unknown>,
    choice?: Parameters<typeof consent>[1],
  ): Promise<Reply>
  /** What the other functions of the project were asked: test-connection and resume. */
  asked: { path: string; token: string; body: unknown }[]
  /** What the function of a provider says to credentials. */
  answerTest(answer: ToolResult): void
  /** The request that continues this conversation is lost. */
  loseResume(conversationId: string): void
  /** Resolves when everything that goes on in the background is over. */
  settled(): Promise<void>
}

export interface Reply {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: answers of many shapes, looked into by assertions only
  json: any
  text: string
  headers: Headers
}

/** The settings function on a database of the test, with the simulated Google and stand-ins for the other functions. */
export function createSettingsApp(
  rpc: CallRpc,
  env: Record<string, string | undefined>,
  send: typeof fetch = fetch,
  clock?: Pick<Clock, 'sleep'>,
): SettingsApp {
  const asked: SettingsApp['asked'] = []
  const background: Promise<unknown>[] = []
  const lost = new Set<string>()
  let testAnswer: ToolResult = { ok: true, data: {} }
  const stand: typeof fetch = async (input, init) => {
    const url = String(input)
    if (!url.startsWith(`${project}/functions/v1/`)) return await send(input, init)
    const token = new Headers(init?.headers).get('authorization')?.replace('Bearer ', '') ?? ''
    const body = typeof init?.body === 'string' ? JSON.parse(init.body) : undefined
    const path = url.slice(`${project}/functions/v1`.length)
    asked.push({ path, token, body })
    if (lost.has(path)) throw new TypeError('The connection was reset.')
    return Response.json(testAnswer)
  }
  const dependencies = readDependencies(
    {
      SUPABASE_URL: project,
      SUPABASE_SERVICE_ROLE_KEY: 'unused',
      ASKBACK_JWT_SECRET: jwtSecret,
      ASKBACK_CREDENTIALS_KEYS: `test:${btoa('k'.repeat(32))}`,
      ASKBACK_APP_URLS: `${appUrl}, http://localhost:5173`,
      GOOGLE_CLIENT_ID: googleClient.clientId,
      GOOGLE_CLIENT_SECRET: googleClient.clientSecret,
      ...env,
    },
    (work) => void background.push(work),
  )
  const files = createFileStore(rpc, createBucket({ url: project, serviceKey: 'unused' }))
  const app = createApp({ ...dependencies, rpc, files, fetch: stand, ...(clock ? { clock } : {}) })
  const at = `${project}/functions/v1/integration-settings`

  const fetchApp = async (path: string, init: RequestInit) => {
    // Functions see their own name in front of every path, and nothing before it.
    const response = await app.fetch(new Request(`${project}/integration-settings${path}`, init))
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.includes('json')
    const json = isJson ? JSON.parse(text) : undefined
    checkAnswer(
      { method: init.method ?? 'GET', path: `/integration-settings${path}` },
      { status: response.status, json },
    )
    return { status: response.status, json, text, headers: response.headers }
  }

  const call: SettingsApp['call'] = async (user, method, path, body) => {
    const headers: Record<string, string> = { 'content-type': 'application/json' }
    if (user !== undefined) headers.authorization = `Bearer ${await signToken(user)}`
    return await fetchApp(path, {
      method,
      headers,
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
  }

  const signIn: SettingsApp['signIn'] = async (user, start, choice) => {
    const begun = await call(user, 'POST', '/oauth/start', { returnTo: `${appUrl}/settings`, ...start })
    if (begun.status !== 200) throw new Error(begun.text)
    const back = await consent(begun.json.url, choice)
    if (!back.href.startsWith(`${at}/oauth/callback`))
      throw new Error(`Google sent the browser to ${back.href}`)
    const redirect = await fetchApp(`/oauth/callback${back.search}`, {})
    if (redirect.status !== 303) throw new Error(redirect.text)
    return new URL(redirect.headers.get('location') ?? '')
  }

  return {
    call,
    signIn,
    async connect(user, start, choice) {
      const back = await signIn(user, start, choice)
      return await call(user, 'POST', '/oauth/complete', { code: back.searchParams.get('code') })
    },
    asked,
    answerTest: (answer) => {
      testAnswer = answer
    },
    loseResume: (conversationId) => lost.add(`/chat/${conversationId}/resume`),
    async settled() {
      await Promise.all(background)
    },
  }
}

const tokens = new Map<string, Promise<string>>()

/** The access token of a user, the same at every call. */
export function signToken(userId: string): Promise<string> {
  const token = tokens.get(userId) ?? signNew(userId)
  tokens.set(userId, token)
  return token
}

function signNew(userId: string): Promise<string> {
  return new SignJWT({ role: 'authenticated' })
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(userId)
    .setAudience('authenticated')
    .setIssuedAt()
    .setExpirationTime('1h')
    .sign(new TextEncoder().encode(jwtSecret))
}

/** What a provider's function says to a key that the provider does not take. */
export const refusedKey = toolError(
  'authentication_error',
  'Question: Testsearch does not accept this API key. Please copy it again.',
)
