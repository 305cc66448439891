import { setMaxListeners } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { relative, sep } from 'node:path'
import { sendError } from '../http/send-error.ts'
import type { Environment } from '../settings/settings.ts'
import { findDeno } from './deno-binary.ts'
import { forward } from './forward.ts'
import { type FunctionProcess, startFunction } from './function-process.ts'
import type { FunctionSource, FunctionSources } from './function-source.ts'
import { refuseToken } from './refuse-token.ts'

/** Runs the edge functions of a project, each in its own process that starts with its first request. */
export interface FunctionHost {
  names(): string[]
  /** Process ids by function name. */
  pids(): Record<string, number>
  /** Serves `/functions/v1/NAME/…`. */
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>
  /** These files have changed: the next request of each function that may use them starts its new code. */
  reload(paths: readonly string[]): void
  /** Ends all processes. */
  close(): Promise<void>
}

export const functionsPath = '/functions/v1'

/** One process of a function, and the requests that use it. */
interface Generation {
  process: Promise<FunctionProcess>
  /** Requests under way. */
  requests: number
  /** Its code is out of date: it gets no more requests, and ends after its last one. */
  retired: boolean
}

export function createFunctionHost(options: {
  /** The folder with a folder for each function. */
  directory: string
  sources: FunctionSources
  /** As of startFunction. */
  bootstrap?: string | undefined
  environment: Environment
  /** The secret that the tokens of users are signed with. */
  jwtSecret: string
  onChange(): void
}): FunctionHost {
  const { directory, sources, bootstrap, environment, jwtSecret, onChange } = options
  const deno = findDeno()
  const generations = new Map<string, Generation>()
  const running = new Map<string, FunctionProcess>()
  const ends = new Set<Promise<unknown>>()
  const stop = new AbortController()
  // Each process listens: Node would warn at the eleventh.
  setMaxListeners(0, stop.signal)

  const start = (name: string, source: FunctionSource): Generation => {
    const process = startFunction({ name, source, deno, bootstrap, environment, signal: stop.signal })
    const generation = { process, requests: 0, retired: false }
    generations.set(name, generation)
    const end = process.then(
      async (started) => {
        if (!generation.retired) running.set(name, started)
        onChange()
        const signal = await started.ended
        if (running.get(name) === started) running.delete(name)
        // Ctrl+C reaches the function before it ends us.
        if (!stop.signal.aborted && !generation.retired && signal !== 'SIGINT')
          console.error(`[${name}] ended; the next request starts it again`)
        forget(name, generation)
        onChange()
      },
      // Forget a failed start, so that the next request tries again.
      () => forget(name, generation),
    )
    ends.add(end)
    void end.finally(() => ends.delete(end))
    return generation
  }

  const forget = (name: string, generation: Generation) => {
    if (generations.get(name) === generation) generations.delete(name)
  }

  const retire = (name: string) => {
    const generation = generations.get(name)
    if (!generation) return
    generations.delete(name)
    running.delete(name)
    generation.retired = true
    console.log(`[${name}] has changed; the next request starts the new code`)
    onChange()
    endUnused(generation)
  }

  const endUnused = ({ process, requests, retired }: Generation) => {
    if (retired && requests === 0) void process.then((started) => started.retire()).catch(() => {})
  }

  /** Passes the request to the function's process; false when that process received none of it. */
  const pass = async (
    { name, source }: { name: string; source: FunctionSource },
    path: string,
    request: IncomingMessage,
    response: ServerResponse,
  ) => {
    const generation = generations.get(name) ?? start(name, source)
    generation.requests++
    const release = () => {
      generation.requests--
      endUnused(generation)
    }
    try {
      const target = await generation.process
      if (!target.isEnding() && (await forward(request, response, { ...target, path, name }))) {
        if (response.closed) release()
        else response.once('close', release)
        return true
      }
      // The process ended before it received this request, so the next process gets it.
      target.kill()
      await target.ended
      forget(name, generation)
    } catch (error) {
      release()
      throw error
    }
    release()
    return false
  }

  return {
    names: sources.names,
    pids: () => Object.fromEntries([...running].map(([name, { pid }]) => [name, pid])),
    async handle(request, response) {
      const path = (request.url ?? '').slice(functionsPath.length)
      const name = /^\/([\w-]+)(?=[/?]|$)/.exec(path)?.[1] ?? ''
      try {
        const source = sources.find(name)
        if (!source) {
          const list = sources.names().join(', ') || 'none'
          const message = `There is no function "${name}". The functions here: ${list}.`
          return sendError(request, response, 404, 'function_not_found', message)
        }
        const refusal = source.verifiesJwt ? await refuseToken(request, jwtSecret) : undefined
        if (refusal) return sendError(request, response, 401, refusal.code, refusal.message)
        for (let attempt = 1; attempt <= 2; attempt++) {
          if (await pass({ name, source }, path, request, response)) return
        }
        throw new Error('it does not listen')
      } catch (error) {
        const message = `The function "${name}" could not start: ${(error as Error).message}. Its log is in the terminal of the stack.`
        sendError(request, response, 503, 'function_not_started', message)
      }
    },
    reload(paths) {
      const owners = paths.map((path) => relative(directory, path).split(sep)[0] ?? '')
      // Files outside of the functions' folders may be part of every function.
      const known = new Set(sources.names())
      const all = owners.some((owner) => !known.has(owner))
      for (const name of all ? [...generations.keys()] : new Set(owners)) retire(name)
    },
    async close() {
      stop.abort()
      await Promise.all(ends)
    },
  }
}
