import { CopyLine } from './copy-line.tsx'
import { headerLines } from './header-lines.ts'
import { tokensWords } from './words.ts'

/** Headers with which a client says which chat a request belongs to. */
export function ChatHeaders({ baseUrl }: { baseUrl: string }) {
  const words = tokensWords()
  return (
    <section className="panel" aria-label={words.together}>
      <div>
        <h2>{words.together}</h2>
        <p className="quiet">{words.togetherNote}</p>
      </div>
      <CopyLine label={words.openWebUi} text={headerLines.openWebUi} />
      <CopyLine label={words.libreChat} text={headerLines.libreChat} />
      <CopyLine label={words.sdk} text={headerLines.sdk(baseUrl, words.chatId)} />
    </section>
  )
}
