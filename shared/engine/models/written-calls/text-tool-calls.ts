import { foldName } from '../../calls/names/compare-names.ts'
import { isSlip } from '../../calls/names/match-members.ts'
import type { ToolSpecification } from '../../core/tool-specification.ts'
import type { ModelToolCall } from '../protocol/model-client.ts'
import { isLeftover } from './call-markup.ts'
import type { FoundCalls } from './call-object.ts'
import { announceCall, speakAboutCall } from './words-before-call.ts'
import { styles } from './written-calls.ts'

/**
 * Finds tool calls that a model without native calls wrote into its text; `text` is the rest, for the reader.
 *
 * It reads the tags of `openers` (Hermes and Qwen, Llama, Mistral, DeepSeek), and a fenced or bare JSON object that
 * names an offered tool and has arguments. Calls end the reply: if prose continues after them, or announces them as an
 * example or a quotation, they stay text; only a tag that the model announced as its next step may be followed by words.
 * A tagged call of an unknown tool counts if the reply is nothing else, so that the model can be told which tools exist.
 * Arguments are passed on as written: the preparation of the call repairs them, or refuses them if they were cut.
 *
 * @example
 * const search = { name: 'search', description: 'Search.', parameters: { type: 'object' }, effect: 'read' as const }
 * const reply = readTextToolCalls('Let me look.\n<tool_call>{"name": "search", "arguments": {"q": "deno",}}</tool_call>', [search])
 * reply.text // => 'Let me look.'
 * reply.toolCalls // => [{ name: 'search', rawArguments: '{"q": "deno",}', writtenAsText: true }]
 * readTextToolCalls('{"name": "Ada", "arguments": {}}', [search]).toolCalls // => []
 */
export function readTextToolCalls(
  text: string,
  tools: readonly ToolSpecification[],
): { text: string; toolCalls: ModelToolCall[] } {
  const none = { text, toolCalls: [] }
  if (tools.length === 0 || !mayHoldCall(text)) return none
  for (const { find, tagged } of styles) {
    const found = find(text)
    if (found === undefined || found.calls.length === 0) continue
    const before = text.slice(0, found.start).trimEnd()
    if (!isLeftover(text.slice(found.end)) && !(tagged && standsAlone(text, found) && announceCall(before)))
      continue
    if (speakAboutCall(before, tagged)) return none
    const alone = tagged && before === ''
    if (!found.calls.every(({ name }) => isOffered(name, tools) || (alone && isName(name)))) continue
    return {
      text: before,
      toolCalls: found.calls.map(({ name, rawArguments }) => ({ name, rawArguments, writtenAsText: true })),
    }
  }
  return none
}

/** Most replies are plain words: without this check each costs 10 µs, a thirtieth of a run in `bench:engine`. */
function mayHoldCall(text: string): boolean {
  return /[{<[]/.test(text)
}

/** On lines of their own, closed by a tag or a bracket. */
function standsAlone(text: string, { start, end }: FoundCalls): boolean {
  return (
    /(?:^|\n)[ \t]*$/.test(text.slice(Math.max(0, start - 20), start)) &&
    /^[\s\]}]*(?:<[^<>\n]{1,40}>)*\s*\n/.test(text.slice(end, end + 200))
  )
}

function isName(name: string): boolean {
  return /^[A-Za-z_][\w.-]{0,63}$/.test(name)
}

/** Whether a name means an offered tool, apart from case, separators, namespace or a typo. */
export function isOffered(name: string, tools: readonly ToolSpecification[]): boolean {
  const said = [name, name.split(/[./:]/).at(-1) ?? ''].map(foldName)
  // The name is passed on as written: the preparation of the call resolves it and says so.
  return tools.some((tool) => said.includes(foldName(tool.name)) || isSlip(name, tool.name))
}
