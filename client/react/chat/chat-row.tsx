import { createContext, type FormEvent, useContext, useEffect, useId, useRef, useState } from 'react'
import type { ConversationChange } from '../../askback.ts'
import { Drawing } from '../icons/drawing.tsx'
import { moreIcon } from '../icons/later-icons.ts'
import { useFirstLabels } from '../labels/labels.tsx'
import { useChatLabels } from '../labels/use-chat-labels.ts'
import { ConversationRow, type ConversationRowProps } from '../lists/conversation-row.tsx'

/** What can be done with a conversation of the list. */
export interface RowActions {
  change(id: string, change: ConversationChange): Promise<void>
  remove(id: string): Promise<void>
}

const Actions = createContext<RowActions>({ change: async () => {}, remove: async () => {} })
export const RowActionsProvider = Actions.Provider

/** A conversation in the chat's list, with what can be done with it below: it pushes the others down, and covers nothing. */
export function ChatRow(row: ConversationRowProps) {
  const { id, title, pinned } = row.conversation
  const labels = useChatLabels()
  const { untitled } = useFirstLabels()
  const { change, remove } = useContext(Actions)
  const [step, setStep] = useState<'closed' | 'options' | 'rename' | 'delete'>('closed')
  const options = useRef<HTMLButtonElement>(null)
  const within = useRef<HTMLFieldSetElement>(null)
  const titleId = useId()
  const isOpen = step === 'options' || step === 'delete'
  const wasOpen = useRef(false)
  // Where the keyboard goes on: in what has opened, and back at the button.
  useEffect(() => {
    if (isOpen) within.current?.querySelector('button')?.focus()
    else if (wasOpen.current && step === 'closed') options.current?.focus()
    wasOpen.current = step !== 'closed'
  }, [isOpen, step])
  const rename = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const next = String(new FormData(event.currentTarget).get('title')).trim()
    setStep('closed')
    if (next !== '' && next !== title) void change(id, { title: next })
  }
  if (step === 'rename') {
    return (
      <li>
        <form className="askback-row-rename" onSubmit={rename}>
          <input
            name="title"
            className="askback-search"
            aria-label={labels.title}
            dir="auto"
            defaultValue={title ?? untitled}
            maxLength={200}
            // biome-ignore lint/a11y/noAutofocus: the user has just chosen to rename it
            autoFocus
            onFocus={(event) => event.currentTarget.select()}
            onBlur={(event) => event.currentTarget.form?.requestSubmit()}
            onKeyDown={(event) => {
              if (event.key !== 'Escape') return
              // Must not stop the answer as well.
              event.preventDefault()
              setStep('closed')
            }}
          />
        </form>
      </li>
    )
  }
  const button = (label: string, onClick: () => void) => (
    <button type="button" className="askback-button" onClick={onClick}>
      {label}
    </button>
  )
  const menu = (
    <>
      <button
        ref={options}
        type="button"
        className="askback-icon-button"
        // Reached with the arrow keys.
        tabIndex={-1}
        id={`${titleId}-options`}
        aria-label={labels.options}
        aria-labelledby={`${titleId}-options ${titleId}`}
        aria-expanded={isOpen}
        onClick={() => setStep(isOpen ? 'closed' : 'options')}
      >
        <Drawing lines={moreIcon} />
      </button>
      {isOpen && (
        <fieldset
          ref={within}
          className="askback-row-options"
          aria-label={step === 'delete' ? labels.deleteQuestion : labels.options}
          onKeyDown={(event) => {
            if (event.key !== 'Escape') return
            // Must not stop the answer as well.
            event.preventDefault()
            setStep('closed')
          }}
        >
          {step === 'delete' ? (
            <>
              <p>{labels.deleteQuestion}</p>
              {button(labels.keep, () => setStep('closed'))}
              {button(labels.delete, () => void remove(id))}
            </>
          ) : (
            <>
              {button(labels.rename, () => setStep('rename'))}
              {button(pinned ? labels.unpin : labels.pin, () => {
                setStep('closed')
                void change(id, { pinned: !pinned })
              })}
              {button(labels.delete, () => setStep('delete'))}
            </>
          )}
        </fieldset>
      )}
    </>
  )
  return <ConversationRow {...row} titleId={titleId} menu={menu} />
}
