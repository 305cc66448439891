import { failureSentence } from '../base/failure-sentence.ts'
import '../styles/pages.css'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useFocusBack } from '../../client/react/interaction/use-focus-back.ts'
import { type Agent, useAgents, useRefusal, useToolsQuery } from '../base/queries.ts'
import { useSession } from '../base/session.tsx'
import { PageHead } from '../shell/page-head.tsx'
import { Skeleton } from '../shell/skeleton.tsx'
import { useToast } from '../shell/toasts.tsx'
import { AgentForm } from './agents/agent-form.tsx'
import { ModelForm, usePreferences } from './agents/model-form.tsx'
import { StandingPermissions, useStandingPermissions } from './agents/standing-permissions.tsx'
import { ToolPermissions, usePermissionRows } from './agents/tool-permissions.tsx'
import { agentsWords } from './agents/words.ts'

/** The user's agents: their instructions, model and tools. */
export function AgentsPage() {
  const { supabase } = useSession()
  const queries = useQueryClient()
  const toast = useToast()
  const words = agentsWords()
  const { data: agents, error: notLoaded } = useAgents()
  const refusal = useRefusal()
  const error = notLoaded ?? refusal
  const [chosenId, setChosenId] = useState<string>()
  const [isMaking, setMaking] = useState(false)
  const [madeId, setMadeId] = useState<string>()
  const shown = useRef<HTMLDivElement>(null)
  useFocusBack(isMaking)
  const chosen = agents?.find(({ id }) => id === chosenId) ?? agents?.[0]
  const isMade = madeId !== undefined && chosen?.id === madeId
  // What it is called comes next.
  useEffect(() => {
    if (!isMade) return
    shown.current?.querySelector('input')?.focus()
    setMadeId(undefined)
  }, [isMade])
  const changed = () => queries.invalidateQueries({ queryKey: ['agents'] })

  const add = async () => {
    setMaking(true)
    await make()
    setMaking(false)
  }
  const make = async () => {
    const row = { name: words.newAgent, instructions: words.firstInstructions, tool_access: 'all' }
    const { data, error } = await supabase.schema('askback').from('agents').insert(row).select('id').single()
    if (error) return toast(words.notCreated, 'failed')
    await changed()
    setChosenId(data.id)
    setMadeId(data.id)
  }

  return (
    <main className="page">
      <PageHead title={words.title} note={words.note}>
        <button type="button" disabled={isMaking} onClick={() => void add()}>
          {words.newAgent}
        </button>
      </PageHead>
      {error && <p role="alert">{failureSentence(error)}</p>}
      {agents?.length === 0 && !error && <p className="empty">{words.none}</p>}
      {(agents?.length ?? 0) > 1 && (
        <div className="tabs">
          {agents?.map(({ id, name }) => (
            <button
              key={id}
              type="button"
              dir="auto"
              aria-pressed={id === chosen?.id}
              onClick={() => setChosenId(id)}
            >
              {name}
            </button>
          ))}
        </div>
      )}
      {chosen && (
        <div key={chosen.id} ref={shown} className="providers">
          <AgentForm agent={chosen} onChange={changed} />
          <AgentSettings agent={chosen} />
        </div>
      )}
    </main>
  )
}

/** Shown once all of it is loaded: nothing moves away from a finger that presses. */
function AgentSettings({ agent }: { agent: Agent }) {
  const queries = [
    usePreferences(agent.id),
    useToolsQuery(),
    usePermissionRows(agent.id),
    useStandingPermissions(agent.id),
  ]
  if (queries.some(({ isLoading }) => isLoading)) return <Skeleton />
  return (
    <>
      <ModelForm agentId={agent.id} />
      <ToolPermissions agent={agent} />
      <StandingPermissions agentId={agent.id} />
    </>
  )
}
