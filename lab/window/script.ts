import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { root } from '../../scripts/platform.ts'
import { type Answers, shippedTools } from '../../support/shipped-tools.ts'
import type { Arrived, Reply } from './stand-in.ts'

/** What the user says, and the call that the model answers it with; `words` find its tool. */
export interface UserTurn {
  text: string
  call?: { name: string; args: Record<string, unknown>; words: string }
}

/** Everything that stands in the stand-in's documents: prose, code, tables, another language. */
async function readSources(): Promise<string[]> {
  const files = [
    'docs/architecture.md',
    'shared/engine/transcript/fold-loop.ts',
    'supabase/migrations/20261122000740_claims.sql',
    'shared/words/sentences/endings.ts',
    'docs/api.md',
    'package-lock.json',
  ]
  return Promise.all(files.map((file) => readFile(join(root, file), 'utf8')))
}

/** A document of so many characters. */
function documentOf(source: string, length: number): string {
  return source.repeat(Math.ceil(length / source.length)).slice(0, length)
}

/** The shipped tools; `longest`: characters of a document. */
export async function makeTools(longest: number) {
  const sources = await readSources()
  const answers: Answers = {
    docs_read_document: ({ document_id: id, from = 0 }) => {
      const number = Number(String(id).slice(-3))
      const whole = documentOf(sources[number % sources.length] ?? '', longest)
      return { document_id: id, title: `Document ${number}`, content: whole.slice(Number(from)) }
    },
    gmail_search_emails: () => ({
      messages: Array.from({ length: 10 }, (_, index) => ({
        id: `18c2f0a9b7d4e3${index}1`,
        from: `"Person ${index}" <person${index}@example.com>`,
        subject: `The report of week ${index}`,
        snippet:
          'Hello, could you please send me the figures for the third quarter before Friday? We would like to',
        date: '2026-11-20T09:30:00Z',
      })),
    }),
    gmail_create_draft: () => ({ draft_id: 'r-18c2f0a9b7d4e311' }),
  }
  return shippedTools(answers)
}

const smallTalk = [
  'Thank you. What would you do next with the plan for the week after that?',
  'Please say the same in two sentences, for somebody who was not there.',
  'Danke! Kannst du mir das noch einmal kurz auf Deutsch zusammenfassen, bitte?',
]

/** A turn as people have them every day: half of them only words, the others with a search or a draft. */
export function ordinaryTurn(number: number): UserTurn {
  if (number % 4 === 1)
    return {
      text: `Turn ${number}: look for the mail about the report of week ${number % 10}.`,
      call: {
        name: 'gmail_search_emails',
        args: { query: `report week ${number % 10}`, max_results: 10 },
        words: 'search emails',
      },
    }
  if (number % 4 === 3)
    return {
      text: `Turn ${number}: draft an answer to person${number % 10}@example.com: we meet on Thursday.`,
      call: {
        name: 'gmail_create_draft',
        args: {
          to: [`person${number % 10}@example.com`],
          subject: `Meeting ${number}`,
          body: 'We meet on Thursday.',
        },
        words: 'create draft',
      },
    }
  return { text: `Turn ${number}: ${smallTalk[number % smallTalk.length]}` }
}

/** Ordinary turns, with a document in every tenth, something that stays open in every fiftieth, and a paste. */
export function longTurn(number: number): UserTurn {
  if (number % 10 === 5)
    return {
      text: `Turn ${number}: read document ${number}.`,
      call: { name: 'docs_read_document', args: { document_id: idOf(number) }, words: 'read document' },
    }
  if (number % 50 === 12)
    return {
      text: `Turn ${number}: add an expense of ${number} euros for paper.`,
      call: { name: 'add_expense', args: { what: `Paper ${number}`, euros: number }, words: 'add expense' },
    }
  if (number === 60) return { text: `Turn ${number}: what do you make of this? ${paste}` }
  return ordinaryTurn(number)
}

function idOf(number: number): string {
  return `00000000-0000-4000-8000-000000000${String(number).padStart(3, '0')}`
}

/** 200 KiB. */
const paste =
  'Somebody wrote this text, and it goes on and on without the end that the others hoped for. '.repeat(2_253)

/** What the model answers: it makes the call of the turn, once it has found the tool, and then says something. */
export function answerTo(said: UserTurn, { messages, tools }: Arrived): Reply {
  const turn = messages.slice(
    messages.findLastIndex(({ role, content }) => role === 'user' && String(content).includes(said.text)) + 1,
  )
  const called = turn.flatMap((message) => (message.role === 'assistant' ? (message.tool_calls ?? []) : []))
  const names = called.map((call) => (call.type === 'function' ? call.function.name : ''))
  const { call } = said
  if (!call || names.includes(call.name)) return { text: `Done. ${answer}` }
  if (tools.some((tool) => tool.function.name === call.name)) return { name: call.name, args: call.args }
  if (names.includes('search_tools')) return { text: 'There is no such tool.' }
  return { name: 'search_tools', args: { query: call.words } }
}

const answer =
  'The figures are there, the meeting is on Thursday, and nobody has objected to the plan so far. '.repeat(3)
