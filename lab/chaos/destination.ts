import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Point } from './hop.ts'

/** A request of the bell, as a project's own function gets it. */
export interface Told {
  type: 'opened' | 'closed' | 'digest'
  /** The same for each attempt. */
  delivery: string
  itemIds: string[]
  /** Whether it was answered with a failure. */
  isRefused: boolean
}

/** Whoever is told what waits. */
export interface Destination {
  url: string
  /** In their order. */
  readonly told: readonly Told[]
  close(): Promise<void>
}

/**
 * Listens on a free port. `onTold` is awaited before a request is answered and after; it resolves to whether the first
 * attempt is to fail.
 */
export async function startDestination(
  onTold: (told: Told, side: Point['side']) => Promise<boolean>,
): Promise<Destination> {
  const told: Told[] = []
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part)
    const { type, itemId, items = [{ itemId }] } = JSON.parse(Buffer.concat(parts).toString())
    const one: Told = {
      type,
      delivery: String(request.headers['x-askback-delivery']),
      itemIds: items.map((item: { itemId: string }) => item.itemId),
      isRefused: false,
    }
    const isFirst = !told.some(({ delivery }) => delivery === one.delivery)
    told.push(one)
    const fails = await onTold(one, 'before')
    one.isRefused = fails && isFirst
    response.writeHead(one.isRefused ? 500 : 200).end()
    await onTold(one, 'after')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/told`,
    told,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
