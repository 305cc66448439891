import type { Meaning } from './verdict.ts'

/**
 * The meaning of words that people write into errors, and into codes that no table lists: used last, if neither a known
 * code nor a status says more. Phrases are regular expressions of whole words; `~` stands for a few words. The first
 * rule that fits wins, in the order of the lists at the end.
 */
export interface WordRule {
  words: RegExp
  meaning: Meaning
}

function rule(meaning: Meaning, ...phrases: string[]): WordRule {
  const alternatives = phrases.map((phrase) => phrase.replaceAll('~', '.{0,40}?')).join('|')
  return { words: new RegExp(`(?<![\\w-])(?:${alternatives})(?![\\w-])`, 'i'), meaning }
}

const secret =
  '(?:api[ -]?keys?|(?:api|client|app) secrets?|(?:access |auth(?:entication|orization)? |security |refresh )?(?<!\\b(?:page|sync|next|continuation) )tokens?|credentials?|passwords?|signature|jwt|subscription key)'
const access = '(?:permissions?|scopes?|privileges?|access|rights?|roles?)'
const place = '(?:parameters?|fields?|propert(?:y|ies)|arguments?|keys?|columns?|inputs?|query|values?)'
const not = "(?: not|n['’]t)"

/** A message history that the caller of a language model built wrongly: no argument of a tool can fix it. */
const history = rule(
  { type: 'execution_error' },
  'no tool output found',
  'tool_(?:calls?|use)`?~(?:must be followed|must be a response|without|preceding)',
)

/**
 * A language model that does not accept pictures: OpenAI, OpenRouter, DeepSeek, Groq, Mistral, Ollama, llama.cpp, vLLM and
 * gateways in front of them, as quoted in their users' issues.
 */
export const pictureRefusals = rule(
  { type: 'invalid_value' },
  'image_url~is only supported',
  `(?:does|do)${not} support ~(?:images?|vision|multi-?modal)`,
  'no endpoints found that support image',
  'unknown variant .{0,2}image_url',
  'content part type~image_url',
  'content.{0,3} ?(?:: value)? must be a string',
  'image (?:inputs?|content|parts?)~not (?:supported|enabled|allowed|available)',
  'images? (?:is|are) not (?:supported|enabled|allowed)',
  'missing data required for image',
  'not a (?:multi-?modal|vision) model',
  'at most 0 image',
)

/** A server whose answer does not match its own schema: the tool has run. */
export const outputSchemaFailures = rule({ type: 'execution_error' }, 'has an output schema but')

/** A bug in a program, which no argument can fix. */
export const bugs = rule(
  { type: 'execution_error' },
  'maximum call stack',
  'cannot read propert(?:y|ies)',
  'is not (?:a function|iterable)',
  'NoneType',
  'n(?:il|ull) ?pointer\\w*',
)

const certificates = rule(
  { type: 'execution_error' },
  'certificate (?:verify failed|has expired|is not (?:trusted|valid))',
  'self[- ]signed certificate',
  '(?:verify|invalid) (?:the )?(?:first|leaf|peer) certificate',
)

/** An answer that is not JSON: a proxy's page, or a truncated body. */
const garbledAnswer = rule(
  { type: 'unavailable' },
  'unexpected (?:token|end of json|non-whitespace)',
  'is not valid json',
  'error reading a body',
  '(?:invalid|unexpected|malformed|empty) (?:json )?(?:response|reply|answer)',
)

const timeouts = rule({ type: 'timeout' }, 'tim(?:ed|es?)[ -]?out', 'deadline exceeded', 'took too long')

/** Daily and monthly limits, and money: waiting a minute does not help. */
const longLimits = rule(
  { type: 'quota_exceeded' },
  '[\\w-]*PerDay[\\w-]*',
  '(?:per|a|/) ?(?:day|month)',
  '(?:daily|monthly|weekly) (?:\\w+ ){0,3}(?:limit|quota|cap|allowance|credits?)',
)

const rateLimits = rule(
  { as: 429 },
  'rate[ -]?limit(?:s|ed|ing|er)?',
  '(?:request|call|API) limit (?:is |was |has been )?(?:reached|exceeded|hit)',
  '(?:requests?|queries|limit\\w*|tokens|calls|messages)~per (?:\\d+ )?(?:second|minute|hour|user)s?',
  'too many (?:requests|calls|concurrent|connections|login attempts|attempts|messages|errors)',
  'throttl(?:ed|ing|e)',
  'slow down',
  'too (?:frequently|quickly|fast)',
  'please wait ~(?:seconds?|minutes?|moment)',
)

/** The period of a limit, if the provider's code only says that there is one. */
const shortLimits = rule(
  { type: 'rate_limit_exceeded' },
  '[\\w-]*Per(?:Second|Minute|Hour)[\\w-]*',
  '(?:per|a|/) ?(?:\\d+ )?(?:second|minute|hour)s?',
)

const quotas = rule(
  { as: 402 },
  '(?:insufficient|not enough|no more|(?:run |ran )?out of|no) (?:credits?|funds|balance|quota|searches|tokens|storage)',
  'balance (?:is )?too low',
  '(?:quota|budget|usage cap|credits?|(?<!\\b(?:size|length|character|time|context|rate|request) )limits?)~(?:exceeded|reached|exhausted|hit)',
  '(?:exceed(?:ed|s)?|reached|exhausted|over|hit)~(?:quota|(?:usage|plan|spend(?:ing)?|storage|sending|billing) limit|credits)',
  'upgrade (?:your|to a|the) ~(?:plan|account|subscription|tier)',
  '(?:trial|subscription) (?:period |has |is )*(?:expired|ended|inactive|cancell?ed|required)',
  `(?:is|are|do|does|did)${not} (?:have )?enough ~(?:licen[cs]es?|credits?|funds|balance|quota|seats|storage|space)`,
  '(?:requires?|needs?) ~(?:premium|paid|higher) ~(?:plan|sku|tier|subscription|licen[cs]e|account)',
)

const configuration = rule(
  { type: 'not_configured' },
  'has not been used in project',
  'not enabled for',
  '(?:API|service|integration|feature|project) (?:is )?(?:not enabled|disabled|not activated|not active|inactive)',
  '(?:unable to|could not|cannot|failed to) (?:detect|determine|load|find) ~(?:project|region|default credentials|configuration)',
  `(?:is|are|has|was)${not} (?:been )?(?:configured|set up|connected)`,
  'no (?:api[ -]?key|credentials|connection|integration|provider|account)s? (?:is |was |has been )?(?:found|configured|set|available|connected|provided)',
  'needs? to be (?:configured|set up|connected)',
)

const scopes = rule(
  { as: 403 },
  `insufficient (?:authentication )?${access}`,
  'missing (?:the )?(?:required )?(?:permissions?|scopes?)',
  'lacks? (?:the )?~(?:permissions?|scopes?)',
)

const credentials = rule(
  { as: 401 },
  `(?:invalid|incorrect|wrong|expired|missing|revoked|malformed|bad|unknown|no|inactive)(?: or (?:missing|invalid|expired|revoked))? (?:valid )?(?:\\S+ (?:(?:\\S+ )?or )?)?${secret}`,
  `${secret}~(?:not valid|invalid|expired|revoked|incorrect|missing|not found|not accepted|required|wrong|disabled|not provided|not present|corrupt(?:ed)?|rejected|must be used)`,
  `(?:could not|cannot|failed to|unable to|error) (?:load|refresh|obtain|get|read|create|validat(?:e|ing)) ~${secret}`,
  'un-?authori[sz]ed(?! (?:operation|access|action|to))',
  'unauthenticated',
  'not (?:logged|signed) in',
  'authenticat(?:ion|e)\\b~(?:fail(?:ed|ure)|required|error|unsuccessful|invalid|needed|credentials?)',
  '(?:invalid|failed|incorrect|bad) (?:login|authentication|auth|authorization|user ?name(?: or | and |[- ])password)',
  '(?:log|sign)[ -]?in (?:failed|required|denied|again|~first)',
  'session (?:has (?:been )?|is )?(?:expired|missing|invalidated)',
  'signature ~does not match',
  'invalid (?:grant|client)',
)

export const permissions = rule(
  { as: 403 },
  '(?:permission|access|privilege|request)s? (?:to \\S+ )?(?:is |was |has been )?(?:denied|forbidden|restricted|refused)',
  'forbidden',
  'not (?:allowed|permitted|authori[sz]ed|entitled|eligible)',
  `(?:do|does|did)${not} have (?:the )?~(?:${access}|authority)`,
  'requires? (?:the |a |an )?~(?:permissions?|scopes?|privileges?|admin|administrator|owner)',
  '(?:no|without) (?:access|permission)',
  'cant \\w+',
  '(?:location|country|region) is not supported',
)

const unknownNames = rule(
  { type: 'unknown_parameter' },
  'cannot (?:query|find) field',
  `(?:unknown|unrecogni[sz]ed|unexpected|unsupported|extra(?:neous)?)(?: request| keyword| additional)? (?:name|option|${place})s?`,
  'additional propert(?:y|ies)',
)

const missing = rule(
  { type: 'missing_parameter' },
  '(?<=^|[.:] |\\n)missing \\w+',
  'please (?:provide|specify|supply)',
  '(?:is|are|was|were) (?:a )?(?:required|missing|mandatory)',
  // "amount is a required field", not "please check the required fields".
  `(?<!\\bcheck\\b.{0,40})required (?:request )?${place}(?! format)`,
  `${place} (?:is )?(?:required|missing)`,
  `missing (?:one (?:of|or more) )?(?:the )?(?:required |mandatory |query |path |request |body )*(?:\\S+ )?${place}`,
  'missing \\W?\\w+\\W?(?=[.!]?(?:$|\\n))',
  '(?:must|need to|have to|should) (?:provide|specify|include|supply) (?:a|an|at least|one of|the|either)',
  'no (?:\\w+ ){1,3}?(?:were |was |is |are )?(?:specified|provided|given|defined|supplied|passed|selected)',
  `(?:was|were|is|are)${not} (?:specified|provided|supplied|given|passed|included)`,
  '(?:must|should) be (?:specified|provided|supplied|given|present|defined)',
)

export const addresses = rule(
  { type: 'invalid_value', parameter: 'url' },
  'invalid (?:url|uri)',
  '(?:unknown|unsupported) (?:scheme|protocol)',
  'bad port',
  'url that includes credentials',
  'requests to port \\d+ are blocked',
  'redirect count exceeded',
)

const unknownHost = ['dns error', 'failed to lookup address', 'name or service not known', 'getaddrinfo']
export const hosts = rule({ type: 'not_found' }, ...unknownHost)

const conflicts = rule(
  { type: 'conflict' },
  'already (?!expired|revoked)\\w+',
  // "username exists", not "check that the file exists".
  '(?<!\\b(?:no|that|which|it|one|longer|still|check|ensure|sure|if|whether)\\b.{0,40})exists(?= with |[.! ]*(?:$|\\n))',
  '(?:is |still |currently )?in (?:use|progress)',
  'conflict(?:s|ed|ing)?',
  'duplicate[ds]?',
  '(?:unique|must be unique)(?: constraint)?',
  'locked',
  '\\w+ taken',
)

const absences = rule(
  { as: 404 },
  'not[ _]?found',
  'no such',
  `(?:does|do|did)${not} exists?`,
  "(?:could|can)(?: ?not|n['’]t) (?:be found|find|locate|resolve)",
  'unknown (?:user|channel|host|model|id|resource|tool|method|function|command)',
  'no (?:\\w+ ){0,3}(?:match(?:es|ed|ing)?|found)',
  '(?:unable|failed) to (?:locate|find|look ?up)',
  'no longer (?:exists?|available)',
  '(?:has been|was) (?:deleted|removed)',
)

const serverFaults = rule(
  { type: 'unavailable' },
  '(?:internal|server|backend|upstream|unexpected)(?: server| connect)? (?:error|failure)',
  'server had an error',
  '(?:try|retry)(?: your request| the request)?(?: again)? ~(?:later|shortly|moment|minutes|few)',
  'unavailable',
  'overloaded',
)

const outages = rule(
  { type: 'unavailable' },
  '(?:temporar(?:y|ily)|currently|momentarily)~(?:not available|busy|down|error|failure|problem|rejected|deferred)',
  'bad gateway',
  'server (?:is )?(?:busy|down)',
  'socket hang up',
  'other side closed',
  'connection (?:was |has been |is )?(?:reset|refused|closed|lost|terminated|aborted|dropped)',
  '(?:network|connection) ?(?:error|failed|failure|is unreachable)',
  '(?:load|fetch) failed',
  'error sending request',
  'failed to (?:send|fetch|connect|establish)',
  '(?:could not|cannot|unable to) connect',
)

const badValues = rule(
  { type: 'invalid_value' },
  'invalid',
  'not (?:a )?valid',
  'malformed',
  '(?:must|should) (?:not )?(?:be|match|have|start|end|contain)',
  'un-?supported',
  'not supported',
  'out of (?:the )?range',
  'too (?:long|short|large|many|few|small|big|deep|old)',
  'exceed(?:s|ed|ing)?',
  'incorrect',
)

/** The request was never sent, if a runtime gives no code: a write that failed like this has not happened. */
export const neverConnectedWords = rule(
  { type: 'unavailable' },
  ...unknownHost,
  certificates.words.source,
  'client error \\(connect\\)',
  'connection refused',
  'tcp connect error',
  'connect (?:ECONNREFUSED|timeout)',
).words

const limits = [longLimits, rateLimits, quotas]
const signIn = [configuration, scopes, credentials]
const faultsOfTheCall = [unknownNames, missing]

/** Words of an error about which nothing else is known. */
export const allWords: readonly WordRule[] = [
  ...[history, outputSchemaFailures, bugs, certificates, garbledAnswer, timeouts],
  ...[...limits, ...signIn, permissions, ...faultsOfTheCall],
  ...[addresses, hosts, conflicts, absences, serverFaults, outages, badValues],
]

/** A 400 can mean any mistake of the caller, and occasionally a fault of the server. */
export const wordsOfBadRequest: readonly WordRule[] = [
  ...[history, outputSchemaFailures, ...limits, ...signIn],
  ...[...faultsOfTheCall, addresses, conflicts, absences, permissions, serverFaults],
]

/** Words that say more than a status. A status that is neither here nor 400 or 422 says it all. */
export const wordsByStatus: Readonly<Record<number, readonly WordRule[]>> = {
  401: [longLimits, quotas, configuration, scopes],
  402: [longLimits, shortLimits],
  403: [...limits, ...signIn],
  408: [absences],
  412: [quotas],
  429: [longLimits, rateLimits, shortLimits, quotas],
  503: [rateLimits, timeouts],
}
