import { createInterface } from 'node:readline'
import { Refusal } from './refusal.ts'

/** Where the question is put and the answer is typed. */
export interface Terminal {
  input: NodeJS.ReadableStream & { isTTY?: boolean }
  output: NodeJS.WritableStream
}

const own: Terminal = { input: process.stdin, output: process.stdout }

/** What Enter alone means: `no` for what takes something away. */
export type Usual = 'yes' | 'no'

/**
 * Asks whether to go on, and returns if so.
 * @throws {Refusal} for any other answer, none, or when nobody is there to answer
 */
export async function confirm(
  question: string,
  usual: Usual = 'yes',
  { input, output }: Terminal = own,
): Promise<void> {
  if (!input.isTTY)
    throw new Refusal(
      'There is no terminal to ask in, so nothing was changed. Use --yes to skip the question.',
    )
  const lines = createInterface({ input, output })
  const answer = await new Promise<string | undefined>((resolve) => {
    lines.question(`${question} ${usual === 'yes' ? '[Y/n]' : '[y/N]'} `, resolve)
    lines.once('close', () => resolve(undefined))
  })
  lines.close()
  if (answer === undefined) output.write('\n')
  if (!/^y(?:es)?$/i.test(answer?.trim() || (answer === undefined ? 'no' : usual)))
    throw new Refusal('Nothing was changed.')
}
