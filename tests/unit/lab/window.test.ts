import { expect, test } from 'vitest'
import { play } from '../../../lab/window/play.ts'
import { longTurn } from '../../../lab/window/script.ts'

/** No tokenizer: four characters a token. */
const count = (text: string) => Math.ceil(text.length / 4)
const scene = { window: 8_192, turns: 8, turn: longTurn }

test('a server refuses what its window does not hold once, and the conversation goes on', async () => {
  const played = await play({ ...scene, words: 'llama.cpp', isKnown: false }, count)
  expect(played.map(({ isAnswered }) => isAnswered)).toEqual(Array(8).fill(true))
  const requests = played.flatMap(({ arrived }) => arrived)
  expect(requests.filter(({ isRefused }) => isRefused)).toHaveLength(1)
  expect(requests.at(-1)?.tokens).toBeLessThan(8_192)
})

test('a server that cuts silently reports its window, and the newest words still arrive', async () => {
  const played = await play({ ...scene, words: 'silent', isKnown: false }, count)
  const requests = played.flatMap(({ arrived }) => arrived)
  expect(requests.some(({ isCut }) => isCut)).toBe(true)
  for (const { said, arrived } of played)
    expect(JSON.stringify(arrived.at(-1)?.messages)).toContain(JSON.stringify(said.text).slice(1, -1))
})
