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
  /** The user of a run, a schedule, a link (its hash) or a delivery of the bell. */
  userOf(id: string): string | undefined
  close(): Promise<void>
}

export interface HopOwners {
  /** The user whose recipient's address is in the model's input. */
  ownerOfText(text: string): string | undefined
}

export async function startHopProxy(owners: HopOwners, onHop: HopListener): Promise<HopProxy> {
  const users = new Map<string, string>()
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
      for (const userId of readHanded(target, answer.body)) {
        const handed = { name: `rpc ${nameOfRpc(target)}`, userId }
        await onHop(handed, 'before')
        await onHop(handed, 'after')
      }
      if (isGone) return
      response.writeHead(answer.status, answer.headers)
      response.end(answer.body)
    } finally {
      if (hop && isTool) count(hop.userId, -1)
    }
  }

  function readHop(target: URL, request: IncomingMessage, text: string) {
    const rpc = nameOfRpc(target)
    const [, tool] = /^\/functions\/v1\/([\w-]+)/.exec(target.pathname) ?? []
    if (rpc !== undefined) {
      const args = readObject(text)
      const id = args.p_run_id ?? args.p_schedule_id ?? args.p_hash ?? args.p_ring_id ?? args.p_digest_id
      const userId = typeof args.p_user_id === 'string' ? args.p_user_id : users.get(String(id))
      const { runId } = ((args.p_request ?? args.p_answer) as { runId?: string } | undefined) ?? {}
      const { hash } = (args.p_link as { hash?: string } | undefined) ?? {}
      for (const made of [runId, hash])
        if (userId !== undefined && made !== undefined) users.set(made, userId)
      return userId === undefined ? undefined : { name: `rpc ${rpc}`, userId }
    }
    const [, mail] = /^\/gmail\/v1\/users\/me\/(.+)$/.exec(target.pathname) ?? []
    const name = mail === undefined ? (tool === undefined ? 'model' : 'tool') : `gmail ${mail}`
    const userId = (name === 'model' ? undefined : subjectOf(request)) || owners.ownerOfText(text)
    return userId === undefined ? undefined : { name, userId }
  }

  /** The users for whom something is handed out, each once. */
  function readHanded(target: URL, body: Buffer): Set<string> {
    if (!/^take_(rings|digests|due_runs)$/.test(nameOfRpc(target) ?? '')) return new Set()
    const read = readObject(body.toString())
    const handed = (Array.isArray(read) ? read : (read.due ?? read.digests ?? [])) as {
      id?: string
      userId: string
      schedule?: { id: string }
    }[]
    for (const { id = '', userId, schedule } of handed) users.set(schedule?.id ?? id, userId)
    return new Set(handed.map(({ userId }) => userId))
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
    userOf: (id) => users.get(id),
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

const nameOfRpc = ({ pathname }: URL): string | undefined => /^\/rest\/v1\/rpc\/(\w+)$/.exec(pathname)?.[1]

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
