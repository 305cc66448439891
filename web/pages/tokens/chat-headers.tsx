import { CopyLine } from './copy-line.tsx'
import { tokensWords } from './words.ts'

const openWebUi = `{
  "x-askback-conversation": "{{CHAT_ID}}",
  "x-askback-message": "{{USER_MESSAGE_ID}}",
  "x-askback-task": "{{TASK}}"
}`

const libreChat = `headers:
  x-askback-conversation: "{{LIBRECHAT_BODY_CONVERSATIONID}}"
  x-askback-message: "{{LIBRECHAT_BODY_PARENTMESSAGEID}}"`

const sdk = (baseUrl: string, chatId: string) => `client = OpenAI(
    base_url="${baseUrl}",
    api_key="askb_…",
    default_headers={"x-askback-conversation": "${chatId}"},
)`

/** Headers with which a client says which chat a request belongs to. */
export function ChatHeaders({ baseUrl }: { baseUrl: string }) {
  const words = tokensWords()
  return (
    <section className="panel" aria-label={words.together}>
      <div>
        <h2>{words.together}</h2>
        <p className="quiet">{words.togetherNote}</p>
      </div>
      <CopyLine label={words.openWebUi} text={openWebUi} />
      <CopyLine label={words.libreChat} text={libreChat} />
      <CopyLine label={words.sdk} text={sdk(baseUrl, words.chatId)} />
    </section>
  )
}
