import type { TestStack } from '../../support/stack.ts'
import { streamTurn } from '../bench/streamed-turn.ts'

const turns = 20

/**
 * From sending a message to the first word of the answer in an AI SDK client's stream, over HTTP, in ms: the median of
 * 20 turns, each in a new conversation. `token`: of a user of the stack; one turn before these warms it up.
 */
export async function measureStreamedTurn({ url }: Pick<TestStack, 'url'>, token: string): Promise<number> {
  await firstWord(url, token)
  const times: number[] = []
  for (let turn = 0; turn < turns; turn++) times.push(await firstWord(url, token))
  return times.toSorted((a, b) => a - b)[turns / 2] ?? Number.NaN
}

async function firstWord(url: string, token: string): Promise<number> {
  const began = performance.now()
  const response = await streamTurn({ url }, token, 'Hello')
  let elapsed: number | undefined
  let text = ''
  const decoder = new TextDecoder()
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true })
    if (text.includes('"type":"text-delta"')) elapsed ??= performance.now() - began
  }
  if (elapsed === undefined) throw new Error(`The streamed turn said no word: ${text.slice(0, 1000)}`)
  return elapsed
}
