/**
 * What servers of language models say where neither a status nor a code tells one refusal from another. The sentences are
 * those of OpenAI, Azure, Anthropic, Gemini, Bedrock, Mistral, Groq, Cerebras, DeepSeek, Moonshot, xAI, Zhipu, MiniMax,
 * SiliconFlow, DashScope, OpenRouter, LiteLLM, vLLM, SGLang, llama.cpp, Ollama and LM Studio, from their documentation and
 * their users' issues.
 */
function words(...phrases: string[]): RegExp {
  return new RegExp(phrases.join('|'), 'i')
}

const not = "(?: not|n['’]t)"
const tooling = '(?:tools?|functions?)(?:[ _-]?(?:use|calls?|calling))?'
/** What follows if only a kind of definition is refused. */
const aPart =
  '(?!\\w|[ _-]?(?:schemas?|definitions?|names?|choices?|parameters?|results?|with|of|that|whose|having|containing)\\b|[.[])'

/** A model or a server that takes no tools at all. */
const noTools = words(
  `(?:does|do|did)${not} (?:currently )?support (?:the )?(?:use of |native )?${tooling}${aPart}`,
  `\\b${tooling}[\`'"]? (?:is|are|has|have)(?: been| currently)?(?: not|n['’]t|un)[ -]?(?:been )?(?:supported|enabled|available|allowed|activated)`,
  `\\b${tooling} not support`,
  `no endpoints found that support ${tooling}`,
  `(?:no|without|lacks?) ${tooling} support`,
  'tools? param\\w* requires? --jinja',
  '--enable-auto-tool-choice',
  '(?:unrecognized|unknown|unexpected|unsupported)(?: request| body)? (?:arguments?|param\\w*|fields?|keys?|inputs?)(?: supplied)?[^\\w.[]{1,4}(?:tools|functions)\\b(?![.[])',
  'support param\\w*: \\[[^\\]]*[\'"]tools',
  '\\btools: extra (?:inputs|fields) (?:are )?not permitted',
)

/** A model that the server does not have. */
const noModel = words(
  '\\b(?:invalid|unknown|unrecognized|unsupported|no such|non-?existent|wrong)(?: or unsupported)? model(?:[ _-]?(?:name|id|identifier))?\\b(?! (?:output|response|reply|answer|param\\w*|input))',
  `\\bmodel(?:[ _-]?(?:name|id|identifier))?\\b[^.!?]{0,120}?(?:(?:does|do|did|is|was|are)${not} (?:exist|found|valid|a valid|supported by any|deployed|served|loaded|in the list)|\\bnot (?:exist|found)|is invalid\\b)`,
  'is not a valid model',
  'not found the model',
  'requested model is not supported',
  'no models? (?:is |are )?(?:loaded|found|available|deployed)',
  'could not find (?:real )?model',
  'model_not_(?:found|supported|exist)|invalid_model|deployment_?not_?found',
  '模型不存在',
)

/** An account that cannot pay. */
const noCredit = words(
  'balance[^.]{0,20}insufficient',
  `${not} have any (?:credits?|balance)`,
  'arrearage|in arrears|overdue|past invoices|unpaid',
  'spending limit',
  'account is in good standing',
  'can only afford',
  '余额不足|欠费',
)

/** What was written is not answered, whoever asks. */
const forbidden = words(
  'content[ _-]?(?:filter|management policy|policy|moderation|safety)',
  'safety (?:system|filter|polic)|usage polic|responsible ai',
  'data_inspection_failed|inappropriate content|sensitive (?:content|information)|flagged',
  '敏感|不安全',
)

/** What such words say. `forbidden` is about the conversation, the others are about the set-up. */
export type Refusal = 'no_tools' | 'no_credit' | 'forbidden' | 'no_model'

/** Each with the statuses beside which it counts: others say more than words, a 503 that a model is only being loaded. */
const refusals: readonly (readonly [Refusal, RegExp, readonly number[]])[] = [
  ['no_tools', noTools, [400, 404, 405, 422, 500, 501]],
  ['no_credit', noCredit, [400, 402, 403, 412, 422, 429]],
  ['forbidden', forbidden, [400, 403, 422, 451]],
  ['no_model', noModel, [400, 404, 422]],
]

/**
 * What the words of a refusal say, if they are among those that are known. `status`: undefined for an error inside an
 * answer with status 200.
 *
 * @example
 * readRefusal('registry.ollama.ai/library/gemma:2b does not support tools', 400) // => 'no_tools'
 * readRefusal('Model Not Exist', 400) // => 'no_model'
 * readRefusal('The server had an error', 500) // => undefined
 */
export function readRefusal(said: string, status: number | undefined): Refusal | undefined {
  // Whatever is said of one tool is about its definition.
  if (placed.test(said)) return undefined
  const fits = refusals.find(
    ([, pattern, statuses]) => (status === undefined || statuses.includes(status)) && pattern.test(said),
  )
  return fits?.[0]
}

const ofTools = words(
  '\\btools?\\b',
  '\\bfunctions?\\b',
  'function_declaration|input_?schema|tool_?spec|function_parameters',
  '\\b(?:json[ _-]?)?schemas?\\b',
  '\\bgrammar\\b',
  '\\bpropert(?:y|ies)\\b',
)
/** One tool by its place: `tools[3]`, `tools.3.custom`, `tools -> 3`. */
const placed = words('\\btools?(?:\\[|\\.| -> )\\d', 'function_declarations')
/** Calls and results in the messages, which are no definitions. */
const ofHistory = words(
  '\\bmessages?\\b(?! (?:size|length))',
  'tool_calls?\\b',
  'tool_call_id',
  'tool_use\\b',
  'tool_result',
  'tool (?:call|output|result|message)s?\\b',
)
/** Words that say nothing: `Request contains an invalid argument.` */
const emptyWord =
  /^(?:error|errors|invalid|bad|malformed|request|requests|contains?|an?|the|argument|arguments|input|parameters?|unprocessable|entity|json|body|is|or|was|not|rejected|failed|failure|validation|provider|returned|upstream|from|http|status|code|with|by|server|api|unknown|40[02]|422)$/i

/**
 * Whether the words of a refused request are about the definitions of its tools. `perhaps`: they are about nothing.
 *
 * @example
 * isAboutTools("tools.17.custom.input_schema.properties: Property keys should match pattern") // => 'surely'
 * isAboutTools('Request contains an invalid argument.') // => 'perhaps'
 * isAboutTools("messages.2: tool_use ids were found without tool_result blocks") // => undefined
 */
export function isAboutTools(said: string): 'surely' | 'perhaps' | undefined {
  if (placed.test(said)) return 'surely'
  if (ofTools.test(said)) return ofHistory.test(said) ? undefined : 'surely'
  const spoken = said.split(/[^\p{L}\p{N}]+/u).filter(Boolean)
  return spoken.every((word) => emptyWord.test(word)) ? 'perhaps' : undefined
}
