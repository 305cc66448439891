import { writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { examples, keyOf, recordedPath } from '../../scripts/api/examples.ts'
import { checkAnswer } from '../../support/api-answers.ts'
import { examplesSettings, openExamples, type PlayedExamples } from '../../support/api-examples.ts'
import { type ChatStack, startChatStack } from '../../support/chat-stack.ts'

// The examples of docs/api.md, in the order in which they can be run.

let chat: ChatStack
let played: PlayedExamples

beforeAll(async () => {
  chat = await startChatStack(examplesSettings)
  played = await openExamples(chat)
})
afterAll(async () => {
  if (process.env.ASKBACK_RECORD === 'true') await record()
  await Promise.all([chat?.stop(), played?.stop()])
})

test.each(examples.map((example) => [keyOf(example[0]), example] as const))(
  '%s answers as it says',
  async (_, example) => {
    const [route] = example
    const { path, status, json } = await played.play(example)
    expect([status, json]).toEqual([route.status ?? 200, expect.anything()])
    checkAnswer({ method: route.method, path }, { status, json })
  },
)

test.each(examples.map(([route, request]) => [keyOf(route), route, request] as const))(
  '%s is sent what it reads',
  (_, route, request) => {
    const { params, query, body } = request(played.seen)
    if (params) expect(route.params?.safeParse(params).success).toBe(true)
    if (query) expect(route.query?.safeParse(query).success).toBe(true)
    if (body) expect(route.body?.safeParse(body).success).toBe(true)
  },
)

/** Keeps the answers for the docs: of lists and schemas the first two, and no address of this machine. */
async function record(): Promise<void> {
  const { host, port, password } = chat.stack.smtp
  const smtp = { host: 'smtp.example.com', port: 587, user: 'ada@example.com', password: '…' }
  const shown = JSON.stringify({ ...played.seen, smtp, email: 'ada@example.com' }, (key, value) => {
    if (Array.isArray(value)) return value.slice(0, 2)
    if (key !== 'properties') return value
    return Object.fromEntries(Object.entries(value).slice(0, 2))
  })
    .replaceAll(String(played.seen.mcp), 'https://mcp.example.com/mcp')
    .replaceAll(chat.stack.url, 'http://127.0.0.1:54321')
    .replaceAll(`%3A${new URL(chat.stack.url).port}`, '%3A54321')
    .replaceAll(played.user.email, 'ada@example.com')
    .replaceAll(played.colleague.email, 'dora@example.com')
    .replaceAll(`"host":"${host}"`, '"host":"smtp.example.com"')
    .replaceAll(`"port":${port}`, '"port":587')
    .replaceAll(password, '…')
    .replace(/(askb|askl|asku)_[\w-]{43,64}/g, '$1_…')
  await writeFile(recordedPath, `${JSON.stringify(JSON.parse(shown), null, 2)}\n`)
}
