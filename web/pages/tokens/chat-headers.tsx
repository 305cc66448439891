import { CopyLine } from './copy-line.tsx'

const openWebUi = `{
  "x-askback-conversation": "{{CHAT_ID}}",
  "x-askback-message": "{{USER_MESSAGE_ID}}",
  "x-askback-task": "{{TASK}}"
}`

const libreChat = `headers:
  x-askback-conversation: "{{LIBRECHAT_BODY_CONVERSATIONID}}"
  x-askback-message: "{{LIBRECHAT_BODY_PARENTMESSAGEID}}"`

const sdk = (baseUrl: string) => `client = OpenAI(
    base_url="${baseUrl}",
    api_key="askb_…",
    default_headers={"x-askback-conversation": "an id for this chat"},
)`

/** The lines with which a client tells which chat a request belongs to. */
export function ChatHeaders({ baseUrl }: { baseUrl: string }) {
  return (
    <section className="panel" aria-label="Keep chats together">
      <div>
        <h2>Keep chats together</h2>
        <p className="quiet">
          With these headers, each chat in your client is one conversation here: your agent knows what’s still
          open and tells you how it ended. Without them, every message is its own conversation, and you’re
          asked more often before something is repeated.
        </p>
      </div>
      <CopyLine label="Open WebUI: Headers of the connection" text={openWebUi} />
      <CopyLine label="LibreChat: your endpoint in librechat.yaml" text={libreChat} />
      <CopyLine label="OpenAI SDK: one client for each chat" text={sdk(baseUrl)} />
    </section>
  )
}
