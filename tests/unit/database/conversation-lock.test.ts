import { randomUUID } from 'node:crypto'
import { test } from 'vitest'
import {
  callEntries,
  decisionEntry,
  numbered,
  question,
  sent,
  userMessage,
} from '../../../support/database-calls.ts'
import { DatabaseConversation } from '../../../support/database-conversation.ts'
import { useDatabase } from '../../../support/use-database.ts'

const { db } = useDatabase()

test('whoever works in a conversation at the same moment waits for the others, and never for each other', async () => {
  for (let round = 0; round < 25; round++) {
    const chat = new DatabaseConversation(db, await db.createUser())
    const asked = question({ intent: 1 })
    const wait = question({
      kind: 'wait',
      toolCallId: 'call-2',
      intent: 2,
      resumeAt: new Date().toISOString(),
    })
    const first = await chat.post({ messages: [userMessage('u1', 'Write to Ada.')] })
    await db.finish(first.runId, { status: 'waiting', entries: numbered([asked, wait]) })
    const turn = await chat.post({ messages: [userMessage('u2', 'And to Bob.')] })
    const called = (sequence: number, intent: number) => {
      const entries = callEntries(`${sequence}`).map((entry) => ({ ...entry, intent }))
      return numbered(
        [...entries, question({ toolCallId: `${sequence}`, intent }), decisionEntry(asked)],
        sequence,
      )
    }
    const to = (name: string) => ({ arguments: { to: [name] }, toolCallId: name, continues: asked.itemId })
    const { invocationId } = await db.claim(turn.runId, to('ada'))
    const answer = { type: 'approval', itemId: asked.itemId, decision: 'approve' }
    const settle = [
      'settle_invocation',
      chat.user,
      invocationId,
      'succeeded',
      sent,
      5,
      null,
      turn.runId,
    ] as const
    await Promise.all([
      db.claim(turn.runId, to('bob'), called(10, 3)),
      db.claim(turn.runId, to('eve'), called(20, 4)),
      db.call('heartbeat_run', turn.runId, 15, called(30, 5)),
      db.call('heartbeat_run', turn.runId, 15, called(40, 6)),
      db.call(...settle, called(50, 7)),
      db.call('begin_resume', chat.user, chat.id, { runId: randomUUID(), ...answer }),
      db.call('begin_resume', chat.user, chat.id, { runId: randomUUID(), type: 'resume' }),
      chat.post({ messages: [userMessage('u3', 'Stop.')] }),
      chat.post({ messageId: 'u2', messages: [userMessage('u2', 'Rather to Eve.')] }),
      db.finish(turn.runId, { entries: called(60, 8) }),
      db.call('stop_run', chat.user, chat.id),
      db.call('askback_private.due_runs', 10),
      chat.page(),
    ])
    await Promise.all([
      db.call('heartbeat_run', turn.runId, 15, called(70, 9)),
      db.finish(turn.runId),
      db.call('askback_private.due_runs', 10),
      db.call('delete_conversation', chat.user, chat.id),
      chat.post({ messages: [userMessage('u4', 'Hello.')] }),
    ])
  }
})
