import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from '../../scripts/platform.ts'

/** Tokens of a text, as a model really counts them. */
export type Tokenizer = (text: string) => number

/** It weighs 30 MB: nothing but this experiment needs it. */
const tokenizerFolder = join(root, 'lab/bench/node_modules/gpt-tokenizer')

/** OpenAI's o200k, or `cl100k`, whose tokens are also much like those of Llama 3. Throws if it is not installed. */
export async function loadTokenizer(name: 'o200k' | 'cl100k'): Promise<Tokenizer> {
  if (!existsSync(tokenizerFolder))
    throw new Error('The tokenizer is not installed: run npm ci --prefix lab/bench first.')
  const path = join(tokenizerFolder, 'esm/encoding', `${name}_base.js`)
  const { countTokens } = await import(pathToFileURL(path).href)
  return (text) => countTokens(text, { allowedSpecial: 'all' })
}
