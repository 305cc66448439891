import type { FileUIPart } from 'ai'
import { type ClipboardEvent, type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react'
import { Icon } from '../../icons.tsx'
import { useAgents } from '../../queries.ts'
import { places } from '../../shell/shortcuts.ts'
import { useToast } from '../../shell/toasts.tsx'
import { useKept } from '../../use-kept.ts'
import { useFileDrop } from './use-file-drop.ts'

/** What is written and not sent. */
export interface Draft {
  text: string
  files: FileUIPart[]
}

const emptyDraft: Draft = { text: '', files: [] }

/** Where the user writes: Enter sends, Shift and Enter is a new line. */
export function Composer({
  place,
  isBusy,
  note,
  edited,
  agentId,
  onAgent,
  onCancelEdit,
  onSend,
  onStop,
  children,
}: {
  /** Where what is not sent is kept. */
  place: string
  isBusy: boolean
  /** What stands above it. */
  note?: ReactNode
  /** The earlier message that is being changed. */
  edited: Draft | undefined
  agentId: string | undefined
  /** Only where the agent can still be chosen. */
  onAgent: ((id: string) => void) | undefined
  onCancelEdit(): void
  onSend(draft: Draft): Promise<unknown>
  onStop(): void
  /** What else is chosen here. */
  children?: ReactNode
}) {
  const toast = useToast()
  const { data: agents = [] } = useAgents()
  const [draft, setDraft] = useKept(edited ? undefined : place, edited ?? emptyDraft)
  const { text, files } = draft
  const input = useRef<HTMLTextAreaElement>(null)
  const chooser = useRef<HTMLInputElement>(null)
  const isEmpty = text.trim() === '' && files.length === 0

  useEffect(() => {
    if (edited !== undefined) input.current?.focus()
  }, [edited])

  const send = () => {
    if (isEmpty || isBusy) return
    setDraft(emptyDraft)
    onSend({ text: text.trim(), files }).catch((error) => toast(error.message, 'failed'))
    input.current?.focus()
  }
  const attach = async (list: FileList | null) => {
    // The input is emptied meanwhile.
    const chosen = [...(list ?? [])]
    try {
      const { readFiles } = await import('./attached-files.ts')
      const { parts, refused } = await readFiles(chosen, files)
      setDraft((before) => ({ ...before, files: [...before.files, ...parts] }))
      for (const why of refused) toast(why, 'failed')
    } catch (error) {
      toast((error as Error).message, 'failed')
    }
  }
  const isDropping = useFileDrop((list) => void attach(list))
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && edited !== undefined) {
      // It stops no answer besides.
      event.preventDefault()
      onCancelEdit()
    }
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    send()
  }
  const onPaste = (event: ClipboardEvent) => {
    if (event.clipboardData.files.length === 0) return
    event.preventDefault()
    void attach(event.clipboardData.files)
  }

  return (
    <form
      className="composer"
      data-dropping={isDropping}
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      {note}
      {edited !== undefined && (
        <p className="composer-note">
          You are changing an earlier message; what came after it is replaced.
          <button type="button" className="link" onClick={onCancelEdit}>
            Cancel
          </button>
        </p>
      )}
      {files.length > 0 && (
        <ul className="attached" aria-label="Attached files">
          {files.map((file, index) => (
            <li key={`${file.filename} ${index}`}>
              {/^image\/(?:png|jpeg|gif|webp)$/.test(file.mediaType) && <img src={file.url} alt="" />}
              <span>{file.filename}</span>
              <button
                type="button"
                className="plain"
                onClick={() => setDraft({ text, files: files.filter((one) => one !== file) })}
              >
                <Icon name="close" />
                <span className="hidden">Remove {file.filename}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      <textarea
        ref={input}
        id={places.message}
        aria-label="Message"
        placeholder={isDropping ? 'Drop files to attach them' : 'Write a message'}
        rows={1}
        value={text}
        onChange={(event) => setDraft({ text: event.target.value, files })}
        onKeyDown={onKeyDown}
        onPaste={onPaste}
      />
      <div className="composer-row">
        <button type="button" className="plain" onClick={() => chooser.current?.click()}>
          <Icon name="attach" />
          <span className="hidden">Attach files</span>
        </button>
        <input
          ref={chooser}
          type="file"
          multiple
          hidden
          onChange={(event) => {
            void attach(event.target.files)
            event.target.value = ''
          }}
        />
        {onAgent && agents.length > 1 && (
          <select
            aria-label="Agent"
            className="composer-choice"
            value={agentId ?? agents[0]?.id}
            onChange={(event) => onAgent(event.target.value)}
          >
            {agents.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        )}
        {children}
        <span className="spacer" />
        {isBusy ? (
          <button type="button" className="round" onClick={onStop}>
            <Icon name="stop" />
            <span className="hidden">Stop</span>
          </button>
        ) : (
          <button type="submit" className="round primary" aria-disabled={isEmpty}>
            <Icon name="send" />
            <span className="hidden">Send</span>
          </button>
        )}
      </div>
    </form>
  )
}
