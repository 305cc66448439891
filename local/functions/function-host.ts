import { existsSync, readdirSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { answerError } from '../answer-error.ts'
import type { Environment } from '../settings.ts'
import { findDeno } from './deno-binary.ts'
import { forward } from './forward.ts'
import { type FunctionProcess, startFunction } from './function-process.ts'

/** Runs the edge functions of a project: each one as a process of its own, from its first request on. */
export interface FunctionHost {
  names(): string[]
  /** Process ids by function name. */
  pids(): Record<string, number>
  /** Answers a request for `/functions/v1/NAME/…`. */
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>
  /** Ends all of them. */
  close(): Promise<void>
}

export const functionsPath = '/functions/v1'

export function createFunctionHost(options: {
  /** The folder with `NAME/index.ts`. */
  directory: string
  /** Other files and folders that functions may read. */
  readable: readonly string[]
  environment: Environment
  onChange(): void
}): FunctionHost {
  const { directory, readable, environment, onChange } = options
  const deno = findDeno()
  const starting = new Map<string, Promise<FunctionProcess>>()
  const running = new Map<string, FunctionProcess>()
  const stop = new AbortController()

  const entryOf = (name: string) => join(directory, name, 'index.ts')
  const names = () =>
    existsSync(directory) ? readdirSync(directory).filter((name) => existsSync(entryOf(name))) : []

  const start = async (name: string): Promise<FunctionProcess> => {
    const started = await startFunction({
      name,
      entry: entryOf(name),
      deno,
      readable: [directory, ...readable],
      environment,
      signal: stop.signal,
    })
    running.set(name, started)
    onChange()
    void started.ended.then(() => {
      starting.delete(name)
      running.delete(name)
      if (!stop.signal.aborted) console.error(`[${name}] ended; the next request starts it again`)
      onChange()
    })
    return started
  }

  /** One start at a time; a failed one is not remembered, so that the next request tries again. */
  const get = (name: string): Promise<FunctionProcess> => {
    const known = starting.get(name)
    if (known) return known
    const attempt = start(name)
    starting.set(name, attempt)
    attempt.catch(() => starting.delete(name))
    return attempt
  }

  return {
    names,
    pids: () => Object.fromEntries([...running].map(([name, { pid }]) => [name, pid])),
    async handle(request, response) {
      const path = (request.url ?? '').slice(functionsPath.length)
      const name = /^\/([\w-]+)(?=[/?]|$)/.exec(path)?.[1] ?? ''
      if (!names().includes(name)) {
        const list = names().join(', ') || 'none'
        const message = `There is no function "${name}". The functions here: ${list}.`
        return answerError(request, response, 404, 'function_not_found', message)
      }
      try {
        for (let attempt = 1; attempt <= 2; attempt++) {
          const target = await get(name)
          if (!target.isEnding() && (await forward(request, response, { port: target.port, path, name })))
            return
          // It has just ended and got nothing of this request, which the next process gets.
          target.kill()
          await target.ended
        }
        throw new Error('it does not listen')
      } catch (error) {
        const message = `The function "${name}" could not start: ${(error as Error).message}. Its log is in the terminal of npm start.`
        answerError(request, response, 503, 'function_not_started', message)
      }
    },
    async close() {
      const ended = [...running.values()].map((process) => process.ended)
      const attempts = [...starting.values()]
      stop.abort()
      await Promise.allSettled([...ended, ...attempts])
    },
  }
}
