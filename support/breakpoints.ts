import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Holds every request until the test lets it go on: a place that code under test can be stopped at. */
export interface Breakpoints {
  /** Address of a place. */
  url(place: string): string
  /** Resolves when somebody has come to the place. */
  arrival(place: string): Promise<void>
  /** Lets go on whoever is there. */
  release(place: string): void
  close(): Promise<void>
}

export async function startBreakpoints(): Promise<Breakpoints> {
  const stopped = new Map<string, ServerResponse>()
  const waiting = new Map<string, () => void>()
  const server = createServer((request, response) => {
    const place = (request.url ?? '').slice(1)
    stopped.set(place, response)
    waiting.get(place)?.()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: (place) => `http://127.0.0.1:${(server.address() as AddressInfo).port}/${place}`,
    arrival: (place) =>
      new Promise((resolve) => (stopped.has(place) ? resolve() : waiting.set(place, resolve))),
    release: (place) => void stopped.get(place)?.end('go on'),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
