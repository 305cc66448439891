import { createParser } from 'eventsource-parser'
import type { Contender } from './contender.ts'

const tools = [
  {
    type: 'function',
    function: {
      name: 'get_weather',
      description: 'Current weather of a city',
      parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
    },
  },
]

/** The floor: two fetches, no validation, no ledger, no errors. */
export const contender: Contender = (baseURL, streamed) => {
  async function ask(messages: object[]) {
    const response = await fetch(`${baseURL}/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer none' },
      body: JSON.stringify({ model: 'stub', messages, tools, ...(streamed ? { stream: true } : {}) }),
    })
    if (!streamed) return (await response.json()).choices[0].message
    const message = { content: '', name: '', id: '', args: '' }
    const parser = createParser({
      onEvent(event) {
        if (event.data === '[DONE]') return
        const delta = JSON.parse(event.data).choices[0]?.delta
        if (delta?.content) message.content += delta.content
        const call = delta?.tool_calls?.[0]
        if (call?.id) message.id = call.id
        if (call?.function?.name) message.name = call.function.name
        if (call?.function?.arguments) message.args += call.function.arguments
      },
    })
    for await (const part of response.body!.pipeThrough(new TextDecoderStream())) parser.feed(part)
    if (!message.id) return message
    return {
      tool_calls: [
        { id: message.id, type: 'function', function: { name: message.name, arguments: message.args } },
      ],
    }
  }
  return async () => {
    const messages: object[] = [{ role: 'user', content: 'What is the weather in Lisbon?' }]
    const first = await ask(messages)
    const call = first.tool_calls[0]
    const { city } = JSON.parse(call.function.arguments)
    messages.push({ role: 'assistant', tool_calls: [call] })
    messages.push({ role: 'tool', tool_call_id: call.id, content: JSON.stringify({ city, degrees: 21 }) })
    return (await ask(messages)).content
  }
}
