import { expect, test } from 'vitest'
import type { Pending } from '../../../client/api/message.ts'
import { tellApart } from '../../../client/react/cards/told-apart.ts'

const names = { parameter: (_: string, name: string) => name, value: () => undefined }

/** The same question about calls with these values, as each reads beside the others. */
function told(...values: Record<string, unknown>[]): string[] {
  const items = values.map(
    (one, index) =>
      ({
        type: 'approval',
        itemId: String(index),
        toolName: 'send',
        asked: 'Send it?',
        values: one,
      }) as Pending,
  )
  return [...tellApart(items, names).values()].map(({ asked }) => asked)
}

test('calls that read alike are told apart by what differs, and no other is', () => {
  expect(told({ to: 'ada', at: 1 }, { to: 'bob', at: 1 })).toEqual([
    'Send it? (to: ada)',
    'Send it? (to: bob)',
  ])
  expect(told({ to: 'ada' })).toEqual(['Send it?'])
  expect(told({ to: 'ada', at: 1 }, { to: 'ada' }, { to: 'ada', at: '' })).toEqual([
    'Send it? (at: 1)',
    'Send it?',
    'Send it?',
  ])
})

test('files and other objects are named as in their forms, never shown as JSON', () => {
  const named = told(
    { files: [{ content: 'At ten.', filename: 'plan.txt' }, { file_id: 'f-1' }] },
    { files: [], place: { title: 'Hall', floor: 2 } },
  )
  expect(named).toEqual(['Send it? (files: plan.txt, f-1)', 'Send it? (place: Hall)'])
})

test('what was decided about a call is told as a statement, with what differs', () => {
  const items = ['At ten.', 'At noon.'].map((body, index) => {
    const said = { confirm: 'Send "Hi" again?', statement: 'Send "Hi"' }
    return {
      type: 'approval',
      itemId: String(index),
      toolName: 'send',
      ...said,
      values: { body },
    } as unknown as Pending
  })
  expect([...tellApart(items, names).values()]).toEqual([
    { asked: 'Send "Hi" again? (body: At ten.)', stated: 'Send "Hi" (body: At ten.)' },
    { asked: 'Send "Hi" again? (body: At noon.)', stated: 'Send "Hi" (body: At noon.)' },
  ])
})
