import { expect, test } from 'vitest'
import { CompletionText } from '../../../supabase/functions/chat/openai/completion-text.ts'

test('a run that is stopped says once what its model has written, and then how it ended', () => {
  let said = ''
  const text = new CompletionText((more) => {
    said += more
  })
  text.hear({ type: 'step-start' })
  for (const delta of ['Once upon', ' a time']) text.hear({ type: 'text-delta', delta })
  const ours = [{ code: 'stopped', text: 'Stopped.' }]
  text.hear({ type: 'run-end', status: 'failed', text: 'Once upon a time', ours })
  expect(said).toBe('Once upon a time\n\nStopped.')
})

test('what is said at the end in other words is a paragraph of its own', () => {
  let said = ''
  const text = new CompletionText((more) => {
    said += more
  })
  text.hear({ type: 'step-start' })
  text.hear({ type: 'text-delta', delta: 'Let me see.' })
  text.hear({ type: 'run-end', status: 'failed', text: '', ours: [{ code: 'stopped', text: 'Stopped.' }] })
  expect(said).toBe('Let me see.\n\nStopped.')
})
