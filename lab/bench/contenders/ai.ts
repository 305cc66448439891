import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { generateText, stepCountIs, streamText, tool } from 'ai'
import { z } from 'zod'
import type { Contender } from './contender.ts'

export const contender: Contender = (baseURL, streamed) => {
  const model = createOpenAICompatible({ name: 'stub', baseURL, apiKey: 'none' })('stub')
  const tools = {
    get_weather: tool({
      description: 'Current weather of a city',
      inputSchema: z.object({ city: z.string() }),
      execute: ({ city }) => ({ city, degrees: 21 }),
    }),
  }
  const options = { model, tools, prompt: 'What is the weather in Lisbon?', stopWhen: stepCountIs(10) }
  if (!streamed) return async () => (await generateText(options)).text
  return async () => {
    let text = ''
    for await (const delta of streamText(options).textStream) text += delta
    return text
  }
}
