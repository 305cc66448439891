import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ToolCallError, toolError } from '../../../shared/engine/core/tool-error.ts'
import type { Tool } from '../../../shared/engine/core/tool-specification.ts'
import type { Entry, QuestionEntry } from '../../../shared/engine/transcript/entry.ts'
import { openItems } from '../../../shared/engine/transcript/open-items.ts'
import { recordingTool, startScenario } from '../../../support/agent-scenario.ts'
import { callTools, say } from '../../../support/model-server.ts'
import { isTestAll } from '../../../support/test-all.ts'

const recipient = {
  type: 'object',
  properties: { to: { type: 'string', format: 'email', source: 'conversation' }, body: { type: 'string' } },
  required: ['to', 'body'],
} as const

/** Tools that ask in every way there is, and the accounts that some of them need. */
function asking() {
  const connected = new Set<string>()
  const once = new Set<unknown>()
  /** Fails the first time that it gets these arguments. */
  const first = (error: Error) => (args: object) => {
    const key = JSON.stringify([error.message, args])
    if (once.has(key)) return 'done'
    once.add(key)
    throw error
  }
  const tool = (name: string, effect: 'read' | 'write', more: object = {}) =>
    recordingTool({ name, effect, parameters: recipient, ...more })
  const account = (name: string, effect: 'read' | 'write', provider: string): Tool => {
    const missing = () =>
      connected.has(provider) ? undefined : toolError('not_configured', `Question: Please connect ${name}.`)
    const execute = () => {
      const error = missing()
      if (error) throw new ToolCallError(error)
      return 'done'
    }
    return { ...tool(name, effect, { providers: [provider], execute }), requirement: missing }
  }
  const busy = new ToolCallError(toolError('rate_limit_exceeded', 'Too many.', { retryAfterMs: 60_000 }))
  const tools = [
    tool('approved', 'write', { approval: 'always' }),
    tool('told', 'write'),
    tool('lost', 'write', { execute: first(new Error('lost')) }),
    tool('busy', 'write', { execute: first(busy) }),
    tool('busy_read', 'read', { execute: first(busy) }),
    account('gmail', 'write', 'gmail'),
    account('gmail_read', 'read', 'gmail'),
    account('smtp', 'write', 'smtp'),
    account('docs', 'write', 'docs'),
    account('search', 'read', 'search'),
  ]
  return { connected, tools }
}

const namesOf = (effect: 'read' | 'write') =>
  asking().tools.flatMap(({ specification }) => (specification.effect === effect ? specification.name : []))

/** Ada was named by the user, Eve by nobody: a write to her lacks its recipient. */
const call = fc.record({
  name: fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom(...namesOf('write')) },
    // Most other calls of its answer are called off with it.
    { weight: 1, arbitrary: fc.constantFrom(...namesOf('read')) },
  ),
  to: fc.constantFrom('ada@example.com', 'eve@example.com'),
  body: fc.constantFrom('One', 'Two'),
})
const decision = fc.record({
  which: fc.nat({ max: 7 }),
  way: fc.constantFrom('yes' as const, 'yes' as const, 'no' as const),
  days: fc.constantFrom(0, 0, 0, 8),
})

/** What a person does about an item. */
function given({ itemId, toolCallId, kind, open }: QuestionEntry, way: 'yes' | 'no') {
  const values = open.length > 0 ? { values: { to: 'bob@example.com' } } : {}
  switch (kind) {
    case 'approval':
      return {
        approval: {
          toolCallId,
          approvalId: itemId,
          decision: way === 'yes' ? ('approve' as const) : ('deny' as const),
        },
      }
    case 'input':
      return way === 'yes' ? { answer: { itemId, values: {}, ...values } } : { skip: { itemId } }
    case 'connection':
      return way === 'yes' ? { connection: { itemId } } : { skip: { itemId } }
    case 'wait':
      return {}
  }
}

test('whatever is open, deciding one of it leaves the others as they are: id, kind and words', async () => {
  let others = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(call, { minLength: 3, maxLength: 7 }),
      fc.array(decision, { minLength: 1, maxLength: 6 }),
      async (calls, decisions) => {
        const { connected, tools } = asking()
        await using scenario = await startScenario({
          stream: false,
          tools,
          script: ({ number }) =>
            number === 1 ? callTools(calls.map(({ name, ...args }) => [name, args])) : say('Fine.'),
        })
        const providerOf = ({ toolName }: QuestionEntry) =>
          tools.find(({ specification }) => specification.name === toolName)?.specification.providers?.[0]
        const transcript: Entry[] = []
        transcript.push(...(await scenario.run({ input: 'Write to ada@example.com.' })).transcript)
        for (const { which, way, days } of decisions) {
          const open = openItems(transcript)
          const item = open[which % Math.max(1, open.length)]
          if (!item) return
          scenario.clock.advance(days * 24 * 3_600_000)
          const provider = item.kind === 'connection' && way === 'yes' ? providerOf(item) : undefined
          if (provider !== undefined) connected.add(provider)
          const from = { transcript: JSON.parse(JSON.stringify(transcript)) as Entry[] }
          transcript.push(...(await scenario.resume({ ...from, ...given(item, way) })).transcript)
          const isDecided = (other: QuestionEntry) =>
            other.itemId === item.itemId ||
            // The clock decides about all waits, and an account about all that wait for it.
            (item.kind === 'wait' && other.kind === 'wait') ||
            (provider !== undefined && other.kind === 'connection' && providerOf(other) === provider)
          const stay = open.filter((other) => !isDecided(other))
          others += stay.length
          const now = openItems(transcript)
          expect(now.filter(({ itemId }) => stay.some((other) => other.itemId === itemId))).toEqual(stay)
        }
      },
    ),
    { numRuns: isTestAll ? 300 : 60 },
  )
  expect(others).toBeGreaterThan(100)
})
