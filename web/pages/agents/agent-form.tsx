import { type FormEvent, useState } from 'react'
import type { Agent } from '../../queries.ts'
import { useSession } from '../../session.tsx'
import { useToast } from '../../shell/toasts.tsx'

/** Name and instructions of an agent. */
export function AgentForm({ agent, onChange }: { agent: Agent; onChange(): Promise<unknown> }) {
  const { supabase } = useSession()
  const toast = useToast()
  const [isSure, setSure] = useState(false)
  const table = () => supabase.schema('askback').from('agents')

  const save = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const row = {
      name: String(form.get('name')).trim(),
      instructions: String(form.get('instructions')).trim(),
    }
    const { error } = await table().update(row).eq('id', agent.id)
    toast(
      error ? 'The agent could not be saved. Try again in a minute.' : 'Saved.',
      error ? 'failed' : 'done',
    )
    await onChange()
  }
  const remove = async () => {
    const { error } = await table().delete().eq('id', agent.id)
    toast(
      error ? 'The agent could not be deleted.' : `“${agent.name}” is deleted.`,
      error ? 'failed' : 'done',
    )
    await onChange()
  }

  return (
    <form className="panel stack" aria-label="Agent" onSubmit={save}>
      <label>
        Name
        <input name="name" defaultValue={agent.name} required maxLength={200} pattern=".*\S.*" />
      </label>
      <label>
        Instructions
        <textarea
          name="instructions"
          rows={5}
          defaultValue={agent.instructions}
          required
          maxLength={100_000}
        />
      </label>
      <div className="actions">
        <button type="submit" className="primary">
          Save
        </button>
        <button
          type="button"
          className="danger"
          onBlur={() => setSure(false)}
          onClick={() => (isSure ? void remove() : setSure(true))}
        >
          {isSure ? 'Delete it for good' : 'Delete agent'}
        </button>
      </div>
    </form>
  )
}
