import { expect, test } from 'vitest'
import type { ForeignTool } from '../../../shared/integrations/mcp/foreign-tool.ts'
import { compareSeen, seeDefinition } from '../../../shared/integrations/mcp/seen-definition.ts'

const tool: ForeignTool = {
  name: 'tracker__create',
  foreignName: 'create',
  title: 'Create',
  description: 'Creates.',
  inputSchema: { type: 'object' },
  annotations: { destructiveHint: true },
}
const changes = async (change: Partial<ForeignTool>) =>
  compareSeen(await seeDefinition(tool, 'one'), await seeDefinition({ ...tool, ...change }, 'other'))

test('what has changed in a definition is said by its parts', async () => {
  expect(await changes({ description: 'Creates for everybody.' })).toEqual([
    { what: 'words', before: null, now: null },
  ])
  expect(await changes({ inputSchema: { type: 'object', required: ['x'] } })).toMatchObject([
    { what: 'takes' },
  ])
  expect(await changes({ annotations: {} })).toEqual([
    { what: 'claims', before: { destructiveHint: true }, now: {} },
  ])
  expect(await changes({ outputSchema: { type: 'object' } })).toMatchObject([{ what: 'definition' }])
})

test('a definition that only its hash was seen of is compared by that', async () => {
  const seen = { definition: 'one' }
  expect(compareSeen(seen, await seeDefinition(tool, 'one'))).toEqual([])
  expect(compareSeen(seen, await seeDefinition(tool, 'other'))).toMatchObject([{ what: 'definition' }])
})
