import { english } from '../../words/languages/english.ts'
import { doneFor } from '../../words/languages/in-english.ts'
import { clipText } from '../core/clip-text.ts'
import type { ToolSpecification } from '../core/tool-specification.ts'
import { titleOf } from '../wording/tool-title.ts'
import type { CallState } from './loop-state.ts'

/** Characters of what was done, and of what it returned. */
const [longestDone, longestOutput] = [240, 160]

/**
 * What a write has done, in one line for a model that no longer reads the call: its summary, or the call itself, and what it
 * returned (the id of a document). Undefined if nothing was done, as far as is known.
 */
export function writeLine(
  { call, result, asked }: CallState,
  tool: ToolSpecification | undefined,
): string | undefined {
  if (result?.again || (result === undefined && asked)) return undefined
  const name = titleOf(tool ?? { name: call.toolName })
  const whole = `${name}: ${JSON.stringify(call.input)}`
  if (result === undefined || result.status === 'unknown')
    return `This may have been done, ${clipText(whole, longestDone)}`
  if (!result.result.ok) return undefined
  const input = typeof call.input === 'object' ? call.input : {}
  const done = result.done && doneFor(english, call.toolName, { tool, input, done: result.done })
  const line = clipText(done ?? result.summary ?? whole, longestDone)
  const output = JSON.stringify(result.result.data ?? null)
  return output === 'null' ? line : `${line} -> ${clipText(output, longestOutput)}`
}
