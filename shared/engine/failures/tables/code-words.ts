import type { Meaning } from './verdict.ts'

/** Meanings of the words inside a provider's code that no table knows, like `channel_limit_reached`. */
const rules: readonly (readonly [RegExp, Meaning])[] = [
  [
    /\b(?:rate limit\w*|throttl\w*|slow down|too many requests|throughput exceeded|capacity (?:exceeded|exhausted))\b/,
    { as: 429 },
  ],
  [
    /\b(?:quota|credits?|billing|paid \w+|upgrade required|premium \w+|(?:insufficient|not enough|no) (?:space|storage|funds)|limit (?:exceeded|reached)|storage full|balance)\b/,
    { as: 402 },
  ],
  [/\b(?:not found|no such \w+|does not exist|unknown (?:user|channel|resource|id|model))\b/, { as: 404 }],
  [
    /\b(?:already \w+|duplicate\w*|dup|condition(?:al)? (?:\w+ )?failed|\w* taken|conflict|in use|locked)\b/,
    { type: 'conflict' },
  ],
  [
    /\b(?:expired|invalid (?:\w+ )?(?:token|key|credentials?|auth\w*|grant|login|password)|(?:token|key|credentials?|session) (?:invalid|revoked|missing)|missing (?:\w+ )?(?:token|key|credentials?|auth\w*)|re ?auth\w* (?:needed|required)|un ?authori[sz]ed|unauthenticated|auth(?:entication|orization)? (?:failed|required|error|invalid)|login required|not authed)\b/,
    { type: 'authentication_error' },
  ],
  [/\b(?:not configured|not enabled|disabled api|service disabled|not set up)\b/, { type: 'not_configured' }],
  [
    /\b(?:missing scope|insufficient \w+|not (?:allowed|permitted|authorized|entitled)|\w* ?denied|forbidden|restrict(?:ed)?|no permission|\w+ disabled|needs (?:verification|approval|consent)|not (?:verified|confirmed)|\w* policy \w+|(?:membership|admin\w*|owner\w*|approval|consent|verification|license) required|can(?:no)?t \w+|\w* privileges?)\b/,
    { as: 403 },
  ],
  [
    /\b(?:missing (?:\w+ )?\w+|(?:parameter|field|argument|value|property|query|name|id|body) (?:missing|required)|required (?:parameter|field|argument|value|property)|no \w+ (?:given|provided|specified))\b/,
    { type: 'missing_parameter' },
  ],
  [
    /\b(?:unknown (?:parameter|field|argument|property)|unexpected (?:parameter|field|argument|property|key|name)|unrecogni[sz]ed \w+)\b/,
    { type: 'unknown_parameter' },
  ],
  [/\b(?:invalid type|type mismatch|wrong type)\b/, { type: 'invalid_type' }],
  [/\b(?:user|request|operation|ceremony) (?:aborted|cancell?ed)\b/, { type: 'cancelled' }],
  [/\b(?:time ?out|timed out|deadline)\b/, { type: 'timeout' }],
  [
    /\b(?:unavailable|overloaded|maintenance|backend|unexpected (?:failure|error)|server (?:error|busy)|internal|try again)\b/,
    { as: 500 },
  ],
  [
    /\b(?:invalid|malformed|bad|unsupported|illegal|too (?:long|large|many|small|short|deep|big)|out of range|not (?:a|an|valid|supported)|validation \w+|exceeds?)\b/,
    { type: 'invalid_value' },
  ],
  [/\b\w+ restrictions?\b/, { as: 400 }],
]

/** What an undocumented code says by its own words; a single word says too little. */
export function meaningOfCodeWords(code: string): Meaning | undefined {
  const words = wordsOfCode(code)
  if (!words.includes(' ')) return undefined
  return rules.find(([pattern]) => pattern.test(words))?.[1]
}

/** `msg_too_long` and `msgTooLong` as `msg too long`. */
export function wordsOfCode(code: string): string {
  return code
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .replace(/[^A-Za-z0-9]+/g, ' ')
    .trim()
    .toLowerCase()
}
