import type { FileUIPart } from 'ai'
import { type ClipboardEvent, type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react'
import { useKept } from '../../../client/react/use-kept.ts'
import { Icon } from '../../icons.tsx'
import { useAgents } from '../../queries.ts'
import { places } from '../../shell/shortcuts.ts'
import { useToast } from '../../shell/toasts.tsx'
import { useFileDrop } from './use-file-drop.ts'

/** What is written and not sent. */
export interface Draft {
  text: string
  files: FileUIPart[]
}

/** `left`: names of files that were too large to be kept. */
interface Attached {
  files: readonly FileUIPart[]
  left: readonly string[]
}

const noFiles: FileUIPart[] = []
/** Characters of all files of a draft that are kept beyond the page: a browser keeps 5 million in all. */
const longestKept = 300_000

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
  const [text, setText] = useKept(place, edited?.text ?? '')
  const [{ files, left }, setAttached] = useKept<Attached>(
    `${place} files`,
    { files: edited?.files ?? noFiles, left: [] },
    leaveLarge,
  )
  const input = useRef<HTMLTextAreaElement>(null)
  const chooser = useRef<HTMLInputElement>(null)
  const isEmpty = text.trim() === '' && files.length === 0

  useEffect(() => {
    if (edited !== undefined) input.current?.focus()
  }, [edited])

  const forget = () => {
    setText(edited?.text ?? '')
    setAttached({ files: edited?.files ?? noFiles, left: [] })
  }
  const cancel = () => {
    forget()
    onCancelEdit()
  }
  const send = () => {
    if (isEmpty || isBusy) return
    forget()
    onSend({ text: text.trim(), files: [...files] }).catch((error) => toast(error.message, 'failed'))
    input.current?.focus()
  }
  const attach = async (list: FileList | null) => {
    // The input is emptied meanwhile.
    const chosen = [...(list ?? [])]
    try {
      const { readFiles } = await import('./attached-files.ts')
      const { parts, refused } = await readFiles(chosen, files)
      setAttached((before) => ({ files: [...before.files, ...parts], left: [] }))
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
      cancel()
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
          <button type="button" className="link" onClick={cancel}>
            Cancel
          </button>
        </p>
      )}
      {left.length > 0 && (
        <p className="composer-note">
          Large files aren’t kept. Attach again: {left.join(', ')}
          <button type="button" className="link" onClick={() => setAttached({ files, left: [] })}>
            Dismiss
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
                onClick={() => setAttached({ files: files.filter((one) => one !== file), left: [] })}
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
        onChange={(event) => setText(event.target.value)}
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

/** What of the files outlives the page; of the others the names, to be attached again. */
function leaveLarge({ files, left }: Attached): Attached {
  const size = files.reduce((sum, { url }) => sum + url.length, 0)
  if (size <= longestKept) return { files, left }
  return { files: [], left: files.map(({ filename = 'a file' }) => filename) }
}
