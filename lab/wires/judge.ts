import { canonicalJson } from '../../shared/engine/core/canonical-json.ts'
import { isObject, readJsonText } from '../../shared/engine/core/json-value.ts'
import type { Played } from './play.ts'
import type { WireRow } from './rows.ts'

/** What only machines should read. */
const machine =
  /<\/?(?:think|tool_call|function_calls?|tool_response|invoke|\w+:(?:think|tool_call|invoke))|<[|｜][^<>\n]{1,40}[|｜]?>|\[\/?(?:TOOL_CALLS|THINK|ARGS)\]|<function=|<parameter[= ]|<\w*arg_key>|functools\[|<TOOLCALL>/

/** What is wrong with how an answer was taken; empty if nothing is. `isUnseen`: of a family that need not be read. */
export function judgeRow(row: WireRow, played: Played, isUnseen: boolean): string[] {
  if (played.isHung) return ['it hangs']
  if (row.expected.kind === 'error') return judgeFailure(row, played)
  if (isUnseen && row.form === 'raw-text') return judgeUnseen(row, played)
  const wrong = [...judgeCalls(row, played), ...judgeWords(row, played)]
  return wrong.length === 0 && played.calls.length > 0 ? judgeNext(played) : wrong
}

function judgeFailure({ expected, status }: WireRow, { failure, requests }: Played): string[] {
  const kinds: Record<string, string[]> = {
    retry: ['retry'],
    operator: ['operator'],
    user: ['user'],
    request: status >= 500 ? ['user', 'operator', 'retry'] : ['user', 'operator'],
  }
  const wanted = kinds[expected.error ?? 'retry'] ?? []
  if (failure === undefined || !wanted.includes(failure.kind)) {
    return [`the error is ${failure?.kind ?? 'an answer'}, not ${wanted.join(' or ')}`]
  }
  if (/[{}]|sk-|https?:/.test(failure.text)) return ['the failure is not readable']
  return failure.kind === 'retry' && requests.length < 2 ? ['it was not tried again'] : []
}

function keysOf(calls: readonly { name: string; arguments: unknown }[]): string[] {
  return [...new Set(calls.map((call) => `${call.name} ${canonicalJson(call.arguments)}`))].sort()
}

function judgeCalls({ expected }: WireRow, { calls, requests }: Played): string[] {
  const wanted = keysOf(expected.toolCalls.filter((call) => call.arguments !== null))
  const made = keysOf(calls)
  if (wanted.join('\n') !== made.join('\n')) return [`calls: ${made.join('; ')}, not ${wanted.join('; ')}`]
  const asks = expected.kind === 'broken' && requests.length < 2
  return asks ? ['the model was not asked again'] : []
}

function judgeWords({ form, expected }: WireRow, { text, streamed }: Played): string[] {
  const wanted = squeeze(expected.text)
  return [text, ...(streamed === undefined ? [] : [streamed])].flatMap((words) => {
    const said = squeeze(words)
    if (said === wanted) return []
    if (machine.test(said) && !machine.test(wanted)) return [`markup: ${said.slice(0, 80)}`]
    const isPart = said !== '' && wanted.startsWith(said)
    const mayBePart = (form === 'raw-text' && expected.kind === 'calls') || expected.kind === 'broken'
    if (isPart && mayBePart) return []
    if (said === '' && expected.kind === 'broken') return []
    if (expected.kind === 'empty' && !squeeze(expected.reasoning ?? '').includes(said.slice(0, 30))) return []
    return [`words: ${said.slice(0, 80)}, not ${wanted.slice(0, 80)}`]
  })
}

/** Nothing that only machines read reaches a person or the history, and a call is made or asked for again. */
function judgeUnseen({ expected }: WireRow, { text, streamed = '', requests, calls }: Played): string[] {
  const history = requests.at(-1)?.messages.filter(({ role }) => role === 'assistant') ?? []
  const said = [text, streamed, ...history.map(({ content }) => (typeof content === 'string' ? content : ''))]
  const thought = squeeze(expected.reasoning ?? '').slice(0, 40)
  const leaks = said.some(
    (words) => machine.test(words) || (thought !== '' && squeeze(words).includes(thought)),
  )
  if (leaks && !machine.test(expected.text)) return ['markup or thoughts are shown']
  const isAsked = expected.kind !== 'calls' || calls.length > 0 || requests.length > 1
  return isAsked ? [] : ['the model was not asked again']
}

/** What any server would refuse in the request with the results. */
function judgeNext({ requests }: Played): string[] {
  const messages = requests[1]?.messages ?? []
  const at = messages.findLastIndex(({ tool_calls: calls }) => (calls?.length ?? 0) > 0)
  const calls = messages[at]?.tool_calls ?? []
  const ids = calls.map(({ id }) => id)
  const answered = messages
    .slice(at + 1)
    .flatMap(({ role, tool_call_id: id }) => (role === 'tool' ? [id] : []))
  if (ids.length === 0 || new Set(ids).size < ids.length) return ['ids in the next request']
  if ([...answered].sort().join() !== [...ids].sort().join()) return ['results in the next request']
  const isLegal = calls.every(
    ({ function: { name, arguments: raw } }) =>
      /^[a-zA-Z_][\w-]{0,63}$/.test(name) && isObject(readJsonText(raw)),
  )
  return isLegal ? [] : ['calls in the next request']
}

function squeeze(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
