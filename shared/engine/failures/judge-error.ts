import type { ToolErrorType } from '../core/tool-error.ts'
import type { Observation } from './facts/observation.ts'
import { meaningOfCodeWords, wordsOfCode } from './tables/code-words.ts'
import { meaningOfCode } from './tables/codes.ts'
import { isVague, verdictOfStatus } from './tables/statuses.ts'
import type { Meaning, Verdict } from './tables/verdict.ts'
import { allWords, permissions, type WordRule, wordsByStatus, wordsOfBadRequest } from './tables/words.ts'

/** A limit that resets later than this is a quota: nobody waits that long for an answer. */
const longestWaitMs = 24 * 3_600_000

/**
 * What the facts mean; undefined if nothing. Codes come first, then the status, both refined by words only if they leave
 * room; words alone come last.
 */
export function judgeError(facts: Observation, waitMs?: number): Verdict | undefined {
  if (facts.problems[0]) return { type: facts.problems[0].errorType, parameter: facts.problems[0].parameter }
  const text = facts.texts.join('\n')
  const meaning = meaningOfCodes(facts)
  if (meaning && 'type' in meaning) return meaning
  const status = findStatus(facts.status, meaning)
  if (status !== undefined) return judgeStatus(status, text, waitMs)
  const verdict = verdictOfWords(text, allWords, waitMs)
  if (verdict) return verdict
  return facts.isHtml ? { type: 'unavailable' } : undefined
}

/** Whether anything other than words says what went wrong. */
export function hasFacts(facts: Observation): boolean {
  return facts.problems.length > 0 || facts.status !== undefined || meaningOfCodes(facts) !== undefined
}

/** The first code with a definite meaning, else the first that stands for a status. */
export function meaningOfCodes({ codes, names, status, texts }: Observation): Meaning | undefined {
  const documented = [...codes, ...names].map(meaningOfCode).filter((meaning) => meaning !== undefined)
  const definite = documented.find((meaning) => 'type' in meaning)
  if (definite) return definite
  const said = spokenBy(codes) ?? spokenBy(names, 'invalid_value')
  // `cyclicMembersNotAllowed` with a 412 is not about permissions, `NO_RIGHTS_OR_NOT_FOUND` with a 403 is.
  const asStatus = said && 'as' in said ? said.as : undefined
  const isDoubtful = (asStatus === 403 && saysWhy(status)) || (asStatus === 404 && status === 403)
  const spoken = isDoubtful ? undefined : said
  // "invalid" in a code says more than a bare 403, and less than any other status or the words of a 400.
  const saysMore = status === undefined || (status === 403 && !permissions.words.test(texts.join('\n')))
  const addsNothing = spoken && 'type' in spoken && spoken.type === 'invalid_value' && !saysMore
  return addsNothing ? documented[0] : (spoken ?? documented[0])
}

/** What the words of undocumented codes mean; "invalid" in a class name says too little. */
function spokenBy(codes: readonly string[], saysNothing?: ToolErrorType): Meaning | undefined {
  return codes
    .filter((code) => !meaningOfCode(code))
    .map(meaningOfCodeWords)
    .find((meaning) => meaning && !('type' in meaning && meaning.type === saysNothing))
}

/** The words of the most informative code, if a provider gives no message: `msg_too_long`. Empty if none is informative. */
export function reasonOfCode(codes: readonly string[]): string {
  const code = codes.find((one) => {
    const meaning = meaningOfCode(one) ?? meaningOfCodeWords(one)
    return meaning && !saysLittle(meaning) && /^[a-z]+(?:[_-][a-z]+|[A-Z][a-z]+)+$/.test(one)
  })
  return code ? wordsOfCode(code) : ''
}

function saysLittle(meaning: Meaning): boolean {
  return 'as' in meaning && (meaning.as === 400 || meaning.as === 500)
}

/** A status that says what is wrong, unlike 400, 422 and server errors. */
function saysWhy(status: number | undefined): boolean {
  return status !== undefined && status > 403 && status < 500 && !isVague(status)
}

/** A code like `invalid_request_error` does not override a status; one like `rateLimitExceeded` overrides a 403. */
function findStatus(status: number | undefined, meaning: Meaning | undefined): number | undefined {
  if (!meaning || 'type' in meaning) return status
  return status === undefined || !saysLittle(meaning) ? meaning.as : status
}

function judgeStatus(status: number, text: string, waitMs: number | undefined): Verdict {
  const rules = isVague(status) ? wordsOfBadRequest : wordsByStatus[status]
  const verdict = rules && verdictOfWords(text, rules, waitMs)
  return verdict ?? verdictWithWait(status, waitMs)
}

/** The verdict of the first rule that fits. */
function verdictOfWords(text: string, rules: readonly WordRule[], waitMs?: number): Verdict | undefined {
  const meaning = rules.find(({ words }) => words.test(text))?.meaning
  if (!meaning) return undefined
  if ('type' in meaning) return meaning
  return verdictWithWait(meaning.as, waitMs)
}

/** "You exceeded your current quota. Please retry in 3 s" is a per-minute limit; one that lasts for days is a quota. */
function verdictWithWait(status: number, waitMs: number | undefined): Verdict {
  const isShort = status === 402 && waitMs !== undefined && waitMs < longestWaitMs
  const isLong = status === 429 && waitMs !== undefined && waitMs > longestWaitMs
  return verdictOfStatus(isShort ? 429 : isLong ? 402 : status)
}
