import { isObject } from '../../shared/engine/core/json-value.ts'
import type { Sentence } from './sentence.ts'

/** The members of answers that people read. */
const read = new Set([
  'text',
  'question',
  'asked',
  'hint',
  'confirm',
  'button',
  'title',
  'summary',
  'errorText',
  'message',
  'sentence',
  'description',
  'error',
  'label',
  'purpose',
])
/** What holds the user's or a tool's own words, or schemas for models. */
const notOurs = new Set(['input', 'output', 'values', 'codeValues', 'parameters', 'connection', 'account'])

/** Every sentence in an answer, with the code and the values that stand beside it. */
export function sentencesIn(answer: unknown, from: string, language = 'en'): Sentence[] {
  const found: Sentence[] = []
  const walk = (value: unknown) => {
    if (Array.isArray(value)) value.forEach(walk)
    if (!isObject(value)) return
    for (const [name, member] of Object.entries(value)) {
      if (typeof member === 'string' && read.has(name) && member !== '') {
        const { code, codeValues, values } = value
        found.push({
          from,
          to: 'people',
          language,
          as: name,
          ...(typeof code === 'string' ? { code, values: codeValues ?? values } : {}),
          sentence: member,
        })
      } else if (name === 'alsoNeeded' && Array.isArray(member))
        found.push({ from, to: 'people', language, as: name, sentence: member.join(', ') })
      else if (!notOurs.has(name)) walk(member)
    }
  }
  walk(answer)
  return found
}

/** Everything that models were sent and that neither they nor the user wrote. */
export function toldToModels(
  requests: readonly {
    body: { messages: readonly { role: string; content?: unknown }[]; tools?: unknown }
  }[],
  from: string,
): Sentence[] {
  return requests.flatMap(({ body }) =>
    body.messages
      .filter(({ role }) => role !== 'assistant')
      .map(
        ({ role, content }): Sentence => ({
          from,
          to: 'model',
          language: 'en',
          as: role,
          sentence: typeof content === 'string' ? content : JSON.stringify(content),
        }),
      ),
  )
}
