import {
  type ClipboardEvent,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react'
import type { FilePart, Upload } from '../../attached-files.ts'
import { describeFailure } from '../../labels/failure.ts'
import { useKept } from '../forms/use-kept.ts'
import { attachIcon, closeIcon, sendIcon, stopIcon } from '../icons/composer-icons.ts'
import { Drawing } from '../icons/drawing.tsx'
import { isComposing } from '../interaction/is-composing.ts'
import { useFirstLabels } from '../labels/labels.tsx'
import { fitHeight } from './fit-height.ts'
import { useFileDrop } from './use-file-drop.ts'

/** A message that is not sent yet. */
export interface Draft {
  text: string
  files: FilePart[]
}

const noFiles: readonly FilePart[] = []

/** The message input: Enter sends, Shift+Enter starts a new line. Files can be chosen, pasted, or dropped on the page. */
export function Composer({
  place,
  inputId,
  isBusy,
  note,
  edited,
  onCancelEdit,
  upload,
  onSend,
  onStop,
  onProblem,
  children,
}: {
  /** Where an unsent message is kept, inside a `KeptProvider`: one place per conversation. */
  place?: string
  /** Id of the field. */
  inputId?: string
  isBusy: boolean
  /** Shown above the composer. */
  note?: ReactNode
  /** The earlier message that is being edited; give each one a different `key`. */
  edited?: Draft | undefined
  onCancelEdit?: () => void
  /** Stores a file: `askback.upload`. */
  upload: Upload
  onSend(draft: Draft): Promise<unknown>
  onStop(): void
  /** Called with a sentence if something could not be attached or sent. */
  onProblem(sentence: string): void
  /** Other controls. */
  children?: ReactNode
}) {
  const labels = useFirstLabels()
  const start = edited?.files ?? noFiles
  const [text, setText] = useKept(place, edited?.text ?? '')
  const [files, setFiles] = useKept(place && `${place} files`, start)
  const [uploading, setUploading] = useState<readonly File[]>([])
  /** What became of the files. */
  const [said, setSaid] = useState('')
  const noteId = useId()
  const input = useRef<HTMLTextAreaElement>(null)
  const chooser = useRef<HTMLInputElement>(null)
  const isEmpty = text.trim() === '' && files.length === 0
  const isReady = !isEmpty && uploading.length === 0

  useEffect(() => {
    const field = input.current
    if (edited === undefined || !field) return
    field.focus()
    field.setSelectionRange(field.value.length, field.value.length)
  }, [edited])
  useEffect(() => fitHeight(input.current), [text])

  const forget = () => {
    setText(edited?.text ?? '')
    setFiles(start)
    setSaid('')
  }
  const remove = (file: FilePart, name: string) => {
    setFiles(files.filter((one) => one !== file))
    setSaid(labels.removed(name))
    // The button is gone.
    input.current?.focus()
  }
  const cancel = () => {
    forget()
    onCancelEdit?.()
  }
  const tell = (error: unknown) => onProblem(describeFailure(error, labels))
  const send = () => {
    if (!isReady || isBusy) return
    forget()
    onSend({ text: text.trim(), files: [...files] }).catch(tell)
    input.current?.focus()
  }
  const attach = async (list: FileList | null) => {
    // The input is cleared while the files are read.
    const chosen = [...(list ?? [])]
    const { uploadFiles } = await import('../../attached-files.ts')
    const shown = { upload, setUploading, setFiles, onSay: setSaid, onProblem }
    await uploadFiles(chosen, [...files, ...uploading], labels, shown)
  }
  const take = (list: FileList | null) => void attach(list).catch(tell)
  const isDropping = useFileDrop(take)
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event)) return
    if (event.key === 'Escape' && edited !== undefined) {
      // Must not stop the answer as well.
      event.preventDefault()
      cancel()
    }
    if (event.key !== 'Enter' || event.shiftKey) return
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
          <span id={noteId}>{labels.changingMessage}</span>
          <button type="button" className="askback-link" onClick={cancel}>
            {labels.cancel}
          </button>
        </p>
      )}
      {files.length > 0 && (
        <ul className="askback-attached" aria-label={labels.attachedFiles}>
          {files.map((file, index) => {
            const name = file.filename ?? labels.unnamedFile
            return (
              <li key={`${name} ${index}`}>
                {/^image\/(?:png|jpeg|gif|webp)$/.test(file.mediaType) && <img src={file.url} alt="" />}
                <span dir="auto">{file.filename}</span>
                <button type="button" aria-label={labels.removeItem(name)} onClick={() => remove(file, name)}>
                  <Drawing lines={closeIcon} />
                </button>
              </li>
            )
          })}
        </ul>
      )}
      <p className={uploading.length > 0 ? 'askback-note' : 'askback-announced'} role="status">
        {said}
      </p>
      <textarea
        ref={input}
        id={inputId}
        aria-label={labels.message}
        aria-describedby={edited && noteId}
        // An empty field shows its placeholder in the page's direction.
        dir={text === '' ? undefined : 'auto'}
        placeholder={isDropping ? labels.dropFiles : labels.writeMessage}
        rows={1}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
        onPaste={onPaste}
      />
      <div className="askback-composer-row">
        <button
          type="button"
          className="askback-attach"
          aria-label={labels.attachFiles}
          onClick={() => chooser.current?.click()}
        >
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
          <button
            type="button"
            className="askback-round"
            aria-label={labels.stop}
            // The second half of a double click was meant for Send, which stood here.
            onClick={({ detail }) => detail < 2 && onStop()}
          >
            <Drawing lines={stopIcon} />
          </button>
        ) : (
          <button
            type="submit"
            className="askback-round askback-primary"
            aria-label={labels.send}
            aria-disabled={!isReady}
          >
            <Drawing lines={sendIcon} />
          </button>
        )}
      </div>
    </form>
  )
}
