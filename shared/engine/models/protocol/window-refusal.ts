import { isObject, readJsonText } from '../../core/json-value.ts'

/** What a refusal says about the length of its request, in tokens. */
export interface WindowRefusal {
  /** The most that the server takes, if it says so. */
  limit: number | undefined
  /** What the request had, without room for an answer. */
  sent: number | undefined
  /** What says so, if no field or status does: it may be a quotation of the request. */
  words: string | undefined
  /** What may be sent in a minute is no window, though the same request can never pass. */
  isPerMinute: boolean
}

/** The error as the server wrote it. */
interface Refused {
  status: number | undefined
  message: string
  /** Codes and types. */
  codes: readonly string[]
  /** The error object, and what a gateway keeps of its provider's (OpenRouter's `metadata.raw`). */
  fields: Readonly<Record<string, unknown>>
}

function words(...phrases: string[]): RegExp {
  return new RegExp(phrases.join('|'), 'i')
}

/** OpenAI, Groq and others; llama.cpp; Z.ai; Anthropic; Zhipu's number (https://docs.bigmodel.cn/cn/faq/api-code). */
const windowCodes =
  /^(?:(?:context|input|prompt)_(?:length|window|size)_exceeded|context_length_exceeded_error|exceed_context_size(?:_error)?|model_context_window_exceeded|(?:prompt|context|input)_too_long|request_too_large|1261)$/i

const subject = '(?:conversation|context|prompt|inputs?|requests?|messages?|payload|content|entity|body)'

/** A request that is longer than the model reads. */
const tooLong = words(
  'context[ _-]?(?:length|window|size|limit)',
  'context the overflows',
  `(?<!\\b(?:image|audio|file) )${subject} (?:is |was |are )?too (?:long|large|big)`,
  'total length of all messages',
  'too many (?:input |prompt |total )?(?:tokens|text bytes)(?! per)',
  '(?:tokens?|token count|token limit)[^.]{0,80}\\b(?:exceed\\w*|greater than|longer than|more than|over) [^.]{0,40}\\b(?:maximum|limit|allowed|model)',
  '(?:exceed\\w*|reached)[^.]{0,60}\\b(?:token limit|max\\w*[ _](?:input[ _])?tokens|maximum (?:number of|input|prompt|allowed|size|length))',
  'token limit exceeded',
  'reduce the (?:length|size) of (?:the|your|either)',
  '(?:maximum|max\\.?) (?:allowed )?(?:prompt|model|input|sequence) (?:length|size|tokens)',
  'longer than the (?:maximum|model)',
  '(?:input|prompt|sequence) (?:length|size) (?:\\(?\\d|of|is|exceeds|should|must)',
  'range of input length',
  'exceeds? the limit of \\d',
  '\\bn_ctx\\b|\\bn_keep\\b|tokens to keep from the initial prompt',
  'max_new_tokens`? must be',
  'prompt_too_long|exceed_context_size',
  '超长|上下文(?:长度|窗口)|(?:长度|tokens?)[^。]{0,12}超(?:过|出|限)|超(?:过|出)[^。]{0,12}(?:长度|上下文|tokens?)',
)

/** A request that is longer than the account may send in a minute: waiting does not help. */
const perMinute = words(
  'request too large[^]*(?:per min|\\bTPM\\b)',
  '(?:per min\\w*|TPM)[^]*request too large',
)
/** A limit of a time, whatever is said of tokens. */
const perTime = words(
  'per[ -]?(?:second|min|hour|day)\\w*|/ ?min\\b|\\bTP[MDH]\\b',
  'rate[ _-]?limit|throttl|too many requests',
)
/** A pause that the server asks for, unless it names the window. */
const pause = words('please wait|(?:try|retry) again (?:in|later|after)|retry[ -]after')
const namesWindow = words('context[ _-](?:length|window|size)|prompt (?:is )?too long')
/** Only the room for the answer is too large. */
const answerTooLong =
  /\bmax_(?:completion_|output_|new_)?tokens\b.{0,60}(?:too large|exceed|greater|must be|less than|at most|range)/i
const readsContext = /context|prompt|input/i

/**
 * Reads a refusal as one of a request that is too long; undefined if it is about something else.
 *
 * @example
 * readWindowRefusal({ status: 400, message: 'prompt is too long: 208310 tokens > 200000 maximum', codes: [], fields: {} })
 * // => { limit: 200000, sent: 208310, words: 'prompt is too long: 208310 tokens > 200000 maximum', isPerMinute: false }
 */
export function readWindowRefusal(refused: Refused): WindowRefusal | undefined {
  const { status, codes, fields } = refused
  const all = [refused.message, rawMessage(fields)].filter(Boolean).join('\n').slice(0, mostRead)
  const message = withoutQuotations(all)
  if (perMinute.test(message)) {
    return { ...readNumbers(message), words: undefined, isPerMinute: true }
  }
  // A body that is too long says so by its status; an account that may do nothing by its own.
  const isStated = status === 413 || codes.some((code) => windowCodes.test(code))
  const said = isStated ? undefined : saysTooLong(message, status)
  if (!isStated && said === undefined) return undefined
  const stated = statedNumbers(fields)
  const read = stated.limit === undefined ? readNumbers(message) : stated
  // Amazon's "Too many tokens, please wait" comes as 429.
  if (status === 429 && !isStated && read.limit === undefined) return undefined
  return { ...read, words: said, isPerMinute: false }
}

/** Characters of a message that are read. */
const mostRead = 3000

/** Statuses that say more than words: who asks, what is paid for, and what is there. */
const otherwise: readonly number[] = [401, 402, 403, 404]

/** From the words to the end of what was said. */
function saysTooLong(message: string, status: number | undefined): string | undefined {
  if (status !== undefined && otherwise.includes(status)) return undefined
  const found = tooLong.exec(message)
  if (found === null || perTime.test(message)) return undefined
  if (pause.test(message) && !namesWindow.test(message)) return undefined
  if (answerTooLong.test(message) && !readsContext.test(message.replace(answerTooLong, ''))) return undefined
  return message.slice(found.index).replace(/[\s.,;:!)\]}'"`]+$/, '')
}

/** What somebody else said. An apostrophe within a word is no mark. */
function withoutQuotations(message: string): string {
  return message
    .replace(/"[^"\n]{12,}"|“[^”\n]{12,}”/g, '""')
    .replace(/(?<![\p{L}\p{N}])'[^'\n]{12,}'(?!\p{L})/gu, "''")
}

/** What a gateway passes on of its provider's answer. */
function rawMessage({ metadata }: Refused['fields']): string {
  const raw = isObject(metadata) ? metadata.raw : undefined
  if (typeof raw !== 'string') return ''
  const read = readJsonText(raw)
  if (!isObject(read)) return raw
  const inner = isObject(read.error) ? read.error : read
  const said = inner.message ?? inner.detail ?? read.message
  return typeof said === 'string' ? said : ''
}

/** llama.cpp: `n_prompt_tokens` and `n_ctx`. */
function statedNumbers({ n_ctx, n_prompt_tokens }: Refused['fields']): Numbers {
  return { limit: asCount(n_ctx), sent: asCount(n_prompt_tokens) }
}

type Numbers = Pick<WindowRefusal, 'limit' | 'sent'>

const n = '(\\d[\\d,_]*)'
/** Where the most that is taken stands, the surest place first. */
const limits = [
  `context limit: [\\d,]+ \\+ [\\d,]+ > ${n}`,
  `\\bcontext[ _](?:length|window|size)(?: is| of|:)?(?: only)? ?\\(?${n}`,
  `(?:maximum|max\\.?)(?: allowed)? (?:prompt|model|input|sequence)(?: (?:length|window|size))?(?: of| is|:)?(?: only)? \\(?${n}`,
  `${n} (?:tokens? )?maximum\\b`,
  `\\bn_ctx\\W{1,4}${n}`,
  `maximum number of (?:input )?tokens(?: allowed)?:? \\(?${n}`,
  `token limit(?: of| is|:)? ?\\(?${n}`,
  `\\blimit(?: of| is|:)? ${n}`,
  `length should be \\[\\d+, ?${n}\\]`,
  `(?:must not exceed|must be (?:<=?|at most)|supports? (?:at most|up to|only)|maximum of|allowed (?:length|size):?) \\(?${n}`,
  `${n}(?: tokens?)? > ${n}`,
].map((pattern) => new RegExp(pattern, 'i'))
/** Where the size of the request stands without that of the answer. */
const inputs = [`${n} \\+ [\\d,]+ >`, `${n} input tokens`, `${n} (?:tokens? )?from the input`].map(
  (pattern) => new RegExp(pattern, 'i'),
)
const answers = new RegExp(`${n} (?:tokens? )?(?:in|of|for) the (?:completion|output)`, 'i')

/** Numbers that stand alone, without those of names, versions and addresses. */
function numbersIn(message: string): number[] {
  const plain = message.replace(/https?:\/\/\S+/g, ' ')
  return [...plain.matchAll(/(?<![\w.-])\d[\d,_]*(?![\w-])/g)].flatMap(([text]) => asCount(text) ?? [])
}

function readNumbers(message: string): Numbers {
  const found = limits.map((pattern) => pattern.exec(message)).find((match) => match !== null)
  const named = asCount(found?.slice(1).findLast((group) => group !== undefined))
  const numbers = numbersIn(message).filter((number) => number >= leastCounted)
  const most = Math.max(0, ...numbers)
  const limit = named ?? guessLimit(numbers, most)
  if (limit === undefined) return { limit, sent: undefined }
  const input = inputs.map((pattern) => asCount(pattern.exec(message)?.[1])).find((one) => one !== undefined)
  const answer = asCount(answers.exec(message)?.[1]) ?? 0
  const sent = input ?? (most > limit ? most - answer : undefined)
  return { limit, sent }
}

/** Of numbers whose place is not known, what was sent is the largest, and the limit the next that is no part of it. */
function guessLimit(numbers: readonly number[], most: number): number | undefined {
  const parts = numbers.filter((number) => number < most)
  const isPart = (one: number) => parts.some((other) => one + other === most)
  const rest = parts.filter((one) => !isPart(one))
  return rest.length > 0 ? Math.max(...rest) : undefined
}

/** Smaller numbers are statuses, seconds and versions. */
const leastCounted = 600
/** More than any model reads. */
const mostTokens = 100_000_000

function asCount(value: unknown): number | undefined {
  const text = typeof value === 'string' ? value.replace(/[,_]/g, '') : value
  const count = Number(text ?? Number.NaN)
  return Number.isInteger(count) && count > 0 && count < mostTokens ? count : undefined
}
