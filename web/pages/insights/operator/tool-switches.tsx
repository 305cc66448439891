import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { labelOf } from '../../../../client/sentence.ts'
import { useToast } from '../../../shell/toasts.tsx'
import { type SharedTool, useOperatorCall } from './operator-calls.ts'
import { ReasonForm } from './reason-form.tsx'

/** Tools, and whether anybody can use them at the moment. */
export function ToolSwitches() {
  const call = useOperatorCall()
  const { data, error } = useQuery({
    queryKey: ['operator', 'tools'],
    queryFn: () => call<{ tools: SharedTool[] }>('GET', 'tools'),
  })
  return (
    <section className="panel" aria-label="Tools for everybody">
      <h3>Tools for everybody</h3>
      <p className="quiet small">
        Agents aren’t offered a tool that is switched off; calls already running are told.
      </p>
      {error && <p role="alert">{error.message}</p>}
      <ul className="rows">
        {data?.tools.map((tool) => (
          <ToolSwitch key={tool.name} tool={tool} />
        ))}
      </ul>
    </section>
  )
}

function ToolSwitch({ tool }: { tool: SharedTool }) {
  const { name, enabled, reason } = tool
  const title = tool.title ?? labelOf(name)
  const call = useOperatorCall()
  const queries = useQueryClient()
  const toast = useToast()
  const [isAsking, setAsking] = useState(false)
  const change = async (why: string) => {
    await call('PATCH', `tools/${encodeURIComponent(name)}`, { enabled: !enabled, reason: why })
    toast(enabled ? `“${title}” is off for everybody.` : `“${title}” can be used again.`)
    setAsking(false)
    await Promise.all([
      queries.invalidateQueries({ queryKey: ['operator', 'tools'] }),
      queries.invalidateQueries({ queryKey: ['tools'] }),
    ])
  }
  return (
    <li className="run-row">
      <div>
        <strong>{title}</strong>
        {!enabled && <p className="problem small">Off for everybody: {reason}</p>}
      </div>
      {!isAsking && (
        <button type="button" onClick={() => setAsking(true)}>
          {enabled ? 'Switch off' : 'Switch on'}
          <span className="hidden"> {title}</span>
        </button>
      )}
      {isAsking && (
        <ReasonForm
          action={enabled ? `Switch off ${title}` : `Switch on ${title}`}
          {...(enabled ? { hint: 'Users and agents will see this.' } : {})}
          onSend={change}
          onCancel={() => setAsking(false)}
        />
      )}
    </li>
  )
}
