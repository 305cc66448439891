import type { FileUIPart } from 'ai'
import { type ClipboardEvent, type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react'
import { describeFailure } from '../labels/failure.ts'
import { showList } from '../locale.ts'
import { attachIcon, closeIcon, sendIcon, stopIcon } from './composer-icons.ts'
import { Drawing } from './drawing.tsx'
import { useFirstLabels } from './labels.tsx'
import { useFileDrop } from './use-file-drop.ts'
import { useKept } from './use-kept.ts'

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

/** Where the user writes: Enter sends, Shift and Enter is a new line. Files are chosen, pasted, or dropped on the page. */
export function Composer({
  place,
  inputId,
  isBusy,
  note,
  edited,
  onCancelEdit,
  onSend,
  onStop,
  onProblem,
  children,
}: {
  /** Where what is not sent is kept, below a `KeptProvider`: one for each conversation. */
  place?: string
  /** Id of the field. */
  inputId?: string
  isBusy: boolean
  /** What stands above it. */
  note?: ReactNode
  /** The earlier message that is being changed: another one needs another `key`. */
  edited?: Draft | undefined
  onCancelEdit?: () => void
  onSend(draft: Draft): Promise<unknown>
  onStop(): void
  /** A sentence on what could not be attached or sent. */
  onProblem(sentence: string): void
  /** What else is chosen here. */
  children?: ReactNode
}) {
  const labels = useFirstLabels()
  const start = { files: edited?.files ?? noFiles, left: [] }
  const [text, setText] = useKept(place, edited?.text ?? '')
  const [{ files, left }, setAttached] = useKept<Attached>(place && `${place} files`, start, (all) =>
    leaveLarge(all, labels.unnamedFile),
  )
  const input = useRef<HTMLTextAreaElement>(null)
  const chooser = useRef<HTMLInputElement>(null)
  const isEmpty = text.trim() === '' && files.length === 0

  useEffect(() => {
    if (edited !== undefined) input.current?.focus()
  }, [edited])

  const forget = () => {
    setText(edited?.text ?? '')
    setAttached(start)
  }
  const cancel = () => {
    forget()
    onCancelEdit?.()
  }
  const tell = (error: unknown) => onProblem(describeFailure(error, labels))
  const send = () => {
    if (isEmpty || isBusy) return
    forget()
    onSend({ text: text.trim(), files: [...files] }).catch(tell)
    input.current?.focus()
  }
  const attach = async (list: FileList | null) => {
    // The input is emptied meanwhile.
    const chosen = [...(list ?? [])]
    const { readFiles } = await import('../attached-files.ts')
    const { parts, refused } = await readFiles(chosen, files, labels)
    setAttached((before) => ({ files: [...before.files, ...parts], left: [] }))
    refused.forEach(onProblem)
  }
  const take = (list: FileList | null) => void attach(list).catch(tell)
  const isDropping = useFileDrop(take)
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
    take(event.clipboardData.files)
  }

  return (
    <form
      className="askback-composer"
      data-dropping={isDropping}
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      {note}
      {edited !== undefined && (
        <p className="askback-note">
          {labels.changingMessage}
          <button type="button" className="askback-link" onClick={cancel}>
            {labels.cancel}
          </button>
        </p>
      )}
      {left.length > 0 && (
        <p className="askback-note">
          {labels.attachAgain(showList(left, labels.locale))}
          <button type="button" className="askback-link" onClick={() => setAttached({ files, left: [] })}>
            {labels.dismiss}
          </button>
        </p>
      )}
      {files.length > 0 && (
        <ul className="askback-attached" aria-label={labels.attachedFiles}>
          {files.map((file, index) => (
            <li key={`${file.filename} ${index}`}>
              {/^image\/(?:png|jpeg|gif|webp)$/.test(file.mediaType) && <img src={file.url} alt="" />}
              <span dir="auto">{file.filename}</span>
              <button
                type="button"
                aria-label={labels.removeItem(file.filename ?? labels.unnamedFile)}
                onClick={() => setAttached({ files: files.filter((one) => one !== file), left: [] })}
              >
                <Drawing lines={closeIcon} />
              </button>
            </li>
          ))}
        </ul>
      )}
      <textarea
        ref={input}
        id={inputId}
        aria-label={labels.message}
        // An empty field, with what stands in its place, has the direction of the page.
        dir={text === '' ? undefined : 'auto'}
        placeholder={isDropping ? labels.dropFiles : labels.writeMessage}
        rows={1}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
        onPaste={onPaste}
      />
      <div className="askback-composer-row">
        <button type="button" aria-label={labels.attachFiles} onClick={() => chooser.current?.click()}>
          <Drawing lines={attachIcon} />
        </button>
        <input
          ref={chooser}
          type="file"
          multiple
          hidden
          onChange={(event) => {
            take(event.target.files)
            event.target.value = ''
          }}
        />
        {children}
        {isBusy ? (
          <button type="button" className="askback-round" aria-label={labels.stop} onClick={onStop}>
            <Drawing lines={stopIcon} />
          </button>
        ) : (
          <button
            type="submit"
            className="askback-round askback-primary"
            aria-label={labels.send}
            aria-disabled={isEmpty}
          >
            <Drawing lines={sendIcon} />
          </button>
        )}
      </div>
    </form>
  )
}

/** What of the files outlives the page; of the others the names, to be attached again. */
function leaveLarge({ files, left }: Attached, unnamed: string): Attached {
  const size = files.reduce((sum, { url }) => sum + url.length, 0)
  if (size <= longestKept) return { files, left }
  return { files: [], left: files.map(({ filename = unnamed }) => filename) }
}
