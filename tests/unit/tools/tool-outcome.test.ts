import { expect, test } from 'vitest'
import { Question } from '../../../shared/engine/core/tool-error.ts'
import { judgeThrown } from '../../../shared/engine/tools/tool-outcome.ts'

test.each([
  ['is echoed', 'report', { parameter: 'files', value: ['report'] }],
  ['is named only where it is long', 'x'.repeat(2048), { parameter: 'files' }],
])('a value that a tool asks about %s', (_, file, details) => {
  const parameters = { type: 'object', properties: { files: { type: 'array', items: { type: 'string' } } } }
  const tool = { name: 'send', description: 'Sends files.', effect: 'write' as const, parameters }
  const question = new Question('Which files should go with it?', { parameter: 'files', resolver: 'user' })
  const error = judgeThrown(question, { tool, args: { files: [file] }, effectBegan: false })
  const { correction: _correction, ...rest } = error.details
  expect(rest).toEqual(details)
})
