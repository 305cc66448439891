import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { beforeAll, expect, it } from 'vitest'
import type { PendingItem } from '../../supabase/functions/chat/answer/open-item.ts'
import { startChatProcess } from '../../support/chat-process.ts'
import { startChatStack } from '../../support/chat-stack.ts'
import { type ChatUser, signUpWithMail } from '../../support/chat-user.ts'
import { decisionOn } from '../../support/decision.ts'
import { callTool, say } from '../../support/model-server.ts'
import { type Part, streamMessage } from '../../support/part-stream.ts'
import { startPausingProxy } from '../../support/pausing-proxy.ts'
import { isTestAll } from '../../support/test-all.ts'
import { useStarted } from '../../support/use-started.ts'

// A process that stands still around the storing of a card: no press is lost, nothing false is said, one mail is sent.

const chat = useStarted(() => startChatStack())
/** What happens as the model is asked, by conversation. */
const asked = new Map<string, () => void>()
beforeAll(async () => {
  chat.model.use(({ body }) => {
    if (body.messages.at(-1)?.role === 'tool') return say('It is sent.')
    const [, id = ''] = /about ([0-9a-f-]{36})/.exec(JSON.stringify(body.messages)) ?? []
    asked.get(id)?.()
    return callTool('smtp_send_email', { to: ['ada@example.com'], subject: id, body: 'Hello' })
  })
})

const isCard = ({ type }: Part) => type === 'tool-approval-request'

/** A person who watches an answer that a process of its own writes. */
async function watch(place: 'before it is stored' | 'after it is stored', signal: AbortSignal) {
  const user = await signUpWithMail(chat.stack, 'always')
  const proxy = await startPausingProxy(chat.stack.url)
  const { pid, port } = await startChatProcess(chat, signal, proxy.url)
  const id = randomUUID()
  const stop = () => process.kill(pid, 'SIGSTOP')
  const stands =
    place === 'before it is stored'
      ? new Promise<void>((resolve) => {
          asked.set(id, () => {
            stop()
            resolve()
          })
        })
      : (() => {
          const { answered, release } = proxy.pauseNext('/finish_run')
          return answered.then(stop).then(release)
        })()
  const text = `Write to ada@example.com about ${id}`
  const stream = await streamMessage(`http://127.0.0.1:${port}/chat`, user, { id, text })
  await stands
  return { user, id, stream, goOn: () => process.kill(pid, 'SIGCONT'), close: () => proxy.close() }
}

const open = async (user: ChatUser) => ((await user.get('/open')).body as { items: PendingItem[] }).items
const press = (user: ChatUser, id: string, { toolCallId, approvalId }: Part) =>
  user.post(decisionOn({ toolCallId, approvalId }, 'approve'), { path: `/${id}/approval` })
const mailsAbout = async (id: string) =>
  (await chat.stack.inbox.messages()).filter(({ subject }) => subject === id).length

const lengths = isTestAll ? [3, 8, 16, 42] : [16]
const delays = isTestAll ? [0, 1, 2] : [1]
const places = ['before it is stored', 'after it is stored'] as const
const cases = places.flatMap((place) =>
  lengths.flatMap((seconds) => delays.map((later) => [seconds, place, later] as const)),
)

it.concurrent.each(cases)(
  'a process that stands still for %i s with a card, %s, loses no press %i s later',
  { timeout: 180_000 },
  async (seconds, place, later) => {
    const end = new AbortController()
    const { user, id, stream, goOn, close } = await watch(place, end.signal)
    try {
      const wakes = pause(seconds * 1000).then(goOn)
      // Another page shows what is stored; otherwise the card comes with its stream.
      const card = place === 'after it is stored' ? (await open(user))[0] : await stream.find(isCard)
      await pause(later * 1000)
      const pressed = await press(user, id, card)
      expect(pressed).toMatchObject({ status: 200, answer: { status: 'completed', text: 'It is sent.' } })
      await wakes
      await stream.ended
      expect(stream.parts.filter(({ type }) => type === 'error')).toEqual([])
      expect(stream.parts.find(isCard)?.approvalId).toBe(card?.approvalId)
      expect(stream.parts.at(-1)).toMatchObject({ type: 'finish', finishReason: 'tool-calls' })
      expect(await open(user)).toEqual([])
      expect(await mailsAbout(id)).toBe(1)
    } finally {
      goOn()
      end.abort()
      await close()
    }
  },
)
