import { useId } from 'react'
import { Drawing } from '../../icons.tsx'
import { copyIcon } from '../../later-icons.ts'
import { useToast } from '../../shell/toasts.tsx'

/** A text to paste elsewhere, with a button that copies it. */
export function CopyLine({ label, text }: { label: string; text: string }) {
  const id = useId()
  const toast = useToast()
  const lines = text.split('\n').length
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => toast(`${label} is copied.`),
      () => toast('Couldn’t copy this. Select the text and copy it yourself.', 'failed'),
    )
  return (
    <div className="copy-line">
      <label htmlFor={id}>{label}</label>
      <div>
        {lines > 1 ? (
          <textarea
            id={id}
            readOnly
            rows={lines}
            wrap="off"
            spellCheck={false}
            value={text}
            onFocus={(event) => event.currentTarget.select()}
          />
        ) : (
          <input id={id} readOnly value={text} onFocus={(event) => event.currentTarget.select()} />
        )}
        <button type="button" aria-label={`Copy ${label}`} onClick={() => void copy()}>
          <Drawing lines={copyIcon} />
          <span className="wide-only">Copy</span>
        </button>
      </div>
    </div>
  )
}
