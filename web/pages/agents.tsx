import '../styles/pages.css'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useAgents } from '../queries.ts'
import { useSession } from '../session.tsx'
import { PageTitle } from '../shell/page-title.tsx'
import { useToast } from '../shell/toasts.tsx'
import { AgentForm } from './agents/agent-form.tsx'
import { ModelForm } from './agents/model-form.tsx'
import { ToolPermissions } from './agents/tool-permissions.tsx'

/** The user's agents: how they speak, which model answers, what they may do. */
export function AgentsPage() {
  const { supabase } = useSession()
  const queries = useQueryClient()
  const toast = useToast()
  const { data: agents, error } = useAgents()
  const [chosenId, setChosenId] = useState<string>()
  const [isMaking, setMaking] = useState(false)
  const chosen = agents?.find(({ id }) => id === chosenId) ?? agents?.[0]
  const changed = () => queries.invalidateQueries({ queryKey: ['agents'] })

  const add = async () => {
    setMaking(true)
    await make()
    setMaking(false)
  }
  const make = async () => {
    const row = { name: 'New agent', instructions: 'You help the user. Be brief.', tool_access: 'all' }
    const { data, error } = await supabase.schema('askback').from('agents').insert(row).select('id').single()
    if (error) return toast('Couldn’t create the agent. Try again in a minute.', 'failed')
    await changed()
    setChosenId(data.id)
  }

  return (
    <main className="page">
      <PageTitle>Agents</PageTitle>
      <header className="page-head">
        <div>
          <h1>Agents</h1>
          <p className="quiet">How they write, which model they use, and what they’re allowed to do.</p>
        </div>
        <button type="button" disabled={isMaking} onClick={() => void add()}>
          New agent
        </button>
      </header>
      {error && <p role="alert">{error.message}</p>}
      {agents?.length === 0 && (
        <p className="empty">Your first message creates an agent, or create one now.</p>
      )}
      {(agents?.length ?? 0) > 1 && (
        <div className="tabs">
          {agents?.map(({ id, name }) => (
            <button key={id} type="button" aria-pressed={id === chosen?.id} onClick={() => setChosenId(id)}>
              {name}
            </button>
          ))}
        </div>
      )}
      {chosen && (
        <div key={chosen.id} className="providers">
          <AgentForm agent={chosen} onChange={changed} />
          <ModelForm agentId={chosen.id} />
          <ToolPermissions agent={chosen} />
        </div>
      )}
    </main>
  )
}
