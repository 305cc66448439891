import fc from 'fast-check'
import { beforeAll, it } from 'vitest'
import { formerFaults, requests } from '../../support/arbitrary-requests.ts'
import {
  AttackedConversation,
  expectAnswer,
  expectUsable,
  type Person,
} from '../../support/attacked-conversation.ts'
import { startChatStack } from '../../support/chat-stack.ts'
import { connectSmtp, signUp, withDatabase } from '../../support/chat-user.ts'
import { answerByWords } from '../../support/conversation-app.ts'
import { isTestAll } from '../../support/test-all.ts'
import { useStarted } from '../../support/use-started.ts'

const chat = useStarted(() => startChatStack())

beforeAll(async () => {
  answerByWords(chat.model)
})

async function createPerson(): Promise<Person> {
  const { id: user, token } = await signUp(chat.stack)
  await connectSmtp(chat.stack, user)
  return {
    user,
    async ask(method, path, body, headers = {}) {
      const response = await fetch(`${chat.stack.url}/functions/v1/chat${path}`, {
        method,
        headers: {
          'content-type': 'application/json',
          accept: 'application/json',
          authorization: `Bearer ${token}`,
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const text = await response.text()
      const isJson = response.headers.get('content-type')?.startsWith('application/json')
      return { status: response.status, text, json: isJson ? JSON.parse(text) : undefined }
    },
  }
}

it('whatever is posted to the running service, the conversation stays usable', {
  timeout: isTestAll ? 1_800_000 : 180_000,
}, async () => {
  await withDatabase(chat.stack, (sql) =>
    fc.assert(
      fc.asyncProperty(requests, async (planned) => {
        const person = await createPerson()
        const attacked = await AttackedConversation.create(person, await createPerson(), sql)
        for (const request of planned) expectAnswer(await attacked.send(request))
        const { status } = await person.ask('GET', `/conversations/${attacked.id}`)
        const isDeleted = planned.some(({ kind }) => kind === 'delete') && status === 404
        if (!isDeleted) await expectUsable(person, attacked.id)
      }),
      {
        examples: formerFaults.map((planned) => [planned]),
        numRuns: formerFaults.length + (isTestAll ? 100 : 5),
      },
    ),
  )
})
