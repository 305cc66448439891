import { rule } from './word-rule.ts'

/** Too much at once: waiting does not help. */
export const tooMuchAtOnce = rule(
  { type: 'invalid_value' },
  '(?:request|body|payload|entity|prompt|input)(?: is)? too (?:large|long|big)',
  'too (?:big|large) (?:an? )?(?:body|request|payload)',
  'exceed(?:s|ed)? (?:the )?~context (?:limit|window|length)',
  'maximum context length',
  'reduce (?:the|your) ~(?:length|prompt|size)',
)

/** Limits of days and months, and money: a minute's wait does not help. */
export const longLimits = rule(
  { type: 'quota_exceeded' },
  '[\\w-]*PerDay[\\w-]*',
  '(?:per|a|/) ?(?:day|month)',
  '(?:daily|monthly|weekly) (?:\\w+ ){0,3}(?:limit|quota|cap|allowance|credits?)',
  'RPD|TPD',
)

export const rateLimits = rule(
  { as: 429 },
  'rate[ -]?limit(?:s|ed|ing|er)?',
  '(?:request|sending|message|maximum ~) rate',
  'rate (?:was |is |has been )?exceeded',
  '(?:request|call|API) limit (?:is |was |has been )?(?:reached|exceeded|hit)',
  '(?:requests?|queries|limit\\w*|tokens|calls|messages)~per (?:\\d+ )?(?:second|minute|hour|user)s?',
  'too many (?:requests|calls|concurrent|connections|login attempts|attempts|messages|emails|errors)',
  'throttl(?:ed|ing|e)',
  'slow down',
  'too (?:frequently|quickly|fast)',
  'please wait ~(?:seconds?|minutes?|moment)',
  'abuse detection',
  'RPM|TPM',
)

/** The window of a limit, where the provider's code says only that there is one. */
export const shortLimits = rule(
  { type: 'rate_limit_exceeded' },
  '[\\w-]*Per(?:Second|Minute|Hour)[\\w-]*',
  '(?:per|a|/) ?(?:\\d+ )?(?:second|minute|hour)s?',
)

export const quotas = rule(
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
  'billing~(?:(?:must|needs? to|to) be enabled|inactive|not active|disabled|not enabled|required|issue)',
  'resource has been exhausted',
  '\\w+ cap (?:is |was |has been )?(?:reached|exceeded|hit)',
  "(?:is|are)(?: not|n['’]t) enough ~(?:licen[cs]es?|credits?|seats|storage|space)",
  '(?:requires?|needs?) ~(?:premium|paid|higher) ~(?:plan|sku|tier|subscription|licen[cs]e|account)',
  'not subscribed',
  "(?:do|does|did)(?: not|n['’]t) have enough ~(?:credits?|funds|balance|quota|storage|space)",
)

/** A limit of how many things there may be; beside a 429 it is one of calls. */
export const counts = rule(
  { type: 'quota_exceeded' },
  '(?:reached|hit) (?:your|the|its|a) (?:[\\w-]+ ){0,2}(?:limit|maximum)',
)
