import type { ToolSpecification } from '../../core/tool-specification.ts'
import type { ModelToolCall } from '../protocol/model-client.ts'
import { wireName } from '../protocol/wire-names.ts'
import { type HarmonyReply, readHarmony } from './harmony.ts'
import { controlToken, isMention } from './marks.ts'
import { plainMarks } from './plain-marks.ts'
import type { IsQuoted } from './quoted-sources.ts'
import { isOffered, readTextToolCalls } from './text-tool-calls.ts'
import { splitThoughts } from './thinking.ts'
import { findUnreadMarkup } from './unread-markup.ts'

export interface ReplyReading {
  tools: readonly ToolSpecification[]
  /** The answer of this model begins within its thoughts. */
  thinksFirst: boolean
  isQuoted: IsQuoted
  /** Whether the user asks about code or formats. */
  asksForForm?: () => boolean
}

/** What a model wrote into its text. */
export interface WrittenReply {
  text: string
  thoughts: string
  toolCalls: ModelToolCall[]
  /** The text holds the markup of a call that could not be read: it is no answer. */
  isUnread: boolean
  /** Thoughts whose beginning stands in the prompt. */
  isUnopened: boolean
}

/**
 * Takes a model's text apart: thoughts, words for the reader, calls. Nothing that only machines read is left in the words.
 *
 * @example
 * const about = { tools: [], thinksFirst: false, isQuoted: () => false }
 * readReply('<think>Hm.</think>Hello!<|im_end|>', about).text // => 'Hello!'
 */
export function readReply(reply: string, about: ReplyReading): WrittenReply {
  const plain = { text: reply, thoughts: '', toolCalls: [], isUnread: false, isUnopened: false }
  const isWords = !mayHoldMarkup.test(reply) && !mayBegin.test(reply.slice(0, 1000).trimStart())
  if (isWords && !about.tools.some(({ name }) => reply.includes(name) || reply.includes(wireName(name))))
    return plain
  const harmony = readHarmony(reply)
  if (harmony !== undefined) return readChannels(harmony, about)
  const { thoughts, text, isUnopened } = splitThoughts(plainMarks(reply))
  const answer = thoughts === '' ? text : text.replace(answerTags, '$1')
  const said = answer.replace(/^\s*(?:>>>)?all\n(?=\S)/, (prefix) =>
    prefix.includes('>>>') || thoughts === '' ? '' : prefix,
  )
  const found = readTextToolCalls(said, about.tools, about.isQuoted)
  if (found.toolCalls.length > 0) {
    // Before a call, words of a model that thinks first are its thoughts, though it did not end them.
    const isThought = about.thinksFirst && thoughts === '' && !isUnopened && !found.isBehind
    return {
      text: isThought ? '' : withoutTokens(found.text),
      thoughts: isThought ? found.text : thoughts,
      toolCalls: found.toolCalls,
      isUnread: false,
      isUnopened,
    }
  }
  const unread = findUnreadMarkup(said, about.tools, about)
  const words = unread === undefined ? said : said.slice(0, unread).trimEnd()
  return {
    text: withoutTokens(words),
    thoughts,
    toolCalls: [],
    isUnread: unread !== undefined,
    isUnopened,
  }
}

/** Most replies are plain words: without this check each costs 10 µs, a thirtieth of a run in `bench:engine`. */
const mayHoldMarkup = /[{<[]/
/** Some models put what follows their thoughts into tags (Hunyuan A13B). */
const answerTags = /^\s*<answer>\s*((?:(?!<\/?answer>)[\s\S])*?)\s*(?:<\/answer>|$)/
/** Where the beginning alone is markup. */
const mayBegin = /^(?:>>>|Here|all\n|(?:assistant)? ?to=|[\w.-]{1,80}\(|[^\p{L}\p{N}\s"'(*-])/u

function readChannels(
  { thoughts, text, calls }: HarmonyReply,
  { tools, isQuoted }: ReplyReading,
): WrittenReply {
  // Muse Glimmer writes elements where others write JSON.
  const all: readonly ModelToolCall[] = calls.flatMap((call): ModelToolCall[] =>
    call.rawArguments.trimStart().startsWith('<')
      ? readTextToolCalls(call.rawArguments, tools, isQuoted).toolCalls
      : [{ name: call.name, rawArguments: call.rawArguments }],
  )
  const certain = all.filter(
    ({ name, rawArguments }) => (isOffered(name, tools) || text === '') && !isQuoted(rawArguments),
  )
  return {
    text: withoutTokens(text),
    thoughts,
    toolCalls: certain.map(({ name, rawArguments }) => ({ name, rawArguments, writtenAsText: true })),
    isUnread: certain.length < Math.max(all.length, calls.length),
    isUnopened: false,
  }
}

/** Tokens that end a turn; what follows is a conversation that the model made up. */
const endOfTurn =
  /(?<!\p{L} )(?:<\|(?:im_end|eot_id|eom_id|end_of_text|endoftext|end|return|role_end|im_start|start_header_id|end_of_role|END_OF_TURN_TOKEN|message_sep)\|>|<end_of_turn>|<｜end▁of▁sentence｜>|<\/s>$)/gu
const edges = new RegExp(
  String.raw`^(?:\s*(?:${controlToken}))+\s*|(?<!\p{L} )(?:(?:${controlToken})\s*)+$`,
  'gu',
)

function cutAtEnd(text: string): string {
  for (const { index, 0: mark } of text.matchAll(endOfTurn)) {
    if (!isMention(text, index, index + mark.length)) return text.slice(0, index)
  }
  return text
}

function withoutTokens(text: string): string {
  if (!/[<[]/.test(text)) return text
  return cutAtEnd(text).replace(edges, (tokens) => (/^\[/.test(tokens.trim()) ? tokens : ''))
}
