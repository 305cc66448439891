import { useRef, useState } from 'react'
import { ConfirmDialog } from '../../shell/confirm-dialog.tsx'
import { agentsWords } from './words.ts'

/** Asks for confirmation, and says what happens to the agent's conversations. */
export function DeleteAgent({ name, onDelete }: { name: string; onDelete(): Promise<unknown> }) {
  const words = agentsWords()
  const [isAsked, setAsked] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  return (
    <>
      <button ref={button} type="button" className="danger" onClick={() => setAsked(true)}>
        {words.deleteAgent}
      </button>
      {isAsked && (
        <ConfirmDialog
          title={words.deleteQuestion(name)}
          action={words.delete}
          anchor={button}
          onKeep={() => setAsked(false)}
          onConfirm={() => {
            setAsked(false)
            void onDelete()
          }}
        >
          {words.deleteNote}
        </ConfirmDialog>
      )}
    </>
  )
}
