import { headAndTail } from '../core/head-and-tail.ts'
import type { ToolSpecification } from '../core/tool-specification.ts'
import { shortenOutput } from '../tools/shorten-output.ts'
import type { CallState } from './loop-state.ts'

/**
 * An output in about so many characters, for a model whose window it does not fit, with a word on how to read the rest. Of a
 * text that can be read on from a character it is the beginning, of everything else beginning and end. `text`: the output
 * as it is told otherwise.
 */
export function cutOutput(
  { call, result }: CallState,
  tool: ToolSpecification | undefined,
  text: string,
  characters: number,
): string {
  if (tool?.readsOn && result?.result.ok && typeof call.input === 'object') {
    const bytesEach = new TextEncoder().encode(text).length / text.length
    const { data, note } = shortenOutput(result.result.data, Math.floor(characters * bytesEach), {
      tool,
      args: call.input,
      isCut: result.note !== undefined,
    })
    if (note !== undefined) return `${JSON.stringify(data)}\n${why} ${note}`
  }
  const rest = tool?.effect === 'read' ? ` To read the rest, call ${tool.name} again, for less at once.` : ''
  const note = `${why}${rest}`
  return `${headAndTail(text, Math.max(0, characters - note.length))}\n${note}`
}

const why = 'This result is cut, because the conversation is longer than you can read at once.'
