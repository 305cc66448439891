import { createModelClient } from '../../../shared/engine/models/create-model-client.ts'

export const send = (url: string) =>
  createModelClient({ baseURL: `${url}/v1`, apiKey: 'key', model: 'gpt-5' }).complete({
    messages: [{ role: 'user', content: 'Hello' }],
    tools: [],
  })
