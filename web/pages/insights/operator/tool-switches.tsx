import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { SharedTool } from '../../../../client/api/types.ts'
import { labelOf } from '../../../../client/values/sentence.ts'
import { failureSentence } from '../../../base/failure-sentence.ts'
import { useTools } from '../../../base/queries.ts'
import { useToast } from '../../../shell/toasts.tsx'
import { useOperatorCall } from './operator-calls.ts'
import { ReasonForm } from './reason-form.tsx'
import { operatorWords } from './words.ts'

export function useSharedTools() {
  const call = useOperatorCall()
  return useQuery({
    queryKey: ['operator', 'tools'],
    queryFn: () => call<{ tools: SharedTool[] }>('GET', 'tools'),
  })
}

/** Switches tools on and off for everybody. */
export function ToolSwitches() {
  const { data, error } = useSharedTools()
  const words = operatorWords()
  return (
    <section className="panel" aria-label={words.tools}>
      <h3>{words.tools}</h3>
      <p className="quiet small">{words.toolsNote}</p>
      {error && <p role="alert">{failureSentence(error)}</p>}
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
  const known = useTools().find((one) => one.name === name)
  const title = known?.title ?? tool.title ?? labelOf(name)
  const call = useOperatorCall()
  const queries = useQueryClient()
  const toast = useToast()
  const words = operatorWords()
  const [isAsking, setAsking] = useState(false)
  const change = async (why: string) => {
    await call('PATCH', `tools/${encodeURIComponent(name)}`, { enabled: !enabled, reason: why })
    toast(enabled ? words.toolOff(title) : words.toolOn(title))
    setAsking(false)
    await Promise.all([
      queries.invalidateQueries({ queryKey: ['operator', 'tools'] }),
      queries.invalidateQueries({ queryKey: ['tools'] }),
    ])
  }
  const action = enabled ? words.switchOffThis(title) : words.switchOnThis(title)
  return (
    <li className="run-row">
      <div>
        <strong>{title}</strong>
        {!enabled && <p className="problem small">{words.off(reason ?? '')}</p>}
      </div>
      {!isAsking && (
        <button type="button" aria-label={action} onClick={() => setAsking(true)}>
          {enabled ? words.switchOff : words.switchOn}
        </button>
      )}
      {isAsking && (
        <ReasonForm
          action={action}
          {...(enabled ? { hint: words.seenByAll } : {})}
          onSend={change}
          onCancel={() => setAsking(false)}
        />
      )}
    </li>
  )
}
