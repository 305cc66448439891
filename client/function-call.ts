import type { SupabaseClient } from '@supabase/supabase-js'
import { readFailure } from './askback-error.ts'

/** The parts of a supabase-js client that we use. */
export interface SupabaseParts {
  functions: Pick<SupabaseClient['functions'], 'invoke'>
  // biome-ignore lint/suspicious/noExplicitAny: whatever database types the app has
  schema(name: string): any
}

/** What functions of Askback are called in the project, by their own names, like `{ chat: 'assistant' }`. */
export type FunctionNames = Readonly<Record<string, string>>

/** The path of a function or one of its routes, under the name that it has in the project. */
export function givenPath(route: string, names: FunctionNames): string {
  return route.replace(/^[^/?]+/, (name) => names[name] ?? name)
}

/** The client with functions that have other names. */
export function withFunctionNames(supabase: SupabaseParts, names: FunctionNames): SupabaseParts {
  return {
    schema: (name) => supabase.schema(name),
    functions: {
      invoke: (path, options) => supabase.functions.invoke(givenPath(path, names), options),
    },
  }
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Calls a function as the signed-in user; a Blob is sent as it is. Throws AskbackError. */
export async function callFunction<Answer>(
  supabase: SupabaseParts,
  method: Method,
  path: string,
  body?: object,
): Promise<Answer> {
  const type: Record<string, string> =
    body instanceof Blob ? { 'Content-Type': body.type || 'application/octet-stream' } : {}
  const { data, error } = await supabase.functions.invoke<Answer>(path, {
    method,
    headers: { accept: 'application/json', ...type },
    ...(body === undefined ? {} : { body: body as Record<string, unknown> }),
  })
  if (error) throw await readFailure(error)
  return data as Answer
}

/** `fetch` for `useChat`: adds the session and turns refusals into sentences. `path` starts with the function's name. */
export function createFunctionFetch(supabase: SupabaseParts): typeof fetch {
  return async (path, { method, headers, body, signal } = {}) => {
    const { data, error, response } = await supabase.functions.invoke(String(path), {
      method: (method ?? 'GET') as Method,
      headers: Object.fromEntries(new Headers(headers)),
      ...(typeof body === 'string' ? { body } : {}),
      ...(signal ? { signal } : {}),
    })
    if (error) {
      // useChat must see an abort, not an error.
      if (signal?.aborted) throw signal.reason ?? new DOMException('Stopped', 'AbortError')
      throw await readFailure(error)
    }
    return response === undefined || response.bodyUsed ? Response.json(data) : response
  }
}
