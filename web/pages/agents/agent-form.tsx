import { type ChangeEvent, type FormEvent, useState } from 'react'
import { untilReload, useKept } from '../../../client/react/forms/use-kept.ts'
import type { Agent } from '../../base/queries.ts'
import { useSession } from '../../base/session.tsx'
import { useToast } from '../../shell/toasts.tsx'
import { DeleteAgent } from './delete-agent.tsx'
import { agentsWords } from './words.ts'

type Row = Pick<Agent, 'name' | 'instructions'>

/** Name and instructions of an agent. */
export function AgentForm({ agent, onChange }: { agent: Agent; onChange(): Promise<unknown> }) {
  const { supabase } = useSession()
  const toast = useToast()
  const words = agentsWords()
  const [typed, setTyped] = useKept<Partial<Row>>(`agent ${agent.id}`, {}, untilReload)
  const [problems, setProblems] = useState<Partial<Row>>({})
  const table = () => supabase.schema('askback').from('agents')
  const { name, instructions } = { ...agent, ...typed }

  const save = async (event: FormEvent) => {
    event.preventDefault()
    const found = findProblems({ name, instructions })
    setProblems(found)
    if (Object.keys(found).length > 0) return
    // Only what was typed here: another tab may have saved the rest.
    const row = Object.fromEntries(Object.entries(typed).map(([field, text]) => [field, text.trim()]))
    if (Object.keys(row).length === 0) return toast(words.saved)
    const { data, error } = await table().update(row).eq('id', agent.id).select('id')
    if (error) toast(words.notSaved, 'failed')
    else if (data.length === 0) toast(words.goneMeanwhile, 'failed')
    else toast(words.saved)
    await onChange()
    if (!error) setTyped((now) => (now === typed ? {} : now))
  }
  const remove = async () => {
    const { error } = await table().delete().eq('id', agent.id)
    toast(error ? words.notDeleted : words.deleted(agent.name), error ? 'failed' : 'done')
    await onChange()
  }
  const notes = (name: keyof Row) => ({
    'aria-invalid': problems[name] !== undefined,
    'aria-describedby': problems[name] ? `agent-${name}-problem` : undefined,
    onChange: ({ currentTarget: { value } }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => {
      setTyped((before) => ({ ...before, [name]: value }))
      setProblems(({ [name]: _, ...others }) => others)
    },
  })

  return (
    <form className="panel stack" aria-label={words.agent} noValidate onSubmit={save}>
      <label>
        {words.name}
        <input name="name" dir="auto" value={name} maxLength={200} {...notes('name')} />
      </label>
      {problems.name && (
        <p id="agent-name-problem" className="problem small">
          {problems.name}
        </p>
      )}
      <label>
        {words.instructions}
        <textarea
          name="instructions"
          dir="auto"
          rows={5}
          value={instructions}
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
          {words.save}
        </button>
        <DeleteAgent name={agent.name} onDelete={remove} />
      </div>
    </form>
  )
}

function findProblems({ name, instructions }: Row): Partial<Row> {
  const words = agentsWords()
  return {
    ...(name.trim() === '' ? { name: words.nameMissing } : {}),
    ...(instructions.trim() === '' ? { instructions: words.instructionsMissing } : {}),
  }
}
