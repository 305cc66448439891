import { describe, expect, test } from 'vitest'
import { ToolCallError, toolError } from '../../../shared/engine/core/tool-error.ts'
import type { Tool } from '../../../shared/engine/core/tool-specification.ts'
import type { ResumeAgentOptions } from '../../../shared/engine/loop/run/run-options.ts'
import { recordingTool, startScenario } from '../../../support/agent-scenario.ts'
import { callTools, type ModelScript, say } from '../../../support/model-server.ts'
import { mail, stored } from './decide.ts'

const { subject, body } = mail
const missing = (provider: string) =>
  toolError('not_configured', `Question: Your ${provider} account needs to be set up.`, {
    details: {
      action: { label: `Connect ${provider}`, href: `/settings/integrations?provider=${provider}` },
    },
  })

/** The user's connected providers, and tools that need one of theirs. */
function accounts() {
  const connected = new Set<string>()
  const done: string[] = []
  const tool = (name: string, providers: string[], effect: 'read' | 'write', more: object = {}) => ({
    ...recordingTool({
      name,
      effect,
      providers,
      parameters: { type: 'object', properties: { to: { type: 'string' }, subject: {}, body: {} } },
      execute: () => {
        if (!providers.some((provider) => connected.has(provider)))
          throw new ToolCallError(missing(providers[0] ?? ''))
        return { number: done.push(name) }
      },
      ...(effect === 'write' ? { approval: 'always' as const } : {}),
      ...more,
    }),
    requirement: () =>
      providers.some((provider) => connected.has(provider)) ? undefined : missing(providers[0] ?? ''),
  })
  return { connected, done, tool }
}

type Given = Pick<ResumeAgentOptions, 'approval' | 'connection' | 'skip'>

/** Three calls of one answer, each of which lacks an account. */
function askForThree() {
  const user = accounts()
  const tools = [
    user.tool('gmail_send', ['gmail'], 'write'),
    user.tool('smtp_send', ['smtp'], 'write'),
    user.tool('web_search', ['serper', 'brave'], 'read'),
  ]
  return startChat(user, tools, [
    ['gmail_send', { to: 'ada@example.com', subject, body }],
    ['web_search', { to: 'tea' }],
    ['smtp_send', { to: 'bob@example.com', subject, body }],
  ])
}

/** A chat whose first answer makes these calls. */
async function startChat(
  { connected, done }: ReturnType<typeof accounts>,
  tools: readonly Tool[],
  calls: (readonly [string, object])[],
) {
  const script: ModelScript = ({ number }) => (number === 1 ? callTools(calls) : say('Done.'))
  const scenario = await startScenario({ stream: false, tools, script })
  const responses = [await scenario.run()]
  const items = () => new Map(responses.at(-1)?.pending?.map((item) => [item.toolCallId, item]))
  const find = (name: string) => [...items().values()].find(({ toolName }) => toolName === name)
  return {
    connected,
    done,
    items,
    find,
    kinds: () => [...items().values()].map(({ toolName, type }) => `${toolName} ${type}`),
    status: () => responses.at(-1)?.status,
    async resume(given: Given) {
      responses.push(await scenario.resume({ transcript: stored(...responses), ...given }))
    },
    connect: (name: string) => ({ connection: { itemId: find(name)?.itemId ?? '' } }),
    [Symbol.asyncDispose]: () => scenario[Symbol.asyncDispose](),
  }
}

const providerOf = { gmail_send: 'gmail', smtp_send: 'smtp', web_search: 'brave' }
const [a, b, c] = ['gmail_send', 'smtp_send', 'web_search'] as const
const orders = [
  [a, b, c],
  [a, c, b],
  [b, a, c],
  [b, c, a],
  [c, a, b],
  [c, b, a],
]
const ways = ['connect', 'skip', 'connect and deny', 'connect and approve'] as const

test('all missing accounts of an answer are shown at once, of reads and writes', async () => {
  await using chat = await askForThree()
  expect(chat.kinds()).toEqual(['gmail_send connection', 'web_search connection', 'smtp_send connection'])
  expect(chat.status()).toBe('needs_connection')
})

describe('deciding about one missing account leaves the others as they are', () => {
  for (const order of orders)
    for (const way of ways)
      test(`${way}: ${order.join(', ')}`, async () => {
        await using chat = await askForThree()
        for (const name of order) {
          const item = chat.find(name)
          expect(item?.type).toBe('connection')
          const others = chat.items()
          others.delete(item?.toolCallId ?? '')
          const expectOthers = () => {
            const open = chat.items()
            open.delete(item?.toolCallId ?? '')
            expect(open).toEqual(others)
          }
          if (way === 'skip') await chat.resume({ skip: { itemId: item?.itemId ?? '' } })
          else {
            chat.connected.add(providerOf[name])
            await chat.resume(chat.connect(name))
            expectOthers()
          }
          const asked = chat.find(name)
          expect(asked?.type).toBe(way === 'skip' || name === 'web_search' ? undefined : 'approval')
          if (asked && way !== 'connect') {
            const decision = way === 'connect and deny' ? 'deny' : 'approve'
            const { toolCallId, approvalId = '' } = asked
            await chat.resume({ approval: { toolCallId, approvalId, decision } })
            expect(chat.find(name)).toBeUndefined()
          }
          expectOthers()
        }
        const done = { skip: [], 'connect and approve': order }[way as string] ?? ['web_search']
        expect(chat.done).toEqual(done)
        expect(chat.status()).toBe(way === 'connect' ? 'needs_approval' : 'completed')
      })
})

test('a connection card stays one until a provider of its tool is connected, whoever says otherwise', async () => {
  await using chat = await askForThree()
  const before = chat.items()
  await chat.resume({ connection: true })
  expect(chat.items()).toEqual(before)
  await chat.resume(chat.connect('web_search'))
  expect(chat.items()).toEqual(before)
  chat.connected.add('smtp')
  await chat.resume({ connection: { ...chat.connect('gmail_send').connection, asksFirst: true } })
  expect(chat.items()).toEqual(before)
  await chat.resume({ connection: true })
  expect(chat.kinds()).toEqual(['gmail_send connection', 'web_search connection', 'smtp_send approval'])
  expect(chat.done).toEqual([])
})

test('an account that two writes wait for lets both go on: the one it came from, and the other asks first', async () => {
  const user = accounts()
  const never = { approval: 'never' as const }
  const tools = [
    user.tool('gmail_send', ['gmail'], 'write', never),
    user.tool('gmail_draft', ['gmail'], 'write', never),
    user.tool('docs_create', ['google-docs'], 'write', never),
  ]
  await using chat = await startChat(
    user,
    tools,
    tools.map(({ specification }) => [specification.name, { to: 'ada@example.com', subject, body }]),
  )
  expect(chat.kinds()).toHaveLength(3)
  const docs = chat.find('docs_create')
  chat.connected.add('gmail')
  await chat.resume(chat.connect('gmail_send'))
  expect(chat.done).toEqual(['gmail_send'])
  expect(chat.kinds()).toEqual(['gmail_draft approval', 'docs_create connection'])
  expect(chat.find('docs_create')).toEqual(docs)
})

test('a provider that serves two tools lets both go on, also where each has another one', async () => {
  const user = accounts()
  const tools = [
    user.tool('web_search', ['serper', 'brave'], 'read'),
    user.tool('image_search', ['brave', 'serpapi'], 'read'),
    user.tool('mail_search', ['gmail'], 'read'),
  ]
  await using chat = await startChat(
    user,
    tools,
    tools.map(({ specification }) => [specification.name, { to: 'tea' }]),
  )
  const mails = chat.find('mail_search')
  user.connected.add('brave')
  await chat.resume(chat.connect('web_search'))
  expect(chat.done.toSorted()).toEqual(['image_search', 'web_search'])
  expect([...chat.items().values()]).toEqual([mails])
})

test('an account that does not work is not repaired by another one', async () => {
  const broken = (name: string, provider: string) =>
    recordingTool({
      name,
      effect: 'read',
      providers: [provider],
      parameters: { type: 'object', properties: {} },
      execute: () => {
        throw new ToolCallError(toolError('authentication_error', `Question: Sign in to ${provider} again.`))
      },
    })
  const [mail, docs] = [broken('mail_search', 'gmail'), broken('docs_search', 'google-docs')]
  await using chat = await startChat(
    accounts(),
    [mail, docs],
    [
      ['mail_search', {}],
      ['docs_search', {}],
    ],
  )
  const other = chat.find('docs_search')
  await chat.resume(chat.connect('mail_search'))
  expect(chat.find('docs_search')).toEqual(other)
  expect([mail.runs.length, docs.runs.length]).toEqual([2, 1])
})

test('a write whose account was connected is not called off with a read that waited for the same one', async () => {
  const user = accounts()
  const read = {
    execute: () => {
      const isConnected = user.connected.has('gmail')
      throw isConnected
        ? toolError('not_found', 'There is no such email.')
        : new ToolCallError(missing('gmail'))
    },
  }
  await using chat = await startChat(
    user,
    [user.tool('gmail_read', ['gmail'], 'read', read), user.tool('gmail_send', ['gmail'], 'write')],
    [
      ['gmail_read', { to: 'x' }],
      ['gmail_send', { to: 'ada@example.com', subject, body }],
    ],
  )
  expect(chat.kinds()).toEqual(['gmail_read connection', 'gmail_send connection'])
  user.connected.add('gmail')
  await chat.resume(chat.connect('gmail_send'))
  expect(chat.kinds()).toEqual(['gmail_send approval'])
})

test('a write is called off with a read that failed, also if its account is missing: it may depend on what the read finds', async () => {
  const user = accounts()
  const gone = { execute: () => Promise.reject(toolError('not_found', 'There is no such document.')) }
  user.connected.add('google-docs')
  await using chat = await startChat(
    user,
    [user.tool('docs_read', ['google-docs'], 'read', gone), user.tool('smtp_send', ['smtp'], 'write')],
    [
      ['docs_read', { to: 'x' }],
      ['smtp_send', { to: 'ada@example.com', subject, body }],
    ],
  )
  expect([chat.kinds(), chat.status()]).toEqual([[], 'completed'])
})
