import { createMemoryLedger } from '../../shared/engine/loop/run/memory-ledger.ts'
import { runAgent } from '../../shared/engine/loop/run-agent.ts'
import { createModelClient } from '../../shared/engine/models/create-model-client.ts'
import { createModelMemory } from '../../shared/engine/models/model-memory.ts'
import { createToolLibrary } from '../../shared/engine/tools/tool-library.ts'
import type { Entry } from '../../shared/engine/transcript/entry.ts'
import { answerTo, makeTools, type UserTurn } from './script.ts'
import { type Arrived, startStandIn } from './stand-in.ts'
import type { Tokenizer } from './tokenizer.ts'

/** A conversation with a model of a certain window. */
export interface Scene {
  window: number
  /** Whose words the server refuses in; `silent`: it cuts. */
  words: string
  /** Whether the operator has said the window. */
  isKnown: boolean
  turns: number
  turn: (number: number) => UserTurn
}

export interface PlayedTurn {
  said: UserTurn
  /** It ended with an answer, or waits for somebody. */
  isAnswered: boolean
  text: string
  arrived: Arrived[]
}

export const instructions = 'Help the user with mail and documents. Answer briefly.'
/** Characters of a document: as much as the model reads of one at once. */
const documentLength = 128_000
/** Turns that are loaded: at least, and by which the beginning moves. */
const [leastTurns, stepTurns] = [20, 10]

/** Plays a conversation through the engine, turn by turn, each with the newest turns before it. */
export async function play(
  { window, words, isKnown, turns, turn }: Scene,
  count: Tokenizer,
): Promise<PlayedTurn[]> {
  let said: UserTurn = { text: '' }
  const { arrived, fetch } = startStandIn(window, words, count, (request) => answerTo(said, request))
  const tools = await makeTools(documentLength)
  const agent = { name: 'Mira', instructions, tools: tools.map(({ specification }) => specification) }
  const memory = createModelMemory()
  const ledger = createMemoryLedger(Date.now)
  const library = createToolLibrary(tools)
  const played: PlayedTurn[] = []
  const earlier: Entry[][] = []
  for (let number = 0; number < turns; number++) {
    said = turn(number)
    const model = createModelClient({
      baseURL: 'http://stand-in.example/v1',
      apiKey: 'any',
      model: 'stand-in',
      provider: 'any',
      memory,
      fetch,
      windows: new Map(isKnown ? [['any/stand-in', window]] : []),
    })
    const before = arrived.length
    const from = Math.max(0, Math.floor((earlier.length - leastTurns) / stepTurns) * stepTurns)
    const transcript = earlier.slice(from).flat()
    const context = contextOf(number)
    const response = await runAgent({ agent, input: said.text, transcript, library, model, ledger, context })
    earlier.push(response.transcript)
    played.push({
      said,
      isAnswered: response.status !== 'failed',
      text: response.text,
      arrived: arrived.slice(before),
    })
  }
  return played
}

/** A turn begins a minute after the one before it. */
function contextOf(turn: number) {
  const now = new Date(Date.UTC(2026, 10, 28, 9, turn)).toISOString()
  return { user: { name: 'Ada', email: 'ada@example.com', timezone: 'Europe/Berlin' }, now }
}
