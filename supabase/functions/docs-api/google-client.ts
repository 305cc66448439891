import { ToolCallError } from '../../../shared/engine/core/tool-error.ts'
import { classifyError } from '../../../shared/engine/failures/classify-error.ts'
import * as google from '../../../shared/integrations/google/google-client.ts'
import { GoogleFailure } from '../../../shared/integrations/google/google-failure.ts'
import type { Environment } from '../../../shared/server/authentication/project-settings.ts'
import { docsService } from './google-service.ts'

/** A request that has not arrived by then never will: Google's own front ends give up much earlier. Milliseconds. */
export const lateMs = 10 * 60 * 1000

/** The URLs of the two services; tests and the simulator replace them. */
export interface GoogleHosts {
  docs: string
  drive: string
}

export function readGoogleHosts(env: Environment): GoogleHosts {
  return {
    docs: env.GOOGLE_DOCS_API_BASE_URL || 'https://docs.googleapis.com',
    drive: env.GOOGLE_DRIVE_API_BASE_URL || 'https://www.googleapis.com',
  }
}

export interface GoogleRequest {
  method: string
  /** After the host, with its query. */
  path: string
  body?: string
  contentType?: string
}

/** Docs and Drive as the user, for one call of a tool. All of it rejects with ToolCallError. */
export interface GoogleClient {
  /** A read. */
  get(host: keyof GoogleHosts, path: string): Promise<unknown>
  /** A write. The error's cause is the GoogleFailure, if there is one. */
  change(host: keyof GoogleHosts, request: GoogleRequest): Promise<unknown>
}

/** `signal` as of the shared client. */
export function openGoogle(
  hosts: GoogleHosts,
  access: google.GoogleAccess,
  signal: AbortSignal,
): GoogleClient {
  const client = google.createGoogleClient(docsService, access, signal)
  return {
    async get(host, path) {
      const answer = await client.ask({ url: `${hosts[host]}${path}` })
      // Both services answer each read with an object: an empty answer is that of something in between.
      return answer ?? google.harmless(new GoogleFailure(502, new Headers(), ''), docsService)
    },
    async change(host, { method, path, body, contentType = 'application/json' }) {
      const blob = body === undefined ? undefined : new Blob([body], { type: contentType })
      try {
        const answer = await client.act({ method, url: `${hosts[host]}${path}`, body: blob })
        // Each write of ours is answered with what was written.
        if (answer === undefined) throw new GoogleFailure(502, new Headers(), '')
        return answer
      } catch (cause) {
        if (cause instanceof ToolCallError) throw cause
        throw new ToolCallError(
          classifyError(cause, { toolName: docsService.provider.id, effect: 'write' }),
          {
            cause,
          },
        )
      }
    },
  }
}
