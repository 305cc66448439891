import type { JsonSchema } from '../core/json-schema.ts'

const quoted =
  /(?:such as|e\.?g\.?|for (?:example|instance)|examples?:?|like)[:,]?\s*(?:'([^']{1,80})'|"([^"]{1,80})"|`([^`]{1,80})`|(\d+(?:\.\d+)?)(?!\.?\w|-))/gi

/** Descriptions of other people's tools may be of any length. */
const readCharacters = 2000

/** Letters that stand for a part of a date or time, with that part of one day. */
const dateParts: readonly (readonly [RegExp, string])[] = [
  [/YYYY|yyyy/g, '2025'],
  [/(?<=[Hh]{2}:?)(?:MM|mm)/g, '30'],
  [/MM/g, '01'],
  [/DD|dd/g, '31'],
  [/HH|hh/g, '09'],
  [/SS|ss/g, '00'],
  [/sss|SSS/g, '000'],
]
const dateLetters =
  /\b(?:(?:YYYY|yyyy|DD|dd|MM)[-/.](?:MM|DD|dd)[-/.](?:YYYY|yyyy|DD|dd)(?:[T ](?:HH|hh):(?:mm|MM)(?::(?:ss|SS))?)?|(?:HH|hh):(?:mm|MM)(?::(?:ss|SS))?)Z?(?![\p{L}\p{N}])/u

/** What a description gives as an example: `such as 'ZFA04Y'`, `e.g. "Boston, MA"`, `in the format YYYY-MM-DD`. */
export function statedExamples(schema: JsonSchema): string[] {
  const description = schema.description?.slice(0, readCharacters) ?? ''
  const texts = [...description.matchAll(quoted)]
    .map((match) => match[1] ?? match[2] ?? match[3] ?? match[4] ?? '')
    .slice(0, 3)
  const letters = dateLetters.exec(description)?.[0]
  if (letters === undefined) return texts
  const date = dateParts.reduce((text, [part, value]) => text.replace(part, value), letters)
  return [...texts.filter((text) => text !== letters), date]
}
