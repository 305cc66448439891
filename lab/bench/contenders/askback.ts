import { z } from 'zod'
import { createModelClient, createToolLibrary, defineTool, runAgent } from '../../../shared/index.ts'
import type { Contender } from './contender.ts'

/** Everything switched on: validation, intents, provenance, the ledger in memory. */
export const contender: Contender = (baseURL, streamed) => {
  const model = createModelClient({ baseURL, apiKey: 'none', model: 'stub' })
  const weather = defineTool({
    name: 'get_weather',
    description: 'Current weather of a city',
    parameters: z.object({ city: z.string() }),
    effect: 'read',
    execute: ({ city }) => ({ city, degrees: 21 }),
  })
  const library = createToolLibrary([weather])
  const agent = { name: 'weather', instructions: 'Answer questions.', tools: [weather.specification] }
  return async () =>
    (await runAgent({ agent, library, model, input: 'What is the weather in Lisbon?', stream: streamed }))
      .text
}
