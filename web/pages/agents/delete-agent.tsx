import { AlertDialog } from '@base-ui/react/alert-dialog'
import { agentsWords } from './words.ts'

/** Asks for confirmation, and says what happens to the agent's conversations. */
export function DeleteAgent({ name, onDelete }: { name: string; onDelete(): Promise<unknown> }) {
  const words = agentsWords()
  return (
    <AlertDialog.Root>
      <AlertDialog.Trigger className="danger">{words.deleteAgent}</AlertDialog.Trigger>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className="backdrop" />
        <AlertDialog.Popup className="dialog">
          <AlertDialog.Title>{words.deleteQuestion(name)}</AlertDialog.Title>
          <AlertDialog.Description>{words.deleteNote}</AlertDialog.Description>
          <div className="actions">
            <AlertDialog.Close>{words.keep}</AlertDialog.Close>
            <AlertDialog.Close className="danger" onClick={() => void onDelete()}>
              {words.delete}
            </AlertDialog.Close>
          </div>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}
