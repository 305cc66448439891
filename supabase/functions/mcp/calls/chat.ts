import type { z } from 'zod'
import { waitBeforeTry } from '../../../../shared/engine/core/backoff.ts'
import { systemClock } from '../../../../shared/engine/core/clock.ts'
import { isObject } from '../../../../shared/engine/core/json-value.ts'
import { bodyLimits, readJson } from '../../../../shared/engine/core/outside-body.ts'
import { ticketHeaders } from '../../../../shared/server/client-calls/between-functions.ts'
import {
  type CallAnswer,
  type CallRequest,
  callAnswer,
  callRoute,
  type ToolsRequest,
  toolsAnswer,
  toolsRoute,
} from '../../../../shared/server/client-calls/client-call.ts'
import { ApiError } from '../../../../shared/server/http/api-error.ts'
import { writeLog } from '../../../../shared/server/log/log-line.ts'

/** The function `chat`, which lists the tools and carries calls out. */
export interface Chat {
  tools(request: ToolsRequest, signal: AbortSignal): Promise<z.infer<typeof toolsAnswer>>
  /** Asked again while its process is gone: nothing is done twice. `signal`: nobody waits for it any more. */
  call(request: CallRequest, signal: AbortSignal): Promise<CallAnswer>
}

/** A refusal of the function `chat`, in its own words. */
export class ChatRefused extends Error {
  override name = 'ChatRefused'
}

/** Milliseconds for a list of tools. */
const listMs = 10_000
/** Statuses by which a gateway says that a process is gone. */
const gone = [502, 503, 504, 546]

export function createChat(parts: {
  functionUrl: (route: string) => string
  functionSecret: string | undefined
  fetch: typeof fetch
}): Chat {
  async function ask<Answer>(
    route: string,
    request: { userId: string },
    schema: z.ZodType<Answer>,
    { signal, endsAt }: { signal: AbortSignal; endsAt: number },
  ): Promise<Answer> {
    const { functionUrl, functionSecret, fetch: send } = parts
    if (!functionSecret) throw new ApiError('not_configured', { why: 'clock' })
    // As JSON has it: the ticket is for what arrives.
    const body = JSON.parse(JSON.stringify(request))
    for (let tries = 1; ; tries++) {
      const response = await send(functionUrl(`chat/${route}`), {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(await ticketHeaders(route, body, functionSecret)),
        },
        body: JSON.stringify(body),
        signal,
      }).catch((error) => {
        if (signal.aborted) throw error
        return undefined
      })
      const said = response && (await readJson(response, bodyLimits.function).catch(() => undefined))
      if (response?.ok && said !== undefined) return schema.parse(said)
      const isRefused = response && isObject(said) && isObject(said.error)
      const waitMs = waitBeforeTry(tries, { baseMs: 200, longestMs: 2000 })
      const isOver = Date.now() + waitMs > endsAt
      if (isRefused && (isOver || !gone.includes(response.status))) {
        throw new ChatRefused(String((said.error as { message?: unknown }).message))
      }
      if (isOver || (response && !response.ok && !gone.includes(response.status))) {
        throw new ApiError('internal_error', { why: 'request' })
      }
      writeLog('chat-asked-again', { route, status: response?.status ?? 0, tries })
      await systemClock.sleep(waitMs, signal)
    }
  }

  return {
    tools: (request, signal) =>
      ask(toolsRoute, request, toolsAnswer, { signal, endsAt: Date.now() + listMs }),
    call: (request, signal) =>
      ask(callRoute, request, callAnswer, { signal, endsAt: Date.now() + request.waitMs }),
  }
}
