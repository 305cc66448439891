import { useId } from 'react'
import { copyIcon } from '../../../client/react/icons/later-icons.ts'
import { Drawing } from '../../base/icons.tsx'
import { useToast } from '../../shell/toasts.tsx'
import { tokensWords } from './words.ts'

/** A text with a copy button. */
export function CopyLine({ label, text }: { label: string; text: string }) {
  const id = useId()
  const toast = useToast()
  const words = tokensWords()
  const lines = text.split('\n').length
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => toast(words.copied(label)),
      () => toast(words.notCopied, 'failed'),
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
        <button type="button" aria-label={words.copyThis(label)} onClick={() => void copy()}>
          <Drawing lines={copyIcon} />
          <span className="wide-only">{words.copy}</span>
        </button>
      </div>
    </div>
  )
}
