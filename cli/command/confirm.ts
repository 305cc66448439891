import { createInterface } from 'node:readline/promises'
import { Refusal } from './refusal.ts'

/**
 * Asks whether to go on.
 * @throws {Refusal} when nobody is there to answer
 */
export async function confirm(question: string): Promise<boolean> {
  if (!process.stdin.isTTY)
    throw new Refusal('Nobody can be asked here, so nothing was changed. Add --yes to go on.')
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  try {
    const answer = await terminal.question(`${question} [Y/n] `)
    return /^(?:|y|yes)$/i.test(answer.trim())
  } finally {
    terminal.close()
  }
}
