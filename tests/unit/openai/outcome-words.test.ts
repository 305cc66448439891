import { expect, test } from 'vitest'
import type { ToolSpecification } from '../../../shared/engine/core/tool-specification.ts'
import { questionAboutUnreported } from '../../../shared/engine/loop/consent/question-about-unreported.ts'
import { english } from '../../../shared/words/languages/english.ts'
import { outcomeSentence } from '../../../supabase/functions/chat/openai/outcome-words.ts'
import { knownWrite } from '../../../support/known-write.ts'

const tool: ToolSpecification = {
  name: 'send_email',
  description: 'Sends an email.',
  effect: 'write',
  confirm: 'Send "{subject}" to {to}?',
  parameters: { type: 'object', properties: { to: { type: 'string' }, subject: { type: 'string' } } },
}

test('what may have been done is not done again when its user declines', () => {
  const args = { to: 'ada@example.com', subject: 'Hi' }
  const write = knownWrite({ toolName: tool.name, arguments: args, status: 'unknown' })
  const lost = { itemId: 'i', write, account: null }
  const question = questionAboutUnreported(lost, tool)
  const outcome = { id: 'i', closedAs: 'deny', question, execution: null, done: null, tool }
  expect(outcomeSentence(outcome, english)).toBe(
    'Not done again, because you denied it: Send "Hi" to "ada@example.com".',
  )
  const { outcomeUnknown: _, ...ordinary } = question
  expect(outcomeSentence({ ...outcome, question: ordinary }, english)).toBe(
    'Not done, because you denied it: Send "Hi" to "ada@example.com".',
  )
})
