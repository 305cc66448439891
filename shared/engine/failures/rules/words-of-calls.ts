import { rule } from './word-rule.ts'

const place = '(?:parameters?|fields?|propert(?:y|ies)|arguments?|keys?|columns?|inputs?|query|values?)'
const scalar =
  '(?:string|text|number|numeric|integer|int|bool(?:ean)?|array|list|object|float|dict(?:ionary)?|map)s?'

/** A history that the caller of a language model built wrongly: no argument of a tool can mend it. */
export const history = rule(
  { type: 'execution_error' },
  'no tool output found',
  'tool_(?:calls?|use)`?~(?:must be followed|must be a response|without|preceding)',
  'roles? must alternate',
  'function call turn',
)

/** A refusal that is about what was sent, not about who sent it. */
export const unfitValues = rule(
  { type: 'invalid_value' },
  '(?:is|are) only allowed (?:on|for|in|with|when)',
  'not (?:directly )?writable',
  'not an? (?:allowed|permitted|supported) ~(?:type|value|target|format)',
  'number of \\w+ is not allowed',
  'is not a (?:folder|file|directory)',
)

/** A body that is no JSON, and not the model's to mend by naming a parameter. */
export const requestBody = rule(
  { type: 'invalid_value' },
  'malformed (?:input )?request',
  'not valid json',
  'unexpected (?:token|end of json)~json',
  'problems? parsing json',
  '(?:could not|failed to|unable to|cannot) (?:be )?(?:parse|decode)d? ~(?:json|body|request)',
  "json ~(?:cannot|could not|can['’]t) be (?:parsed|decoded|read)",
  '(?:is )?(?:invalid|malformed|bad) json(?! payload)',
)

export const unknownNames = rule(
  { type: 'unknown_parameter' },
  'cannot (?:query|find) field',
  `(?:unknown|unrecogni[sz]ed|unexpected|unsupported|extra(?:neous)?)(?: request| keyword| additional)? (?:name|option|${place})s?`,
  'additional propert(?:y|ies)',
  'invalid property identifier',
  'is not a (?:known|recogni[sz]ed|valid) (?:parameter|field|property|argument)',
  'extra inputs are not permitted',
)

export const types = rule(
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

export const missing = rule(
  { type: 'missing_parameter' },
  '(?:is|are|was|were) (?:a )?(?:required|missing|mandatory)',
  // "amount is a required field", not "please check the required fields".
  `(?<!\\bcheck\\b.{0,40})required (?:request )?${place}(?! format)`,
  `${place} (?:is )?required`,
  `missing (?:one (?:of|or more) )?(?:the )?(?:required |mandatory |query |path |request |body )*(?:\\S+ )?${place}`,
  'missing:? [\'"`]\\w+[\'"`]?',
  'missing \\w+(?=[.!]?(?:$|\\n))',
  '(?:must|need to|have to|should) (?:provide|specify|include|supply) (?:a|an|at least|one of|the|either)',
  'no (?:\\w+ ){1,3}?(?:were |was |is |are )?(?:specified|provided|given|defined|supplied|passed|selected)',
  "does(?: not|n['’]t) contain (?:an?|the|any) ~(?:fields?|propert(?:y|ies)|keys?|values?|parameters?)",
  'not[- ]null constraint',
  "(?:was|were|is|are)(?: not|n['’]t) (?:specified|provided|supplied|given|passed|included)",
  '(?:please )?specify (?:a |the )?(?:value|\\w+) for',
  '(?:must|should) be (?:specified|provided|supplied|given|present|defined)',
)

export const conflicts = rule(
  { type: 'conflict' },
  'already (?!expired|revoked)\\w+',
  // "username exists", not "check that the file exists".
  '(?<!\\b(?:no|that|which|it|one|longer|still|check|ensure|sure|if|whether)\\b.{0,40})exists(?= with |[.! ]*(?:$|\\n))',
  '(?:is |still |currently )in use',
  'in use by',
  'in progress',
  'another \\w+ ~(?:exists|is running)',
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

export const tools = rule(
  { type: 'tool_not_found' },
  '(?:unavailable|unknown|nonexistent|no such|invalid) (?:tool|function)(?: name)?(?=:| [\'"`])',
  "tool:? \\S+ (?:was |is )?(?:not found|not registered|does(?: not|n['’]t) exist)",
)

export const absences = rule(
  { as: 404 },
  'not[ _]?found',
  'no such',
  "(?:does|do|did)(?: not|n['’]t) exists?",
  "(?:could|can)(?: ?not|n['’]t) (?:be found|find|locate|resolve)",
  'unknown (?:user|channel|recipient|host|model|id|mailbox|resource|tool|method|function|command)',
  'no (?:results?|rows?|match(?:es|ing)?|records?|entr(?:y|ies)|items?|documents?|files?|pages?)~(?:found|match(?:ed)?|exist)',
  'no (?:\\w+ ){0,3}(?:match(?:es|ed|ing)?|found)',
  "(?:has|have|did|does)n['’]t return(?:ed)? any",
  '(?:unable|failed) to (?:locate|find|look ?up)',
  'no longer (?:exists?|available)',
  '(?:has been|was) (?:deleted|removed)',
)

export const addresses = rule(
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

export const badValues = rule(
  { type: 'invalid_value' },
  'invalid',
  'not valid',
  'malformed',
  '(?:must|should) (?:not )?(?:be|match|have|start|end|contain)',
  'un-?supported',
  'not supported',
  'out of (?:the )?range',
  'syntax error',
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
  'multiple \\w+ ~found',
  'more than one',
  'ambiguous',
  'expected~(?:but|got|received|found)',
)
