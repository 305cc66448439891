import { AgentError } from '../core/agent-error.ts'
import { isObject, readJsonText } from '../core/json-value.ts'
import { isProviderName, presets } from './protocol/presets.ts'

/** Tokens that models read, by `provider/model`. */
export type ModelWindows = ReadonlyMap<string, number>

/** Less holds no instructions and no tools. */
export const leastWindow = 2048
/** More than any model reads. */
const mostWindow = 100_000_000

/**
 * Reads `ASKBACK_MODEL_WINDOWS`. Throws `AgentError('configuration')` that says what is wrong with it.
 *
 * @example
 * readModelWindows('{"ollama/llama3.2":8192}').get('ollama/llama3.2') // => 8192
 * readModelWindows(undefined).size // => 0
 */
export function readModelWindows(text: string | undefined): ModelWindows {
  if (text === undefined || text.trim() === '') return new Map()
  const read = readJsonText(text)
  if (!isObject(read)) throw wrong('is not a JSON object')
  const entries = Object.entries(read).map(([name, window]): [string, number] => {
    const [provider = '', ...model] = name.split('/')
    if (!isProviderName(provider) || model.join('/').trim() === '') {
      const known = Object.keys(presets).join(', ')
      throw wrong(`names ${JSON.stringify(name)}, which is not a provider and a model (providers: ${known})`)
    }
    if (!Number.isInteger(window) || Number(window) < leastWindow || Number(window) > mostWindow) {
      const tokens = `a number of tokens, at least ${leastWindow}`
      throw wrong(
        `gives ${JSON.stringify(name)} the window ${JSON.stringify(window)}, which is not ${tokens}`,
      )
    }
    return [name, Number(window)]
  })
  return new Map(entries)
}

function wrong(what: string): AgentError {
  return new AgentError(
    'configuration',
    `ASKBACK_MODEL_WINDOWS ${what}. Set it to something like {"ollama/llama3.2":8192}, or remove it.`,
  )
}
