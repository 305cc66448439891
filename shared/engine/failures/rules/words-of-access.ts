import { rule } from './word-rule.ts'

const secret =
  '(?:api[ -]?keys?|(?:access |auth(?:entication|orization)? |security |refresh )?(?<!\\b(?:page|sync|next|continuation) )tokens?|credentials?|passwords?|signature|jwt|client secret|subscription key)'
const access = '(?:permissions?|scopes?|privileges?|access|rights?|roles?)'

export const configuration = rule(
  { type: 'not_configured' },
  'has not been used in project',
  '(?:API|service|integration|feature|project) (?:is )?(?:not enabled|disabled|not activated|not active|inactive)',
  '(?:unable to|could not|cannot|failed to) (?:detect|determine|load|find) ~(?:project|region|default credentials|configuration)',
  "(?:is|are|has|was) ?(?:not|n['’]t) (?:been )?(?:configured|set up|connected)",
  'no (?:api[ -]?key|credentials|connection|integration|provider|account)s? (?:is |was |has been )?(?:found|configured|set|available|connected|provided)',
  'needs? to be (?:configured|set up|connected)',
  'missing (?:environment variable|configuration)',
  '(?:environment variable|env var)~not (?:set|defined)',
  'must issue a starttls command',
)

/** What a question of a tool asks for that belongs to a connection, not into a call. */
export const askedSetUp = rule(
  { type: 'not_configured' },
  '(?:in|under|on|from|to) (?:the |your )(?:\\w+ )?settings',
  'please (?:re-?)?(?:connect|link|authori[sz]e) (?:the|an?|your|it|this)',
  `(?:provide|enter|give|tell|send|type|add|set|what is|what's|need) ~(?:your|the user['’]?s?) (?:\\S+ ){0,2}${secret}`,
)

export const corruptedSecrets = rule(
  { type: 'authentication_error' },
  `${secret} ~(?:corrupt(?:ed)?|decrypted|expired|revoked|rejected|no longer (?:valid|works?))`,
)

export const scopes = rule(
  { as: 403 },
  `insufficient (?:authentication )?${access}`,
  `missing (?:the )?(?:required )?(?:permissions?|scopes?)`,
  `lacks? (?:the )?~(?:permissions?|scopes?)`,
)

export const credentials = rule(
  { as: 401 },
  `(?:invalid|incorrect|wrong|expired|missing|revoked|malformed|bad|unknown|no|inactive)(?: or (?:missing|invalid|expired|revoked))? (?:valid )?(?:\\S+ )?${secret}`,
  `${secret}~(?:not valid|invalid|expired|revoked|incorrect|missing|not found|not accepted|required|wrong|disabled|not provided|corrupt(?:ed)?|rejected)`,
  `(?:could not|cannot|failed to|unable to) (?:load|refresh|obtain|get|read|create) ~${secret}`,
  `(?:wrong|bad|invalid|malformed) ~(?:in|of) (?:the )?${secret}`,
  'un-?authori[sz]ed(?! (?:operation|access|action|to))',
  'unauthenticated',
  'not (?:logged|signed) in',
  'authenticat(?:ion|e)\\b~(?:fail(?:ed|ure)|required|error|unsuccessful|invalid|needed|credentials?)',
  '(?:invalid|failed|incorrect|bad) (?:login|authentication|auth|authorization|user ?name (?:or|and) password)',
  '(?:log|sign)[ -]?in (?:failed|required|denied|again)',
  '(?:log|sign)[ -]?in ~(?:first|to continue)',
  'session (?:has |is )?(?:expired|missing)',
  'signature ~does not match',
  're-?authenticate',
  'authorization (?:required|failed|header)',
  'could not authenticate',
  'requires (?:re-?)?authentication',
  'application-specific password',
)

/** The caller is known, and may not. */
export const grants = rule(
  { as: 403 },
  'row[- ]level security',
  'permission (?:is |was )?denied',
  `(?:do|does|did)(?: not|n['’]t) have (?:the )?~${access}`,
)

/** An account that may do nothing at all. */
export const suspensions = rule(
  { as: 403 },
  '(?:account|user|organi[sz]ation|workspace|project|tenant) (?:has been |is |was )?(?:suspended|blocked|banned|deactivated|terminated)',
)

export const permissions = rule(
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
  '(?:address|domain|identity|sender|number|e-?mail)~not verified',
)
