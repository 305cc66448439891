import { expect, test } from 'vitest'
import { Question, ToolCallError, toolError } from '../../../shared/engine/core/tool-error.ts'
import { defineTool } from '../../../shared/engine/tools/define-tool.ts'
import { judgeThrown } from '../../../shared/engine/tools/tool-outcome.ts'

const { specification: tool } = defineTool({
  name: 'send',
  description: 'Sends.',
  parameters: { type: 'object', properties: { attachments: { type: 'array' } } },
  effect: 'read',
  execute: () => null,
})

function judge(cause: unknown, attachments: unknown[]) {
  return judgeThrown(cause, { tool, args: { attachments }, effectBegan: false })
}

test('an error shows a long value by its type and size, a short one as it is', () => {
  const long = ['x'.repeat(5_000)]
  const refused = (value: unknown) =>
    new ToolCallError(
      toolError('invalid_value', 'Question: Smaller?', { details: { parameter: 'attachments', value } }),
    )
  expect(judge(refused(long), long).details.value).toBe('array of 5004 characters')
  expect(judge(refused(['x']), ['x']).details.value).toEqual(['x'])
})

test('so does a question about it', () => {
  const asked = new Question('Which attachments are small enough?', { parameter: 'attachments' })
  expect(judge(asked, ['x'.repeat(5_000)]).details.value).toBe('array of 5004 characters')
})

test('a refusal about a place that the tool does not have proposes no corrected call', () => {
  const refused = (parameter: string) =>
    new ToolCallError(toolError('invalid_value', 'Question: Which one?', { details: { parameter } }))
  expect(judge(refused('attachments'), []).details.correction?.open).toEqual(['attachments'])
  expect(judge(refused('folder'), []).details).not.toHaveProperty('correction')
  expect(judge(refused(''), []).details).not.toHaveProperty('correction')
})
