/**
 * The model every contender talks to: answers the first request of a run with a tool call and the second with a
 * text, plain or streamed. It writes prepared bytes to the socket, because its own time counts for all contenders
 * and `node:http` would be half of what is measured. Prints its port and runs until it is killed.
 */
import { type AddressInfo, createServer } from 'node:net'

const base = { id: 'chatcmpl-1', created: 0, model: 'stub' }
const call = {
  id: 'call_1',
  type: 'function',
  function: { name: 'get_weather', arguments: '{"city":"Lisbon"}' },
}
const usage = { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 }
const text = 'It is 21 degrees and sunny in Lisbon today.'

const plain = (message: object, reason: string) =>
  JSON.stringify({
    ...base,
    object: 'chat.completion',
    choices: [{ index: 0, message, finish_reason: reason }],
    usage,
  })

const chunk = (delta: object, reason: string | null = null) =>
  `data: ${JSON.stringify({ ...base, object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: reason }] })}\n\n`
const end = `data: ${JSON.stringify({ ...base, object: 'chat.completion.chunk', choices: [], usage })}\n\ndata: [DONE]\n\n`

const answers = {
  plain: [
    plain({ role: 'assistant', content: null, tool_calls: [call] }, 'tool_calls'),
    plain({ role: 'assistant', content: text }, 'stop'),
  ],
  streamed: [
    chunk({
      role: 'assistant',
      content: null,
      tool_calls: [{ index: 0, ...call, function: { name: 'get_weather', arguments: '' } }],
    }) +
      ['{"city"', ':"Lis', 'bon"}']
        .map((part) => chunk({ tool_calls: [{ index: 0, function: { arguments: part } }] }))
        .join('') +
      chunk({}, 'tool_calls') +
      end,
    chunk({ role: 'assistant', content: '' }) +
      text
        .split(/(?<= )/)
        .map((word) => chunk({ content: word }))
        .join('') +
      chunk({}, 'stop') +
      end,
  ],
}

const head = (type: string, body: string) =>
  `HTTP/1.1 200 OK\r\ncontent-type: ${type}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n`
const responses = {
  plain: answers.plain.map((body) => Buffer.from(head('application/json', body) + body)),
  streamed: answers.streamed.map((body) => Buffer.from(head('text/event-stream', body) + body)),
}

const server = createServer((socket) => {
  let received = ''
  // A contender's process ends with its connections open.
  socket.on('error', () => {})
  socket.setNoDelay(true)
  socket.on('data', (part) => {
    received += part.toString('latin1')
    const bodyStart = received.indexOf('\r\n\r\n') + 4
    const length = Number(/content-length: (\d+)/i.exec(received)?.[1])
    if (bodyStart < 4 || received.length < bodyStart + length) return
    const step = received.includes('"role":"tool"') ? 1 : 0
    socket.write(responses[received.includes('"stream":true') ? 'streamed' : 'plain'][step] ?? '')
    received = ''
  })
})
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port))
