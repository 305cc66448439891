import { phrases } from './phrases.ts'
import type { Meaning } from './verdict.ts'

/** What the words of an error mean. The first rule that matches holds. */
export interface WordRule {
  words: RegExp
  meaning: Meaning
}

function rule(meaning: Meaning, ...list: string[]): WordRule {
  return { words: phrases(...list), meaning }
}

const secret =
  '(?:api[ -]?keys?|(?:access |auth(?:entication|orization)? |security |refresh )?tokens?|credentials?|passwords?|signature|jwt|client secret|subscription key)'
const place = '(?:parameters?|fields?|propert(?:y|ies)|arguments?|keys?|columns?|inputs?|query|values?)'
const scalar =
  '(?:string|text|number|numeric|integer|int|bool(?:ean)?|array|list|object|float|dict(?:ionary)?|map)s?'
const access = '(?:permissions?|scopes?|privileges?|access|rights?|roles?)'

/** A history that the caller of a language model built wrongly: no argument of a tool can mend it. */
const history = rule(
  { type: 'execution_error' },
  'no tool output found',
  'tool_(?:calls?|use)`?~(?:must be followed|must be a response|without|preceding)',
  'roles? must alternate',
  'function call turn',
)

const cancelled = rule(
  { type: 'cancelled' },
  '(?:operation|request) was (?:aborted|cancell?ed)',
  '(?:aborted|cancell?ed) by (?:the )?user',
  'user (?:aborted|cancell?ed)',
)

/** Too much at once: waiting does not help. */
const tooMuchAtOnce = rule(
  { type: 'invalid_value' },
  'request too large',
  'maximum context length',
  'reduce (?:the|your) ~(?:length|prompt|size)',
)

/** Limits of days and months, and money: a minute's wait does not help. */
const longLimits = rule(
  { type: 'quota_exceeded' },
  '[\\w-]*PerDay[\\w-]*',
  '(?:per|a|/) ?(?:day|month)',
  '(?:daily|monthly|weekly) (?:\\w+ ){0,3}(?:limit|quota|cap|allowance|credits?)',
  'RPD|TPD',
)

const rateLimits = rule(
  { as: 429 },
  'rate[ -]?limit(?:s|ed|ing|er)?',
  '(?:request|sending|message|maximum ~) rate',
  'rate (?:was |is |has been )?exceeded',
  '(?:requests?|queries|limit\\w*|tokens|calls|messages)~per (?:\\d+ )?(?:second|minute|hour|user)s?',
  'too many (?:requests|calls|concurrent|connections|login attempts|attempts|messages|emails|errors)',
  'throttl(?:ed|ing|e)',
  'slow down',
  'too (?:frequently|quickly|fast)',
  'please wait ~(?:seconds?|minutes?|moment)',
  'abuse detection',
  'RPM|TPM',
)

const quotas = rule(
  { as: 402 },
  '(?:insufficient|not enough|no more|(?:run |ran )?out of|no) (?:credits?|funds|balance|quota|searches|tokens|storage)',
  'balance (?:is )?too low',
  '(?:quota|(?:usage|plan|spend(?:ing)?|hard|storage|billing|sending|message|recipient|resource) limit|usage cap|credits?)~(?:exceeded|reached|exhausted|hit)',
  '(?:exceed(?:ed|s)?|reached|exhausted|over|hit)~(?:quota|(?:usage|plan|spend(?:ing)?|storage|sending|billing) limit|credits)',
  'searches for the month~run out',
  'payment required',
  'upgrade (?:your|to a|the) ~(?:plan|account|subscription|tier)',
  'plan and billing',
  'trial (?:has |period )?(?:expired|ended)',
  'subscription (?:has |is )?(?:expired|inactive|cancell?ed|required)',
  'billing~(?:inactive|not active|disabled|not enabled|required|issue)',
  'resource has been exhausted',
)

const configuration = rule(
  { type: 'not_configured' },
  'has not been used in project',
  '(?:API|service|integration|feature) (?:is )?(?:not enabled|disabled|not activated)',
  "(?:is|are|has|was) ?(?:not|n['’]t) (?:been )?(?:configured|set up|connected)",
  'no (?:api[ -]?key|credentials|connection|integration|provider|account)s? (?:is |was |has been )?(?:found|configured|set|available|connected|provided)',
  'needs? to be (?:configured|set up|connected)',
  'missing (?:environment variable|configuration)',
  'must issue a starttls command',
)

const scopes = rule(
  { as: 403 },
  `insufficient (?:authentication )?${access}`,
  `missing (?:the )?(?:required )?(?:permissions?|scopes?)`,
  `lacks? (?:the )?~(?:permissions?|scopes?)`,
)

const credentials = rule(
  { as: 401 },
  `(?:invalid|incorrect|wrong|expired|missing|revoked|malformed|bad|unknown|no|inactive)(?: or (?:missing|invalid|expired|revoked))? (?:valid )?(?:\\S+ )?${secret}`,
  `${secret}~(?:not valid|invalid|expired|revoked|incorrect|missing|not found|not accepted|required|wrong|disabled|not provided|corrupt(?:ed)?|rejected)`,
  `(?:could not|cannot|failed to|unable to) (?:load|refresh|obtain|get|read|create) ~${secret}`,
  'un-?authori[sz]ed',
  'unauthenticated',
  'not (?:logged|signed) in',
  'authenticat(?:ion|e)~(?:fail(?:ed|ure)|required|error|unsuccessful|invalid|needed|credentials?)',
  '(?:invalid|failed|incorrect|bad) (?:login|authentication|auth|authorization|user ?name)',
  'log ?in (?:failed|required|denied)',
  'sign[ -]?in (?:again|required)',
  're-?authenticate',
  'authorization (?:required|failed|header)',
  'could not authenticate',
  'requires authentication',
  'application-specific password',
)

const permissions = rule(
  { as: 403 },
  '(?:permission|access|privilege)s? (?:to \\S+ )?(?:is |was |has been )?(?:denied|forbidden|restricted|refused)',
  'forbidden',
  'not (?:allowed|permitted|authori[sz]ed|entitled|eligible)',
  `(?:do|does|did)(?: not|n['’]t) have (?:the )?~(?:${access}|authority)`,
  `requires? (?:the |a |an )?~(?:permissions?|scopes?|privileges?|admin|administrator|owner)`,
  `(?:no|without) (?:access|permission)`,
  'row[- ]level security',
  'not accessible by',
  'must be (?:an? )?(?:admin|administrator|owner|member)',
  '(?:blocked|denied) by ~(?:policy|administrator|admin|robots)',
  'policy (?:reasons|violation)',
  '(?:location|country|region) is not supported',
  'need to have ~access',
)

/** A body that is no JSON, and not the model's to mend by naming a parameter. */
const requestBody = rule(
  { type: 'invalid_value' },
  'malformed (?:input )?request',
  'not valid json',
  'unexpected (?:token|end of json)~json',
  'problems? parsing json',
  '(?:could not|failed to|unable to|cannot) (?:be )?(?:parse|decode)d? ~(?:json|body|request)',
)

const unknownNames = rule(
  { type: 'unknown_parameter' },
  'cannot (?:query|find) field',
  `(?:unknown|unrecogni[sz]ed|unexpected|unsupported|extra(?:neous)?)(?: request| keyword| additional)? (?:name|option|${place})s?`,
  'additional propert(?:y|ies)',
  'invalid property identifier',
  'is not a (?:known|recogni[sz]ed|valid) (?:parameter|field|property|argument)',
  'extra inputs are not permitted',
)

const types = rule(
  { type: 'invalid_type' },
  `(?:must|should|has to|needs to) be (?:of type |a valid |a |an |of the type )?['"\`]?${scalar}`,
  `expect(?:ed|s|ing)(?: type)?:? (?:a |an |value of type )?['"\`]?${scalar}`,
  `(?:is )?not (?:of type|an?) (?:valid )?['"\`]?${scalar}`,
  `provide a valid ${scalar}`,
  '(?:wrong|invalid|incorrect|mismatched) (?:data )?types?',
  'type mismatch',
  'input should be (?:a valid )?(?:string|number|integer|boolean|list|dictionary|array|object)',
  'cannot (?:be )?(?:cast|convert|coerce|unmarshal)(?:ed)?',
)

const missing = rule(
  { type: 'missing_parameter' },
  '(?:is|are|was|were) (?:a )?(?:required|missing|mandatory)',
  `required (?:request )?${place}(?! format)`,
  `${place} (?:is )?required`,
  `missing (?:one (?:of|or more) )?(?:the )?(?:required |mandatory |query |path |request |body )*(?:\\S+ )?${place}`,
  'missing:? [\'"`]\\w+[\'"`]?',
  '(?:must|need to|have to|should) (?:provide|specify|include|supply) (?:a|an|at least|one of|the|either)',
  'no (?:recipients?|query|subject|body|text|message|content|url|file|name|value)s? (?:were |was |is |are )?(?:specified|provided|given|defined|supplied)',
  'not[- ]null constraint',
  '(?:was|were|is|are) not (?:specified|provided|supplied|given)',
  'must be (?:specified|provided|supplied|given|present)',
)

const conflicts = rule(
  { type: 'conflict' },
  'already (?:exists?|in use|taken|registered|present|subscribed|a member|been (?:used|taken|registered|added))',
  'conflict(?:s|ed|ing)?',
  'duplicate[ds]?',
  'same value for property',
  'unique constraint',
  'must be unique',
  'is locked',
  'concurrent (?:update|modification|request|write)s?',
  'version mismatch',
  'precondition failed',
  'has been (?:modified|changed)',
)

const absences = rule(
  { as: 404 },
  'not[ _]?found',
  'no such',
  "(?:does|do|did)(?: not|n['’]t) exists?",
  "(?:could|can)(?: ?not|n['’]t) (?:be found|find|locate|resolve)",
  'unknown (?:user|channel|recipient|host|model|id|mailbox|resource|tool|method|function|command)',
  'no (?:results?|rows?|match(?:es|ing)?|records?|entr(?:y|ies)|items?|documents?|files?|pages?)~(?:found|match(?:ed)?|exist)',
  'no longer (?:exists?|available)',
  '(?:has been|was) (?:deleted|removed)',
  'unable to (?:find|locate)',
)

const timeouts = rule(
  { type: 'timeout' },
  'tim(?:ed|es?)[ -]?out',
  'timeout',
  'deadline exceeded',
  'took too long',
  'too long to respond',
)

const hosts = rule(
  { type: 'not_found' },
  'dns error',
  'failed to lookup address',
  'name or service not known',
  'getaddrinfo',
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
  'try again',
  'maintenance',
  'bad gateway',
  'server (?:is )?(?:busy|down)',
  'socket hang up',
  'other side closed',
  'connection (?:was |has been |is )?(?:reset|refused|closed|lost|terminated|aborted|dropped)',
  'network (?:error|is unreachable|request failed|connection)',
  'fetch failed',
  'no healthy upstream',
  'error sending request',
)

/** An answer that is no JSON: a proxy's page, or a body that was cut. */
const garbledAnswer = rule(
  { type: 'unavailable' },
  'unexpected (?:token|end of json|non-whitespace)',
  'is not valid json',
  '(?:invalid|unexpected|malformed|empty) (?:json )?(?:response|reply|answer)',
)

const addresses = rule(
  { type: 'invalid_value', parameter: 'url' },
  'invalid (?:url|uri)',
  'failed to parse url',
  '(?:unknown|unsupported) (?:scheme|protocol)',
  'url scheme',
  'bad port',
  'requests to port \\d+ are blocked',
  'url that includes credentials',
  'redirect count exceeded',
  'too many redirects',
)

const badValues = rule(
  { type: 'invalid_value' },
  'invalid',
  'not valid',
  'malformed',
  '(?:must|should) (?:not )?(?:be|match|have|start|end|contain)',
  'un-?supported',
  'not supported',
  'out of range',
  'too (?:long|short|large|many|few|small|big|deep|old)',
  "(?:cannot|can['’]t|must not|may not) be (?:blank|empty|null|negative|used|parsed|both|greater|less)",
  'exceed(?:s|ed|ing)?',
  'bad request',
  'not a (?:valid|folder|file|directory)',
  'illegal',
  'incorrect',
  'violates',
  'unprocessable',
  'mismatch(?:ed)?',
)

const limits = [tooMuchAtOnce, longLimits, rateLimits, quotas]
const signIn = [configuration, scopes, credentials]
const faultsOfTheCall = [requestBody, unknownNames, types, missing]

/** Words of an error about which nothing else is known. */
export const allWords: readonly WordRule[] = [
  history,
  garbledAnswer,
  timeouts,
  cancelled,
  ...limits,
  ...signIn,
  permissions,
  ...faultsOfTheCall,
  addresses,
  hosts,
  conflicts,
  absences,
  serverFaults,
  outages,
  badValues,
]

/** A 400 can mean anything that a caller did wrong, and now and then a fault of the server. */
export const wordsOfBadRequest: readonly WordRule[] = [
  history,
  requestBody,
  ...limits,
  ...signIn,
  ...faultsOfTheCall,
  conflicts,
  absences,
  permissions,
  serverFaults,
]

/** Words that say more than a status does. A status that is neither here nor 400 or 422 says all there is. */
export const wordsByStatus: Readonly<Record<number, readonly WordRule[]>> = {
  401: [longLimits, quotas, configuration, scopes],
  403: [...limits, ...signIn],
  429: [tooMuchAtOnce, longLimits, rateLimits, quotas],
  503: [rateLimits],
}
