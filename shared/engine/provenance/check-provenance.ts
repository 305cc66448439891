import { formatPath, type JsonPath, parameterAt } from '../core/json-path.ts'
import type { ToolSpecification } from '../core/tool-specification.ts'
import type { ChatMessage } from '../models/protocol/model-client.ts'
import { Evidence, readMessages, type Words } from './evidence.ts'
import { isFreePlace } from './free-places.ts'
import { asText } from './readable-text.ts'
import { type CallValue, type SourcedValue, sourcedValues } from './sourced-values.ts'
import { isWhole, meansAddress, type NamedIn, recognise } from './value-kind.ts'

interface ProvenanceQuestion {
  /** The tool that is called and its prepared arguments. */
  tool: ToolSpecification
  args: Record<string, unknown>
  /** Every message of the conversation, including this turn, as OpenAI chat messages. */
  messages: readonly ChatMessage[]
  /** All tools of the conversation: their effects, schemas and trusted outputs decide how far a message is trusted. */
  tools: readonly ToolSpecification[]
  /** Index in `messages` of the user message that started this turn. */
  turnStart: number
  user?: { name?: string; email?: string; accounts?: string[] }
  /** What the user typed into forms or approved. */
  confirmed?: readonly (string | number)[]
}

/** `Path`: how places are written. */
export type ProvenanceVerdict<Path = JsonPath> =
  | { verdict: 'run' }
  /** From nowhere: the user must say it. */
  | { verdict: 'ask'; values: { path: Path; value: unknown }[] }
  /** Only from a tool's output, or places on the web that nobody has opened: the user must approve it. */
  | { verdict: 'approve'; values: UnapprovedValue<Path>[] }

/** `from`: the tool whose output contains it. */
export type UnapprovedValue<Path = JsonPath> = { path: Path; value: unknown } & (
  | { from: string }
  | { isPlace: true }
)

/**
 * Whether the values that must come from the user (`source: 'conversation'`) did: said by the user, typed into a
 * form, one of the user's own facts, sent successfully before, or at a trusted output path; for a reply also the sender
 * of the mail. A value that is only in other tool output, in the user's quotations or (a mail address) in a link
 * needs an approval; one that is nowhere (or only because the model sent it) needs the user.
 * A place on the web (`source: 'seen'`) must have been named by the user, be a result of a search before anything
 * private was read, or be approved: a model can leak what it has read through the address it chooses.
 * `ask` wins if both occur. Paths are written like `to[0].email`.
 *
 * @example
 * const tool = {
 *   name: 'send', description: 'Sends', effect: 'write',
 *   parameters: { type: 'object', properties: { to: { type: 'string', format: 'email', source: 'conversation' } } },
 * }
 * const messages = [{ role: 'user', content: 'Write to ada@example.com' }]
 * checkProvenance({ tool, args: { to: 'ada@example.com' }, messages, tools: [tool], turnStart: 0 }).verdict // => 'run'
 * checkProvenance({ tool, args: { to: 'bob@example.com' }, messages, tools: [tool], turnStart: 0 }).verdict // => 'ask'
 */
export function checkProvenance(question: ProvenanceQuestion): ProvenanceVerdict<string> {
  const evidence = new Evidence(new Map(question.tools.map((tool) => [tool.name, tool])))
  readMessages(question.messages, evidence, question.turnStart)
  const { user, confirmed = [] } = question
  const judged = judgeProvenance(question.tool, question.args, evidence, user, confirmed)
  if (judged.verdict === 'run') return judged
  const written = <Value extends { path: JsonPath }>(value: Value) => ({
    ...value,
    path: formatPath(value.path),
  })
  return judged.verdict === 'ask'
    ? { verdict: 'ask', values: judged.values.map(written) }
    : { verdict: 'approve', values: judged.values.map(written) }
}

/** The same for evidence that was already collected; with the paths themselves. */
export function judgeProvenance(
  tool: ToolSpecification,
  args: Record<string, unknown>,
  evidence: Evidence,
  user: ProvenanceQuestion['user'] = {},
  confirmed: readonly (string | number)[] = [],
): ProvenanceVerdict {
  const unknown: { path: JsonPath; value: unknown }[] = []
  const unapproved: UnapprovedValue[] = []
  for (const { path, value, origin } of doubtfulValues(tool, args, evidence, user, confirmed)) {
    if (origin === undefined) unknown.push({ path, value })
    else unapproved.push({ path, value, ...origin })
  }
  if (unknown.length > 0) return { verdict: 'ask', values: unknown }
  return unapproved.length > 0 ? { verdict: 'approve', values: unapproved } : { verdict: 'run' }
}

/** A value that needs a source and has none that lets its call run; `origin`: where else it comes from. */
type DoubtfulValue = SourcedValue & { origin?: { from: string } | { isPlace: true } }

/** The values of a call that nobody has said. */
export function doubtfulValues(
  tool: ToolSpecification,
  args: Record<string, unknown>,
  evidence: Evidence,
  user: ProvenanceQuestion['user'] = {},
  confirmed: readonly (string | number)[] = [],
): DoubtfulValue[] {
  const own = [user.name, user.email, ...(user.accounts ?? []), ...confirmed]
  const { outputs } = evidence
  const given = own.filter((fact) => fact !== undefined).map(asText)
  const said = [...evidence.said, ...given.map((text) => ({ text, forAddresses: text, except: '' }))]
  const values = sourcedValues(tool, args)
  const sender = evidence.answeredSender(tool, args)
  const recipients = sender === undefined ? [] : recipientPlaces(tool, values)

  const doubtful: DoubtfulValue[] = []
  for (const value of values) {
    if (value.source === 'seen') {
      if (!isFreePlace(String(value.value), evidence, said))
        doubtful.push({ ...value, origin: { isPlace: true } })
      continue
    }
    if (evidence.typed.has(String(value.value))) continue
    const isNamedIn = recognise(value)
    if (isSaid(value, isNamedIn, said)) continue
    const isAnswer = sender !== undefined && recipients.includes(value) && meansAddress(value)
    if (isAnswer && isNamedIn(sender)) continue
    if (isFact(value, isNamedIn, evidence)) continue
    // A new matcher for the outputs: the search for an amount has a limit, which the texts above must not use up.
    const stands = recognise(value)
    const origin = outputs.find((output) => stands(output.text) && !stands(output.sentBefore))
    doubtful.push(origin ? { ...value, origin: { from: origin.toolName } } : value)
  }
  return doubtful
}

/** Whether a value stands whole in somebody's words. */
export function isSaid(value: CallValue, isNamedIn: NamedIn, said: readonly Words[]): boolean {
  const isAddress = meansAddress(value)
  const isIn = ({ text, forAddresses, except }: Words) =>
    isNamedIn(isAddress ? forAddresses : text) && !isNamedIn(except)
  // The latest words count most, and are checked before a long paste.
  return said.findLast(isIn) !== undefined
}

/** Whether a value was written successfully before, or stands at a trusted place. */
export function isFact(value: CallValue, isNamedIn: NamedIn, { facts }: Evidence): boolean {
  return facts.some(
    ({ text, value: other, writtenBefore }) =>
      isNamedIn(text) && isWhole(value, other) && !isNamedIn(writtenBefore),
  )
}

/**
 * The parts of a call that say who gets it: the required ones, if there are any. A blind copy, or
 * the reply-to address, may be left out.
 */
function recipientPlaces({ parameters }: ToolSpecification, values: readonly SourcedValue[]): SourcedValue[] {
  const isRequired = ({ path }: SourcedValue) => parameters.required?.includes(parameterAt(path)) === true
  return values.some(isRequired) ? values.filter(isRequired) : [...values]
}
