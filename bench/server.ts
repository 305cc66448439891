/**
 * The model every contender talks to: answers the first request of a run with a tool call and the second with a
 * text, plain or streamed, from prepared bytes. Prints its port and runs until it is killed.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

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

const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (part) => chunks.push(part))
  request.on('end', () => {
    const body = Buffer.concat(chunks).toString()
    const streamed = body.includes('"stream":true')
    const step = body.includes('"role":"tool"') ? 1 : 0
    response.setHeader('content-type', streamed ? 'text/event-stream' : 'application/json')
    response.end(answers[streamed ? 'streamed' : 'plain'][step])
  })
})
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port))
