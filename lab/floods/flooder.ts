/** The process that floods, as its parent orders. It ends with its parent. */
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Flood, FloodCounts, FloodOrder } from './floods.ts'
import { floodWords } from './model.ts'

const counts: FloodCounts = { answered: 0, refused: 0 }

process.on('disconnect', () => process.exit())
process.on('message', (order: FloodOrder | 'stop') => {
  if (order === 'stop') return void process.send?.(counts)
  process.send?.('begun')
  void run[order.flood](order)
})

const run: Record<Flood, (order: FloodOrder) => Promise<unknown>> = {
  /** 60 short turns a second. */
  turns: (order) => repeat(1000 / 60, () => post(order, { message: 'Hello' })),
  /** Steps of 1,500 calls, one answer after the other. */
  async steps(order) {
    for (;;) await post(order, { message: floodWords.steps })
  },
  /** 200 streams: ten answers being written, each read by twenty. */
  async streams(order) {
    const ids = Array.from({ length: 10 }, () => crypto.randomUUID())
    const again = async (ask: () => Promise<Response>) => {
      for (;;) {
        const { status } = await ask()
        if (status !== 200) await sleep(1000)
      }
    }
    const tell = (id: string) => {
      const message = { role: 'user', parts: [{ type: 'text', text: floodWords.streams }] }
      return again(() => request(order, '', { method: 'POST', body: JSON.stringify({ id, message }) }))
    }
    const read = (id: string) => again(() => request(order, `/${id}/stream`, { method: 'GET' }))
    return await Promise.all(ids.flatMap((id) => [tell(id), ...Array.from({ length: 19 }, () => read(id))]))
  },
  /** Three files of 5 MiB a second. */
  files(order) {
    const bytes = randomBytes(5 * 1024 * 1024)
    return repeat(1000 / 3, () => {
      randomBytes(16).copy(bytes)
      const url = `data:application/octet-stream;base64,${bytes.toString('base64')}`
      const file = { type: 'file', mediaType: 'application/octet-stream', filename: 'noise.bin', url }
      return post(order, { message: { role: 'user', parts: [file, { type: 'text', text: 'Hello' }] } })
    })
  },
}

/** Begins something regularly, whether the last one has ended or not. */
async function repeat(everyMs: number, begin: () => Promise<unknown>): Promise<never> {
  for (let number = 1, started = performance.now(); ; number++) {
    begin().catch(() => {})
    await sleep(Math.max(0, started + number * everyMs - performance.now()))
  }
}

async function post(order: FloodOrder, body: object): Promise<void> {
  const { status } = await request(order, '', { method: 'POST', body: JSON.stringify(body) })
  // A flood comes back soon, but a loop of refusals is another one.
  if (status !== 200) await sleep(20)
}

async function request({ url, token }: FloodOrder, path: string, init: RequestInit): Promise<Response> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const response = await fetch(url + path, { ...init, headers })
  const text = await response.text()
  const isRefused = [401, 403, 429].includes(response.status) || text.includes('"code":"wait_budget')
  if (isRefused && counts.refused === 0) process.send?.('refused')
  if (isRefused) counts.refused++
  else if (response.ok) counts.answered++
  return response
}
