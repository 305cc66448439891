import { clipText } from '../core/clip-text.ts'
import { maskSecrets } from '../core/mask-secrets.ts'
import { isMarked, withoutMark } from '../core/question-mark.ts'
import { withoutStack } from './clean-reason.ts'
import { hidePaths } from './source-paths.ts'

const longest = 300

/** Prefixes that programs add to a message they pass on. */
const passedOn =
  /^(?:(?:Uncaught )?(?:\w+\.)*(?:[A-Z]\w*)?(?:Error|Exception)(?: \[\w+\])?:|Tool (?:execution )?error:|MCP error -?\d+:|Error executing tool [\w.-]+:)\s*/

/** The question in a text, word for word except for secrets and a stack trace; undefined if there is none. */
export function questionIn(text: string): string | undefined {
  const question = withoutSender(text)
  if (!isMarked(question) || withoutMark(question) === '') return undefined
  return clipText(maskSecrets(question).replace(/\s+/g, ' '), longest)
}

/** A tool's sentence that says nothing else, word for word except for secrets, paths and a stack trace; may be empty. */
export function sentenceIn(text: string): string {
  const sentence = hidePaths(maskSecrets(withoutSender(text))).replace(/\s+/g, ' ')
  return clipText(sentence.trim(), longest)
}

function withoutSender(text: string): string {
  let said = withoutStack(text).trim()
  for (let before = ''; before !== said; ) {
    before = said
    said = said.replace(passedOn, '')
  }
  return said
}
