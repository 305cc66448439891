import { expect, test } from 'vitest'
import type { Pending } from '../../../client/api/message.ts'
import { decidedTogether } from '../../../client/react/cards/decided-together.ts'

test('what was done before, or may have been, is not approved with others at once: its warning has to be read', () => {
  const open = (['consent', 'repetition', 'unknown', 'provenance'] as const).map(
    (reason) => ({ type: 'approval', itemId: reason, reason }) as Pending,
  )
  expect(decidedTogether(open).map(({ itemId }) => itemId)).toEqual(['consent', 'provenance'])
})
