import type { Observation } from './facts/observation.ts'
import { hosts } from './tables/words.ts'

/** The things that tools have names for. */
const things =
  /\b(item|file|folder|page|database|document|channel|user|recipient|message|thread|label|event|calendar|contact|model|repository|branch|issue|table|column|row|record|group|domain|template|customer|tool|resource|sheet)(?=s?\b|_)/i

/** How a sentence says that something does not exist. */
const absence =
  /\bnot (?:be )?found\b|\bn[o'’]t exist|\bno such\b|\bunknown\b|\b(?:cannot|could not|unable to) find\b/i

/** The kind of thing an error is about, from the sentence that says it does not exist. */
export function thingIn({ texts }: Observation): string {
  const text = texts.join('\n')
  if (hosts.words.test(text) || /\bENOTFOUND\b|\bresolve host\b/.test(text)) return 'host'
  const sentence = text.split(/(?<=[.!?:])\s|\n/).find((one) => absence.test(one) && things.test(one))
  return things.exec(sentence ?? text)?.[1]?.toLowerCase() ?? 'item'
}
