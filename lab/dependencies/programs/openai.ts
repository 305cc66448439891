import OpenAI from 'openai'

export const send = (url: string) =>
  new OpenAI({ baseURL: `${url}/v1`, apiKey: 'key' }).chat.completions.create({
    model: 'gpt-5',
    messages: [{ role: 'user', content: 'Hello' }],
  })
