import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** Tokens of a text, as a model really counts them. */
export type Tokenizer = (text: string) => number

/** Real tokenizers weigh 30 MB, so that only this experiment has one. */
const tokenizerPackage = 'gpt-tokenizer'

/**
 * OpenAI's o200k, or `cl100k`, whose tokens are also much like those of Llama 3, from the package in `node_modules` of a folder.
 * Throws if it is not there.
 */
export async function loadTokenizer(folder: string, name: 'o200k' | 'cl100k'): Promise<Tokenizer> {
  const require = createRequire(join(folder, 'package.json'))
  const path = require.resolve(`${tokenizerPackage}/encoding/${name}_base`)
  const { countTokens } = await import(pathToFileURL(path).href)
  return (text) => countTokens(text, { allowedSpecial: 'all' })
}
