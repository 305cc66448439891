import { beforeEach } from 'vitest'
import { type ChatStack, startChatStack } from './chat-stack.ts'
import { eagerModel, OpenAiPerson } from './openai-person.ts'
import { useStarted } from './use-started.ts'

/**
 * A stack for the tests of a file, and before each test an empty inbox, a model that sends mails, and somebody with an
 * OpenAI client, who is handed to `onArrive`.
 */
export function useOpenAiPerson(onArrive: (person: OpenAiPerson) => void): {
  chat: ChatStack
  /** To whom mails came, in their order. */
  mails: () => Promise<(string | undefined)[]>
} {
  const chat = useStarted(() => startChatStack())
  beforeEach(async () => {
    await chat.stack.inbox.clear()
    onArrive(await OpenAiPerson.arrive(chat))
    chat.model.use(eagerModel)
  })
  return { chat, mails: async () => (await chat.stack.inbox.messages()).map(({ to }) => to[0]) }
}
