import { createServer, request as forward, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { HopListener } from './hop.ts'

/**
 * The functions' `HTTP_PROXY`: all their requests pass through it, so that a run can be stopped at each of its awaits.
 * A request whose sender dies while it is held is not passed on.
 */
export interface HopProxy {
  url: string
  /** Users for whom a tool's function is at work. */
  readonly atTool: ReadonlySet<string>
  close(): Promise<void>
}

export interface HopOwners {
  /** The user whose recipient's address is in the model's input. */
  ownerOfText(text: string): string | undefined
}

export async function startHopProxy(owners: HopOwners, onHop: HopListener): Promise<HopProxy> {
  const runs = new Map<string, string>()
  const atTool = new Map<string, number>()
  const count = (userId: string, by: number) => {
    const now = (atTool.get(userId) ?? 0) + by
    if (now === 0) atTool.delete(userId)
    else atTool.set(userId, now)
  }

  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let isGone = false
    response.once('close', () => {
      isGone = true
    })
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part)
    const body = Buffer.concat(parts)
    const target = new URL(request.url ?? '')
    const hop = readHop(target, request, body.toString())
    if (hop) await onHop(hop, 'before')
    if (isGone) return
    const isTool = hop?.name === 'tool'
    if (hop && isTool) count(hop.userId, 1)
    try {
      const answer = await ask(target, request, body)
      if (hop) await onHop(hop, 'after')
      if (isGone) return
      response.writeHead(answer.status, answer.headers)
      response.end(answer.body)
    } finally {
      if (hop && isTool) count(hop.userId, -1)
    }
  }

  function readHop(target: URL, request: IncomingMessage, text: string) {
    const [, rpc] = /^\/rest\/v1\/rpc\/(\w+)$/.exec(target.pathname) ?? []
    const [, tool] = /^\/functions\/v1\/([\w-]+)/.exec(target.pathname) ?? []
    if (rpc !== undefined) {
      const args = readObject(text)
      const ofRun = args.p_run_id === undefined ? undefined : runs.get(String(args.p_run_id))
      const userId = args.p_user_id === undefined ? ofRun : String(args.p_user_id)
      const runId = (args.p_request ?? args.p_answer) as { runId?: string } | undefined
      if (userId !== undefined && runId?.runId !== undefined) runs.set(runId.runId, userId)
      return userId === undefined ? undefined : { name: `rpc ${rpc}`, userId }
    }
    const [, mail] = /^\/gmail\/v1\/users\/me\/(.+)$/.exec(target.pathname) ?? []
    const name = mail === undefined ? (tool === undefined ? 'model' : 'tool') : `gmail ${mail}`
    const userId = (name === 'model' ? undefined : subjectOf(request)) || owners.ownerOfText(text)
    return userId === undefined ? undefined : { name, userId }
  }

  const server = createServer((request, response) => {
    pass(request, response).catch(() => response.destroy())
  })
  server.on('connect', (_, socket) => socket.destroy())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get atTool() {
      return new Set(atTool.keys())
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Buffers responses: only the model's is read as a stream here, and it is short. */
function ask(
  target: URL,
  { method, headers }: IncomingMessage,
  body: Buffer,
): Promise<{ status: number; headers: IncomingMessage['headers']; body: Buffer }> {
  const { host: _, 'proxy-connection': __, 'transfer-encoding': ___, ...kept } = headers
  return new Promise((resolve, reject) => {
    const upstream = forward(
      target,
      { method, agent: false, headers: { ...kept, host: target.host, 'content-length': body.length } },
      async (answer) => {
        const parts: Buffer[] = []
        try {
          for await (const part of answer) parts.push(part)
        } catch (error) {
          return reject(error)
        }
        const { 'transfer-encoding': _, connection: __, ...told } = answer.headers
        resolve({ status: answer.statusCode ?? 502, headers: told, body: Buffer.concat(parts) })
      },
    )
    upstream.on('error', reject)
    upstream.end(body)
  })
}

function subjectOf({ headers }: IncomingMessage): string | undefined {
  const payload = headers.authorization?.split('.')[1]
  return payload === undefined
    ? undefined
    : String(readObject(Buffer.from(payload, 'base64url').toString()).sub)
}

function readObject(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}
