import { clipText } from '../core/clip-text.ts'
import { maskSecrets } from '../core/mask-secrets.ts'
import { isMarked, withoutMark } from '../core/question-mark.ts'
import { withoutStack } from './clean-reason.ts'
import { verdictOfWords } from './judge-error.ts'
import type { Verdict } from './tables/verdict.ts'
import { wordsOfQuestion } from './tables/words.ts'

const longest = 300

/** What programs put in front of a message they pass on. */
const passedOn =
  /^(?:(?:Uncaught )?(?:[A-Z]\w*)?(?:Error|Exception)(?: \[\w+\])?:|Tool (?:execution )?error:|MCP error -?\d+:|Error executing tool [\w.-]+:)\s*/

/** The question in a text, word for word but for secrets and a stack; undefined when the text asks nothing. */
export function questionIn(text: string): string | undefined {
  let question = withoutStack(text).trim()
  for (let before = ''; before !== question; ) {
    before = question
    question = question.replace(passedOn, '')
  }
  if (!isMarked(question) || withoutMark(question) === '') return undefined
  return clipText(maskSecrets(question).replace(/\s+/g, ' '), longest)
}

/** What only the user can say: consent and taste, and where a secret belongs. */
const asksTheUser =
  /\b(?:(?:do|would|could|can|may|will) you (?:want|like|prefer|confirm|allow|agree|approve)|are you (?:sure|ok)|(?:may|shall) I|should I (?:really|overwrite|replace|delete|continue|proceed|go ahead|do)|please (?:confirm|decide|approve|allow)|(?:ask|which does) the user|your (?:consent|permission|approval|confirmation|preference))\b/i

/** A value that is there and wrong, rather than none. */
const findsFault =
  /\b(?:issue|problem|wrong|invalid|incorrect|not (?:an? )?(?:valid|allowed|supported|possible|exist\w*|correct)|check (?:that|the|whether|if)|must (?:not )?(?:be|have|contain)|cannot|too (?:long|short|large|small|many|few|late|early)|do(?:es)?(?: not|n['’]t)|is(?: not|n['’]t))\b/i

/**
 * Who can answer a question that a tool asks, and what it is about: set-up, credentials and rights are the user's, and
 * so is consent; a missing or unfit value is the model's.
 */
export function verdictOfQuestion(question: string): Verdict {
  const known = verdictOfWords(question, wordsOfQuestion)
  if (known) return known
  const type = findsFault.test(question) ? 'invalid_value' : 'missing_parameter'
  return asksTheUser.test(question) ? { type, resolver: 'user' } : { type }
}
