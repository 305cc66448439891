import { english } from './english.ts'
import type { SaidParts } from './said.ts'
import { type OwnSentence, saidParts, sayOwn } from './say.ts'

/** A sentence in English, as models and logs are told it; times are UTC. */
export function inEnglish(said: OwnSentence): string {
  return sayOwn(readByModels, said)
}

/** The same in its parts. */
export function partsInEnglish(said: OwnSentence): SaidParts {
  return saidParts(readByModels, said.code, said.values) ?? { asked: inEnglish(said) }
}

const readByModels = { ...english, timeZone: 'UTC' }
