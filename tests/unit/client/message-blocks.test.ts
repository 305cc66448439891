import { describe, expect, test } from 'vitest'
import type { ChatPart } from '../../../client/api/message.ts'
import { listChanges } from '../../../client/react/calls/call-view.ts'
import { listBlocks } from '../../../client/react/messages/message-blocks.ts'
import { foldRuns } from '../../../client/react/messages/tool-runs.ts'

const failed = (id: string, tool = 'send', errorType = 'missing_parameter'): ChatPart[] => [
  {
    type: `tool-${tool}`,
    toolCallId: id,
    state: 'output-error',
    input: { subject: 'Hi' },
    errorText: 'Question: Who?',
  },
  { type: 'data-tool-error', id, data: { toolCallId: id, attempt: 1, errorType } },
]
const done = (id: string, tool = 'send'): ChatPart => ({
  type: `tool-${tool}`,
  toolCallId: id,
  state: 'output-available',
  input: { subject: 'Hi', to: ['ada@example.com'] },
  output: {},
})
/** Which attempt of what a call is. */
const facts = (id: string, intent: number): ChatPart => ({
  type: 'data-call',
  id,
  data: { toolCallId: id, intent, startedAt: '2026-11-22T06:12:00.000Z' },
})
const attempts = (parts: ChatPart[]) =>
  listBlocks({ parts }).map((block) =>
    block.kind === 'calls' ? block.attempts.map(({ state }) => state) : block.kind,
  )

describe('listBlocks', () => {
  test('puts a failed attempt beside its correction, whatever the tool was called', () => {
    const parts = [...failed('1', 'sendd', 'tool_not_found'), facts('1', 1), { type: 'step-start' } as const]
    expect(attempts([...parts, done('2'), facts('2', 1)])).toEqual([['failed', 'done']])
  })
  test('keeps two things apart that are done with one tool side by side', () => {
    const parts = [
      ...failed('ada'),
      facts('ada', 1),
      done('bob'),
      facts('bob', 2),
      { type: 'step-start' } as const,
    ]
    expect(attempts([...parts, done('ada-2'), facts('ada-2', 1)])).toEqual([['failed', 'done'], ['done']])
  })
  test('does not add to a call that worked', () => {
    expect(attempts([done('1'), facts('1', 1), done('2'), facts('2', 1)])).toEqual([['done'], ['done']])
  })
  test('knows what a call did, in one line', () => {
    const said: ChatPart = {
      type: 'data-call',
      id: '1',
      data: { toolCallId: '1', intent: 1, startedAt: '2026-11-22T06:12:00.000Z', summary: 'Sent "Hi"' },
    }
    const [block] = listBlocks({ parts: [done('1'), said] })
    expect(block?.kind === 'calls' && block.attempts[0]?.summary).toBe('Sent "Hi"')
  })
  test('knows who is waited for', () => {
    const question = (facts = {}): ChatPart => ({
      type: 'data-question',
      id: '1',
      data: { toolCallId: '1', type: 'needs_input', ...facts },
    })
    expect(attempts([...failed('1'), question()])).toEqual([['asks']])
    expect(attempts([...failed('1'), question({ answered: true })])).toEqual([['failed']])
    const replaced = question({ answered: true, closed: 'replaced' })
    expect(attempts([...failed('1'), replaced])).toEqual([['over']])
    const wait: ChatPart = {
      type: 'data-wait',
      id: '1',
      data: { toolCallId: '1', resumeAt: '2026-01-01T00:00:00Z' },
    }
    expect(attempts([...failed('1'), wait])).toEqual([['waiting']])
    const within: ChatPart = { ...wait, data: { toolCallId: '1', waitMs: 1000 } }
    expect(attempts([...failed('1'), within])).toEqual([['failed']])
  })
  test('tells what was called off, or never decided, from what went wrong', () => {
    expect(attempts(failed('1', 'send', 'cancelled'))).toEqual([['over']])
    const [call, error] = failed('1')
    const asked = { ...call, approval: { id: 'x' }, errorText: 'Asked again below.' } as ChatPart
    expect(attempts([asked])).toEqual([['over']])
    const approved = { ...asked, approval: { id: 'x', approved: true } } as ChatPart
    expect(attempts([approved, error as ChatPart])).toEqual([['failed']])
  })
})

describe('what stands behind calls', () => {
  const source = (sourceId: string, url: string): ChatPart => ({
    type: 'source-url',
    sourceId,
    url,
    title: sourceId,
  })

  test('sources stand together under the answer, and only addresses of the web are links', () => {
    const parts: ChatPart[] = [
      { type: 'text', text: 'Here.' },
      source('a', 'https://example.com/'),
      source('b', 'javascript:alert(1)'),
      { type: 'source-document', sourceId: 'c', mediaType: 'text/markdown', title: 'Plan' },
    ]
    expect(listBlocks({ parts }).at(-1)).toEqual({
      kind: 'sources',
      key: 'sources',
      sources: [
        { id: 'a', title: 'a', url: 'https://example.com/' },
        { id: 'b', title: 'b', url: undefined },
        { id: 'c', title: 'Plan', url: undefined },
      ],
    })
  })

  test('a call knows how long it took', () => {
    const [block] = listBlocks({ parts: [done('1')], metadata: { toolTimes: { '1': 120 } } })
    expect(block?.kind === 'calls' && block.attempts[0]?.tookMs).toBe(120)
  })

  test('the question of an approval is no text any more when it was decided on', () => {
    const decided = { ...done('1'), approval: { id: 'x', approved: true } } as ChatPart
    const parts: ChatPart[] = [
      { type: 'step-start' },
      decided,
      { type: 'text', text: 'Send it?' },
      { type: 'step-start' },
      { type: 'text', text: 'Sent.' },
    ]
    expect(listBlocks({ parts })).toMatchObject([{ kind: 'calls' }, { kind: 'text', text: 'Sent.' }])
  })

  test('a question of ours is told from the words of the model, wherever it stands', () => {
    const parts: ChatPart[] = [
      ...failed('1'),
      { type: 'step-start' },
      { type: 'text', text: 'Who?' },
      { type: 'text', text: 'I was stopped.' },
    ]
    const texts = [
      { code: 'value_missing', text: 'Who?', toolCallId: '1' },
      { code: 'stopped', text: 'I was stopped.' },
    ]
    expect(listBlocks({ parts, metadata: { texts } })).toMatchObject([
      { kind: 'calls' },
      { text: 'I was stopped.' },
    ])
  })
})

test('calls of one tool that follow each other are one block, but not those that somebody decided on', () => {
  const parts = ['1', '2', '3', '4'].map((id) => done(id))
  expect(foldRuns(listBlocks({ parts }), new Set())).toMatchObject([
    { kind: 'run', runs: [[{}], [{}], [{}], [{}]] },
  ])
  expect(foldRuns(listBlocks({ parts }), new Set(['2'])).map(({ kind }) => kind)).toEqual([
    'calls',
    'calls',
    'calls',
    'calls',
  ])
  const said: ChatPart = { type: 'text', text: 'And now:' }
  const [one, two, ...others] = parts as [ChatPart, ChatPart, ...ChatPart[]]
  expect(
    foldRuns(listBlocks({ parts: [one, two, said, ...others] }), new Set()).map(({ kind }) => kind),
  ).toEqual(['calls', 'calls', 'text', 'calls', 'calls'])
})

test('listChanges names the values that differ', () => {
  expect(listChanges({ subject: 'Hi' }, { subject: 'Hi', to: ['ada@example.com'] })).toEqual([
    { name: 'to', before: undefined, after: ['ada@example.com'] },
  ])
})
