import type { OwnWords } from './own-words.ts'

/** German for people who say "Sie" to each other. */
export const formalGerman: OwnWords = {
  offerPermission({ path, tool, pattern, max, per }) {
    const perSpan = { minute: 'pro Minute', hour: 'pro Stunde', day: 'pro Tag' }
    const what = path === 'to' ? `an ${pattern} senden` : `„${tool}“ mit ${pattern} nutzen`
    return `Soll dieser Agent ${what} dürfen, ohne zu fragen, bis zu ${max}-mal ${perSpan[per]}?`
  },
}
