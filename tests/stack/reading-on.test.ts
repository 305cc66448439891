import { beforeAll, expect, it } from 'vitest'
import { startChatStack } from '../../support/chat-stack.ts'
import { type ChatUser, signUp } from '../../support/chat-user.ts'
import { callTool, type ModelServerRequest, say } from '../../support/model-server.ts'
import { useStarted } from '../../support/use-started.ts'

const chat = useStarted(() => startChatStack())
let user: ChatUser

beforeAll(async () => {
  user = await signUp(chat.stack)
})

const content = Array.from({ length: 12_000 }, (_, line) => `${line} ships 🚢 "lie" here.`).join('\n')

async function make(): Promise<string> {
  chat.model.use([callTool('docs_create_document', { title: 'Ships', content }), say('Made.')])
  const { answer } = await user.post({ message: 'Make a document of these ships.' })
  expect(answer.toolsUsed).toMatchObject([{ ok: true }])
  const [made] = answer.toolsUsed
  return (made?.output as { document_id: string } | undefined)?.document_id ?? ''
}

const toolTexts = ({ body }: ModelServerRequest) =>
  body.messages.filter(({ role }) => role === 'tool').map((message) => String(message.content))

it('a document of three parts is read to its end by the notes, through the chat function', async () => {
  const document_id = await make()
  let read = ''
  chat.model.use((request) => {
    const texts = toolTexts(request)
    const [json, note = ''] = (texts.at(-1) ?? '').split('\n')
    const isRead = request.body.messages.at(-1)?.role === 'tool'
    if (isRead) read += JSON.parse(json ?? '{}').content
    const next = /; call again with from: (\d+) for more\.$/.exec(note)?.[1]
    if (isRead && next === undefined) return say('Read.')
    return callTool('docs_read_document', { document_id, ...(isRead ? { from: Number(next) } : {}) })
  })
  const { answer } = await user.post({ message: 'Read all of the document about ships.' })
  expect(answer).toMatchObject({ status: 'completed', text: 'Read.' })
  expect(answer.toolsUsed.length).toBeGreaterThan(2)
  expect(read === content, `${read.length} of ${content.length}`).toBe(true)
})

it('a model that polls for ever says where it stands, and the message is completed', async () => {
  const document_id = await make()
  chat.model.use(({ body }) =>
    body.tool_choice === 'none'
      ? say('Nothing has changed yet. Ask me again later.')
      : callTool('docs_read_document', { document_id, from: 200_000 }),
  )
  const { answer } = await user.post({ message: 'Tell me when the document about ships has changed.' })
  expect(answer).toMatchObject({ status: 'completed', text: 'Nothing has changed yet. Ask me again later.' })
  expect(answer.toolsUsed).toHaveLength(5)
  const texts = toolTexts(chat.model.requests.at(-1) as ModelServerRequest).slice(-5)
  expect(texts[0]).toContain('ships')
  expect(new Set(texts.slice(1))).toEqual(
    new Set(['The same as before: it stands above. If it may change, tell the user, who can ask again.']),
  )
})
