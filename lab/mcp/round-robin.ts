import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { forward } from '../../local/functions/forward.ts'
import type { FunctionProcess } from '../../local/functions/function-process.ts'

/** A gateway in front of several processes of a function. */
export interface RoundRobin {
  url: string
  /** Breaks off every answer that is on its way. */
  cut(): void
  close(): Promise<void>
}

/**
 * Passes each request to the next process, as the local stack's gateway does. `token`: for requests without one, because the
 * suite signs in nowhere.
 */
export async function startRoundRobin(
  processes: readonly FunctionProcess[],
  token?: string,
): Promise<RoundRobin> {
  let turn = 0
  const open = new Set<ServerResponse>()
  const server = createServer((request, response) => {
    open.add(response)
    response.on('close', () => open.delete(response))
    if (token !== undefined) request.headers.authorization ??= `Bearer ${token}`
    const { port, tellGone } = processes[turn++ % processes.length] as FunctionProcess
    void forward(request, response, { port, path: request.url ?? '/', name: 'mcp', tellGone })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    cut() {
      for (const response of open) response.destroy()
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
