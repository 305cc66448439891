import { type FormEvent, useState } from 'react'
import type { Agent } from '../../queries.ts'
import { useSession } from '../../session.tsx'
import { useToast } from '../../shell/toasts.tsx'
import { DeleteAgent } from './delete-agent.tsx'

type Row = Pick<Agent, 'name' | 'instructions'>

/** Name and instructions of an agent. */
export function AgentForm({ agent, onChange }: { agent: Agent; onChange(): Promise<unknown> }) {
  const { supabase } = useSession()
  const toast = useToast()
  const [problems, setProblems] = useState<Partial<Row>>({})
  const table = () => supabase.schema('askback').from('agents')

  const save = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const row = {
      name: String(form.get('name')).trim(),
      instructions: String(form.get('instructions')).trim(),
    }
    const found = findProblems(row)
    setProblems(found)
    if (Object.keys(found).length > 0) return
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
      error ? 'The agent could not be deleted. Try again in a minute.' : `“${agent.name}” is deleted.`,
      error ? 'failed' : 'done',
    )
    await onChange()
  }
  const notes = (name: keyof Row) => ({
    'aria-invalid': problems[name] !== undefined,
    'aria-describedby': problems[name] ? `agent-${name}-problem` : undefined,
    onChange: () => setProblems(({ [name]: _, ...others }) => others),
  })

  return (
    <form className="panel stack" aria-label="Agent" noValidate onSubmit={save}>
      <label>
        Name
        <input name="name" defaultValue={agent.name} maxLength={200} {...notes('name')} />
      </label>
      {problems.name && (
        <p id="agent-name-problem" className="problem small">
          {problems.name}
        </p>
      )}
      <label>
        Instructions
        <textarea
          name="instructions"
          rows={5}
          defaultValue={agent.instructions}
          maxLength={100_000}
          {...notes('instructions')}
        />
      </label>
      {problems.instructions && (
        <p id="agent-instructions-problem" className="problem small">
          {problems.instructions}
        </p>
      )}
      <div className="actions">
        <button type="submit" className="primary">
          Save
        </button>
        <DeleteAgent name={agent.name} onDelete={remove} />
      </div>
    </form>
  )
}

function findProblems({ name, instructions }: Row): Partial<Row> {
  return {
    ...(name === '' ? { name: 'An agent needs a name.' } : {}),
    ...(instructions === '' ? { instructions: 'An agent needs instructions, if only one sentence.' } : {}),
  }
}
