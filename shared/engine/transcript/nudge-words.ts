import type { ChatMessage } from '../models/protocol/model-client.ts'
import { withFacts } from '../window/message-facts.ts'
import type { Nudge } from './entry.ts'

interface Words {
  /** Replaces the answer that led nowhere: no provider accepts an empty assistant message. */
  answer: string
  first: string
  stronger: string
}

const words: Record<Nudge['stall'], Words> = {
  empty: {
    answer: '(no answer)',
    first: 'Your last answer was empty. Answer now: call a tool, or reply to the user in words.',
    stronger:
      'Your answer was empty again. Write at least one sentence: what was done, what was not, what you need.',
  },
  length: {
    answer: '(an answer that was cut off)',
    first: 'Your last answer was cut off at the length limit. Answer again, much shorter.',
    stronger: 'Your answer was cut off again. Answer in at most three sentences.',
  },
  malformed: {
    answer: '(a tool call that could not be read)',
    first:
      'Your last tool call could not be read. Call the tool again through its function definition, not in your text: one call with a JSON object of arguments.',
    stronger: 'Your tool call could not be read again. Send one simple call, or tell the user what you need.',
  },
  repetition: {
    answer: '(the same calls again)',
    first: 'You made these calls before; their results stand above and did not change. Use them and answer.',
    stronger: 'Do not call these tools again. Answer the user now with what you know.',
  },
}

/** Stands in the place of a read's result. */
export const sameAsBefore =
  'The same as before: it stands above. If it may change, tell the user, who can ask again.'

const lastWords =
  'No more tool calls are possible now. Tell the user honestly and briefly what was done, what was not done, and why.'

/** Said to the model at the end of its next request only; `count`: nudges of this run so far. */
export function nudgeMessages({ stall }: Nudge, text: string, count: number): ChatMessage[] {
  const { answer, first, stronger } = words[stall]
  return aside(text.trim() === '' ? answer : text, count === 1 ? first : stronger)
}

/** Said when the model may call no more tools. */
export function lastWordsMessages(): ChatMessage[] {
  return aside('(no more tool calls)', lastWords)
}

/** The first message replaces the model's reply: some providers refuse a user message directly after a tool message. */
function aside(answer: string, nudge: string): ChatMessage[] {
  return [
    { role: 'assistant', content: answer },
    withFacts({ role: 'user', content: nudge }, { continues: true }),
  ]
}
