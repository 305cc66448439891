import { bodyLimits, readBytes, readJson, readText } from '../../engine/core/outside-body.ts'
import { bodyTimeouts } from '../../engine/core/timeouts.ts'
import { ApiError } from '../http/api-error.ts'

/** The private bucket created by the migration. */
const bucket = 'askback-files'
const timeoutMs = 20_000
/** A file is passed on while it arrives. */
const saveTimeoutMs = bodyTimeouts.wholeMs + timeoutMs
/** Objects that one request lists or removes. */
const pageSize = 100

export interface StorageSettings {
  /** The project's URL. */
  url: string
  /** Secret or service-role key. */
  serviceKey: string
  fetch?: typeof fetch
}

/** Bytes in Supabase Storage, by name. Everything rejects with ApiError 503 on failure. */
export interface Bucket {
  save(object: string, content: Blob | ReadableStream<Uint8Array>, mediaType: string): Promise<void>
  /** Undefined if there is no such object. */
  read(object: string): Promise<Uint8Array<ArrayBuffer> | undefined>
  /** Objects that are already gone are not an error. */
  remove(objects: readonly string[]): Promise<void>
  /** Names of all objects in a folder. */
  list(folder: string): Promise<string[]>
}

/** Supabase Storage over its HTTP API (https://supabase.com/docs/reference/self-hosting-storage/introduction). */
export function createBucket({ url, serviceKey, fetch: send = fetch }: StorageSettings): Bucket {
  const ask = async (path: string, init: RequestInit, withinMs = timeoutMs): Promise<Response> => {
    const headers = { apikey: serviceKey, authorization: `Bearer ${serviceKey}`, ...init.headers }
    try {
      return await send(`${url}/storage/v1/${path}`, {
        ...init,
        headers,
        signal: AbortSignal.timeout(withinMs),
      })
    } catch (cause) {
      throw away(cause)
    }
  }
  const askForJson = async (path: string, method: string, body: unknown): Promise<unknown> => {
    const headers = { 'content-type': 'application/json' }
    const response = await ask(path, { method, headers, body: JSON.stringify(body) })
    if (!response.ok) throw away(await describe(response))
    return await readJson(response, bodyLimits.storage).catch((cause) => {
      throw away(cause)
    })
  }
  const pathOf = (object: string) => `object/${bucket}/${object.split('/').map(encodeURIComponent).join('/')}`

  return {
    async save(object, content, mediaType) {
      const headers = { 'content-type': mediaType, 'cache-control': 'max-age=0' }
      // Streams are sent only with `duplex`.
      const request = { method: 'POST', headers, body: content, duplex: 'half' }
      const response = await ask(pathOf(object), request, saveTimeoutMs)
      if (!response.ok) throw away(await describe(response))
      await response.body?.cancel()
    },

    async read(object) {
      const response = await ask(pathOf(object), { method: 'GET' })
      if (response.ok) {
        return await readBytes(response, bodyLimits.storage).catch((cause) => {
          throw away(cause)
        })
      }
      const refusal = await describe(response)
      if (refusal.isNotFound) return undefined
      throw away(refusal)
    },

    async remove(objects) {
      for (let at = 0; at < objects.length; at += pageSize) {
        await askForJson(`object/${bucket}`, 'DELETE', { prefixes: objects.slice(at, at + pageSize) })
      }
    },

    async list(folder) {
      const names: string[] = []
      for (;;) {
        const request = { prefix: folder, limit: pageSize, offset: names.length }
        const page = (await askForJson(`object/list/${bucket}`, 'POST', request)) as { name: string }[]
        names.push(...page.map(({ name }) => `${folder}/${name}`))
        if (page.length < pageSize) return names
      }
    },
  }
}

class StorageRefusal extends Error {
  override name = 'StorageRefusal'
  readonly isNotFound: boolean
  constructor(message: string, isNotFound: boolean) {
    super(message)
    this.isNotFound = isNotFound
  }
}

/** Storage answers 400 for a missing object, with the real status in the body. */
async function describe(response: Response): Promise<StorageRefusal> {
  const text = await readText(response, bodyLimits.storage).catch((cause) => {
    throw away(cause)
  })
  const status = /"statusCode"\s*:\s*"?(\d+)/.exec(text)?.[1] ?? String(response.status)
  return new StorageRefusal(`Storage answered ${status}: ${text.slice(0, 200)}`, status === '404')
}

function away(cause: unknown): ApiError {
  return new ApiError('storage_unavailable', {}, { cause })
}
