import * as z from 'zod'

/** The parameter `from` of a tool whose long texts are read in parts (`readsOn`), counted as `sliceCharacters` does. */
export function firstCharacter(description: string, example: number) {
  return z
    .int()
    .min(0)
    .max(1_000_000_000)
    .meta({ title: 'first character', description, examples: [example], aliases: ['offset', 'start'] })
    .default(0)
}
