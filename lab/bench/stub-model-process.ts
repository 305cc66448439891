/**
 * The model that both functions talk to: streams the same short answer to every request, prepared bytes on a plain socket,
 * since its own time counts for both. Prints its port and runs until it is killed.
 */
import { type AddressInfo, createServer } from 'node:net'

const chunk = (delta: object, reason: string | null = null) =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 0, model: 'stub', choices: [{ index: 0, delta, finish_reason: reason }] })}\n\n`
const words = 'It is 21 degrees and sunny in Lisbon today.'.split(/(?<= )/)
const body = [
  chunk({ role: 'assistant', content: '' }),
  ...words.map((word) => chunk({ content: word })),
  chunk({}, 'stop'),
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 0, model: 'stub', choices: [], usage: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 } })}\n\n`,
  'data: [DONE]\n\n',
].join('')
const response = Buffer.from(
  `HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
)

const server = createServer((socket) => {
  let received = Buffer.alloc(0)
  socket.on('error', () => {})
  socket.setNoDelay(true)
  socket.on('data', (part) => {
    received = Buffer.concat([received, part])
    const bodyStart = received.indexOf('\r\n\r\n') + 4
    if (bodyStart < 4) return
    const head = received.toString('latin1', 0, bodyStart)
    const length = Number(/content-length: (\d+)/i.exec(head)?.[1])
    const isWhole = Number.isNaN(length)
      ? received.subarray(-5).toString('latin1') === '0\r\n\r\n'
      : received.length >= bodyStart + length
    if (!isWhole) return
    received = Buffer.alloc(0)
    socket.write(response)
  })
})
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port))
