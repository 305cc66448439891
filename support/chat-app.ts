import { readKeys } from '../local/data-directory/keys.ts'
import type { ChatAnswer } from '../supabase/functions/chat/answer/chat-answer.ts'
import { createApp } from '../supabase/functions/chat/app.ts'
import { type ChatDependencies, readDependencies } from '../supabase/functions/chat/turn/dependencies.ts'
import type { ChatStack } from './chat-stack.ts'
import type { TestStack } from './stack.ts'

/** The chat function in this process, on the database and the model of a stack: a second process of the same project. */
export interface ChatApp {
  post(
    body: unknown,
    options: { token?: string; path?: string; headers?: Record<string, string> },
  ): Promise<{ status: number; answer: ChatAnswer & { error?: { code: string; message: string } } }>
  get(path: string, token: string): Promise<Response>
  /** Any request for `/chat…`. */
  fetch(request: Request): Response | Promise<Response>
}

/** The chat function in this process: the only place where tests make it. */
export function makeChatApp(
  environment: Record<string, string>,
  overrides: Partial<ChatDependencies>,
): ReturnType<typeof createApp> {
  return createApp({ ...readDependencies(environment, () => {}), ...overrides })
}

/** What the chat function reads of a project with a web app at `https://app.example.com`. */
export function projectEnvironment({ url, dataDirectory }: Pick<TestStack, 'url' | 'dataDirectory'>) {
  const keys = readKeys(dataDirectory)
  return {
    SUPABASE_URL: url,
    SUPABASE_SECRET_KEYS: JSON.stringify({ default: keys.secretKey }),
    ASKBACK_JWT_SECRET: keys.jwtSecret,
    ASKBACK_FUNCTION_SECRET: keys.functionSecret,
    ASKBACK_CREDENTIALS_KEYS: keys.credentialsKeys,
    ASKBACK_APP_URLS: 'https://app.example.com',
  }
}

export function startChatApp(
  { stack, model }: ChatStack,
  { url = stack.url, ...overrides }: Partial<ChatDependencies> & { url?: string } = {},
): ChatApp {
  const environment = {
    ...projectEnvironment({ ...stack, url }),
    OPENAI_BASE_URL: model.url,
    OPENAI_API_KEY: 'any',
    OPENAI_MODEL: 'scripted-model',
  }
  const app = makeChatApp(environment, overrides)
  return {
    async post(body, { token, path = '', headers = {} }) {
      const response = await app.request(`/chat${path}`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          ...headers,
        },
        body: JSON.stringify(body),
      })
      return { status: response.status, answer: await response.json() }
    },
    fetch: (request) => app.fetch(request),
    get: async (path, token) =>
      app.request(`/chat${path}`, { headers: { authorization: `Bearer ${token}` } }),
  }
}
