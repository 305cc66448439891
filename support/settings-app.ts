import type { Clock } from '../shared/engine/core/clock.ts'
import { type ToolResult, toolError } from '../shared/engine/core/tool-error.ts'
import type { CallRpc } from '../shared/server/database/call-rpc.ts'
import { createFileStore } from '../shared/server/files/file-store.ts'
import { createBucket } from '../shared/server/files/storage-bucket.ts'
import { createApp } from '../supabase/functions/integration-settings/app.ts'
import { readDependencies } from '../supabase/functions/integration-settings/dependencies.ts'
import { checkAnswer } from './api-answers.ts'
import { askFunction, projectSettings, type Reply } from './function-app.ts'
import { consent, googleClient } from './google-oauth-server.ts'

const project = projectSettings.SUPABASE_URL
export const appUrl = 'https://app.example.com'

export interface SettingsApp {
  /** A request of a user (or of nobody): status, JSON and text of the answer. */
  call(
    user: string | undefined,
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Reply>
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
      ...projectSettings,
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

  const ask = askFunction('integration-settings', app)
  const call: SettingsApp['call'] = async (user, method, path, body, headers) => {
    const reply = await ask(user, method, path, body, headers)
    checkAnswer({ method, path: `/integration-settings${path}` }, reply)
    return reply
  }

  const signIn: SettingsApp['signIn'] = async (user, start, choice) => {
    const begun = await call(user, 'POST', '/oauth/start', { returnTo: `${appUrl}/settings`, ...start })
    if (begun.status !== 200) throw new Error(begun.text)
    const back = await consent(begun.json.url, choice)
    if (!back.href.startsWith(`${at}/oauth/callback`))
      throw new Error(`Google sent the browser to ${back.href}`)
    const redirect = await call(undefined, 'GET', `/oauth/callback${back.search}`)
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

/** What a provider's function says to a key that the provider does not take. */
export const refusedKey = toolError(
  'authentication_error',
  'Question: Testsearch does not accept this API key. Please copy it again.',
)
