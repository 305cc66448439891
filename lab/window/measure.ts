import { instructions, type PlayedTurn, play, type Scene } from './play.ts'
import { longTurn, ordinaryTurn } from './script.ts'
import type { Arrived } from './stand-in.ts'
import type { Tokenizer } from './tokenizer.ts'

/** A line of the table. */
export interface Row {
  scene: string
  what: string
  value: string
  goal?: string
  isMet: boolean
}

const long = { turns: 150, turn: longTurn }
const servers = [
  [4_096, 'LM Studio'],
  [8_192, 'llama.cpp'],
  [16_384, 'vllm'],
  [32_768, 'mistral'],
  [65_536, 'anthropic'],
  [128_000, 'openai'],
] as const
const scenes: (Scene & { name: string })[] = [
  ...servers.map(([window, words]) => scene(window, words, false)),
  ...servers.slice(0, 3).map(([window, words]) => scene(window, words, true)),
  scene(8_192, 'silent', false),
  scene(32_768, 'silent', true),
  {
    ...scene(8_192, 'llama.cpp', true),
    name: '8,192, known, ordinary turns only',
    turn: ordinaryTurn,
  },
]

function scene(window: number, words: string, isKnown: boolean): Scene & { name: string } {
  return { name: nameOf(window, words, isKnown), window, words, isKnown, ...long }
}

function nameOf(window: number, words: string, isKnown: boolean): string {
  const how = words === 'silent' ? 'cuts silently' : `refuses as ${words}`
  return `${window.toLocaleString('en')}, ${isKnown ? 'known' : 'not known'}, ${how}`
}

/** A window that holds a document of the conversation. */
const smallest = 32_768

/** Plays every scene whose name has `only` in it, and passes each line on as soon as it is there. Takes ten minutes. */
export async function measureWindow(count: Tokenizer, show: (row: Row) => void, only = ''): Promise<Row[]> {
  const rows: Row[] = []
  for (const { name, ...scene } of scenes.filter(({ name }) => name.includes(only))) {
    const played = await play(scene, count)
    const judged = judge(scene, played).map((row) => ({ scene: name, ...row }))
    judged.forEach(show)
    rows.push(...judged)
  }
  return rows
}

function judge({ window, words, isKnown, turn }: Scene, played: PlayedTurn[]): Omit<Row, 'scene'>[] {
  const requests = played.flatMap(({ arrived }) => arrived)
  const reported = requests.slice(1)
  const over = reported.filter(({ tokens }) => tokens > window)
  const refusedTurns = played.map(({ arrived }) => arrived.some(({ isRefused }) => isRefused))
  const inARow = refusedTurns.filter((isRefused, index) => isRefused && refusedTurns[index - 1]).length
  const unanswered = played.filter(({ isAnswered }) => !isAnswered)
  const tooLong = unanswered.filter(({ text }) => /too long/i.test(text))
  const lost = played.flatMap(({ said, arrived }) => arrived.filter((one) => isLost(one, said.text)))
  const alike = likeness(requests)
  const row = (what: string, value: number, most?: number) => ({
    what,
    value: String(value),
    ...(most === undefined ? {} : { goal: `<= ${most}` }),
    isMet: most === undefined || value <= most,
  })
  // A window that nobody has said is learned from a refusal, or from two documents that are reported with the same tokens.
  const learning = isKnown ? 0 : words === 'silent' ? 20 : 1
  return [
    row('requests', requests.length),
    row(
      'turns that ended without an answer, beside one with a paste that is too long',
      unanswered.length - Math.min(1, tooLong.length),
      0,
    ),
    row('turns refused right after another', inARow, 0),
    row(
      'requests over the window after the first answer',
      over.length,
      learning + Math.floor(reported.length / 200),
    ),
    row('requests without the instructions or the newest words', lost.length, 0),
    {
      what: 'requests that were cut and begin with the first half of the one before, which was, too',
      value: `${alike.alike} of ${alike.all}`,
      // Where a document is larger than the window, each cuts once more.
      ...(turn === ordinaryTurn || window >= smallest ? { goal: '>= 80 %' } : {}),
      isMet: (turn !== ordinaryTurn && window < smallest) || alike.alike >= 0.8 * alike.all,
    },
  ]
}

function isLost({ messages }: Arrived, newest: string): boolean {
  const hasInstructions = messages[0]?.role === 'system' && String(messages[0].content).includes(instructions)
  return (
    !hasInstructions ||
    !messages.some(({ role, content }) => role === 'user' && String(content).endsWith(newest))
  )
}

/** How many of the requests that were cut begin with the first half of the one before, if that was cut as well. */
function likeness(requests: readonly Arrived[]): { alike: number; all: number } {
  const texts = requests.filter(({ isRefused }) => !isRefused).map(({ messages }) => JSON.stringify(messages))
  const pairs = texts.slice(1).map((text, index) => [texts[index] ?? '', text] as const)
  const cut = pairs.filter((pair) => pair.every((text) => mark.test(text)))
  const alike = cut.filter(([before, text]) => text.startsWith(before.slice(0, before.length / 2)))
  return { alike: alike.length, all: cut.length }
}

/** What every cut says. */
const mark = /left out here|longer than you can read at once/

/** The beginning of a table of Markdown, and a line of it. */
export const tableHead = '| window | what | measured | goal |\n|---|---|---|---|'
export function lineOf({ scene, what, value, goal, isMet }: Row): string {
  const met = goal === undefined ? '–' : `${goal}: ${isMet ? 'met' : 'missed'}`
  return `| ${scene} | ${what} | ${value} | ${met} |`
}
