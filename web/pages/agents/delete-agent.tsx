import { AlertDialog } from '@base-ui/react/alert-dialog'

/** Whether an agent shall really go, and what happens to what it was talked about with. */
export function DeleteAgent({ name, onDelete }: { name: string; onDelete(): Promise<unknown> }) {
  return (
    <AlertDialog.Root>
      <AlertDialog.Trigger className="danger">Delete agent</AlertDialog.Trigger>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className="backdrop" />
        <AlertDialog.Popup className="dialog">
          <AlertDialog.Title>Delete “{name}”?</AlertDialog.Title>
          <AlertDialog.Description>
            Its instructions and permissions are deleted. Your conversations stay, and your oldest agent takes
            them over. Tokens for this agent alone stop working.
          </AlertDialog.Description>
          <div className="actions">
            <AlertDialog.Close>Keep it</AlertDialog.Close>
            <AlertDialog.Close className="danger" onClick={() => void onDelete()}>
              Delete
            </AlertDialog.Close>
          </div>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}
