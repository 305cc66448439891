import type { SupabaseClient } from '@supabase/supabase-js'
import { AskbackError, readFailure } from './askback-error.ts'
import { spokenLanguage } from './spoken-language.ts'

/** The parts of a supabase-js client that we use. */
export interface SupabaseParts {
  functions: Pick<SupabaseClient['functions'], 'invoke'>
  /** Only for whoever wants to hear who is signed in. */
  auth?: Pick<SupabaseClient['auth'], 'onAuthStateChange'>
  // biome-ignore lint/suspicious/noExplicitAny: whatever database types the app has
  schema(name: string): any
}

/** Askback's own functions, which a project may give other names. */
const ownFunctions = [
  'chat',
  'database-api',
  'docs-api',
  'file-text',
  'gmail-api',
  'integration-settings',
  'mcp',
  'mcp-client',
  'schedules-api',
  'smtp-api',
  'web-search-api',
] as const

/** What functions of Askback are called in the project, by their own names, like `{ chat: 'assistant' }`. */
export type FunctionNames = { readonly [Name in (typeof ownFunctions)[number]]?: string }

/** The path of a function or one of its routes, under the name that it has in the project. */
export function givenPath(route: string, names: FunctionNames): string {
  return route.replace(/^[^/?]+/, (name) => names[name as keyof FunctionNames] ?? name)
}

/**
 * The client with functions that have other names, and with the language and time zone of its user. Throws AskbackError if Askback has no such function.
 */
export function withFunctionNames(
  supabase: SupabaseParts,
  names: FunctionNames,
  language: () => string | undefined = spokenLanguage,
): SupabaseParts {
  const known: readonly string[] = ownFunctions
  const unknown = Object.keys(names).find((name) => !known.includes(name))
  if (unknown !== undefined) {
    throw new AskbackError(`Askback has no function "${unknown}". It has: ${known.join(', ')}.`, {
      code: 'unknown_function',
    })
  }
  return {
    schema: (name) => supabase.schema(name),
    functions: {
      invoke: (path, options) =>
        supabase.functions.invoke(givenPath(path, names), {
          ...options,
          headers: { ...options?.headers, ...timeZone(), ...named(language()) },
        }),
    },
  }
}

function named(language: string | undefined): Record<string, string> {
  return language === undefined ? {} : { 'x-askback-language': language }
}

/** The user's, so that the agent knows when "tomorrow at 9" is; on a server nobody's. */
function timeZone(): Record<string, string> {
  if (typeof document === 'undefined') return {}
  return { 'x-askback-timezone': Intl.DateTimeFormat().resolvedOptions().timeZone }
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Calls a function as the signed-in user; a Blob is sent as it is. Throws AskbackError. */
export async function callFunction<Answer>(
  supabase: SupabaseParts,
  method: Method,
  path: string,
  body?: object,
  names: FunctionNames = {},
  more: Record<string, string> = {},
): Promise<Answer> {
  const type: Record<string, string> =
    body instanceof Blob ? { 'Content-Type': body.type || 'application/octet-stream' } : {}
  const { data, error } = await supabase.functions.invoke<Answer>(path, {
    method,
    headers: { accept: 'application/json', ...type, ...more },
    body: body as Record<string, unknown> | undefined,
  })
  if (error) throw ownFailure(await readFailure(error), path, names)
  return data as Answer
}

/**
 * An answer that has the member which Askback's answer to this request always has. Throws AskbackError otherwise: the
 * project has another function of this name.
 */
export function ownAnswer<Answer>(
  answer: Answer,
  member: keyof Answer,
  path: string,
  names: FunctionNames,
): Answer {
  if (typeof answer === 'object' && answer !== null && Object.hasOwn(answer, member)) return answer
  throw notAskback(path, names)
}

/** Askback has a sentence of its own for what is not there: without one, there is no function, or another one. */
function ownFailure(failure: AskbackError, path: string, names: FunctionNames): AskbackError {
  const isOther = failure.code === 'failed' && (failure.status === 404 || failure.status === 405)
  return isOther ? notAskback(path, names, failure.status) : failure
}

function notAskback(path: string, names: FunctionNames, status = 0): AskbackError {
  const [name = ''] = path.split(/[/?]/)
  const key = /^\w+$/.test(name) ? name : `'${name}'`
  return new AskbackError(
    `The function "${givenPath(name, names)}" isn’t Askback’s. If you gave it another name, pass it: createAskback(supabase, { functions: { ${key}: 'NAME' } }).`,
    { code: 'not_askback', status },
  )
}

/** `fetch` for `useChat`: adds the session and turns refusals into sentences. `path` starts with the function's name. */
export function createFunctionFetch(supabase: SupabaseParts, names: FunctionNames = {}): typeof fetch {
  return async (path, { method, headers, body, signal } = {}) => {
    const { data, error, response } = await supabase.functions.invoke(String(path), {
      method: (method ?? 'GET') as Method,
      headers: Object.fromEntries(new Headers(headers)),
      body: typeof body === 'string' ? body : undefined,
      signal: signal || undefined,
    })
    if (error) {
      // useChat must see an abort, not an error.
      if (signal?.aborted) throw signal.reason ?? new DOMException('Stopped', 'AbortError')
      throw ownFailure(await readFailure(error), String(path), names)
    }
    const answer = response === undefined || response.bodyUsed ? Response.json(data) : response
    if (isStream(new Headers(headers), 'accept') && !isStream(answer.headers, 'content-type')) {
      throw notAskback(String(path), names)
    }
    return answer
  }
}

function isStream(headers: Headers, name: 'accept' | 'content-type'): boolean {
  return headers.get(name)?.startsWith('text/event-stream') ?? false
}
