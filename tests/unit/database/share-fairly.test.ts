import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createRpc } from '../../../shared/server/database/call-rpc.ts'

/** A data API that answers when it is told to. */
const held: ServerResponse[] = []
const server = createServer((request, response) => {
  request.resume()
  held.push(response)
})
const arrived = async (count: number) => {
  while (held.length < count) await once(server, 'request')
}
const answer = (response: ServerResponse | undefined) => response?.end('"done"')

beforeEach(async () => {
  held.length = 0
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterEach(() => {
  server.closeAllConnections()
  server.close()
})

const connect = () => {
  const { port } = server.address() as AddressInfo
  return createRpc({ url: `http://127.0.0.1:${port}`, serviceKey: 'key' })
}
const call = (rpc: ReturnType<typeof connect>, user: string) => rpc('list_agents', { p_user_id: user })

test('a user’s fifth call waits for one of the four before it, and nobody else’s does', async () => {
  const rpc = connect()
  const flood = Array.from({ length: 20 }, () => call(rpc, 'ada'))
  await arrived(4)
  const other = call(rpc, 'grace')
  const ofRun = rpc('heartbeat_run', { p_run_id: 'run' })
  await arrived(6)
  answer(held[4])
  answer(held[5])
  expect(await Promise.all([other, ofRun])).toEqual(['done', 'done'])
  // No other call of the flood has arrived before these two.
  expect(held).toHaveLength(6)
  for (let next = 0; next < 22; next++) {
    await arrived(next + 1)
    if (next !== 4 && next !== 5) answer(held[next])
  }
  expect(await Promise.all(flood)).toEqual(Array(20).fill('done'))
})

test('a call that fails makes room for the next one', async () => {
  const rpc = connect()
  const calls = Array.from({ length: 5 }, () => call(rpc, 'ada'))
  const settled = Promise.allSettled(calls)
  await arrived(4)
  held[0]?.writeHead(400).end('{"code":"22023","message":"no"}')
  await arrived(5)
  for (const response of held.slice(1)) answer(response)
  expect((await settled).map(({ status }) => status)).toEqual(['rejected', ...Array(4).fill('fulfilled')])
})

test.each([undefined, null])('calls that name %s as their user never wait', async (user) => {
  const rpc = connect()
  const calls = Array.from({ length: 6 }, () => rpc('list_agents', { p_user_id: user as never }))
  await arrived(6)
  for (const response of held) answer(response)
  expect(await Promise.all(calls)).toEqual(Array(6).fill('done'))
})
