import { clipText } from '../core/clip-text.ts'
import { maskSecrets } from '../core/mask-secrets.ts'
import { isMarked, withoutMark } from '../core/question-mark.ts'
import { withoutStack } from './clean-reason.ts'
import { hidePaths } from './source-paths.ts'

const longest = 300

/** What programs put in front of a message they pass on. */
const passedOn =
  /^(?:(?:Uncaught )?(?:\w+\.)*(?:[A-Z]\w*)?(?:Error|Exception)(?: \[\w+\])?:|Tool (?:execution )?error:|MCP error -?\d+:|Error executing tool [\w.-]+:)\s*/

/** The question in a text, word for word but for secrets and a stack; undefined when the text asks nothing. */
export function questionIn(text: string): string | undefined {
  const question = withoutSender(text)
  if (!isMarked(question) || withoutMark(question) === '') return undefined
  return clipText(maskSecrets(question).replace(/\s+/g, ' '), longest)
}

/** The sentence of a tool that says nothing else, word for word but for secrets, paths and a stack; it may be empty. */
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
