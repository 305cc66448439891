import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { ToolDescription } from '../../../client/api/message.ts'
import { ServiceIcon } from '../../../client/react/icons/service-icon.tsx'
import { failureSentence } from '../../base/failure-sentence.ts'
import type { Agent } from '../../base/queries.ts'
import { useTools } from '../../base/queries.ts'
import { useSession } from '../../base/session.tsx'
import { useToast } from '../../shell/toasts.tsx'
import {
  choicesFor,
  type Permission,
  type PermissionRow,
  readPermission,
  writePermission,
} from './permission.ts'
import { ToolTrial } from './tool-trial.tsx'
import { agentsWords } from './words.ts'

const keyOf = (agentId: string) => ['permissions', agentId]

export function usePermissionRows(agentId: string) {
  const { supabase } = useSession()
  return useQuery({
    queryKey: keyOf(agentId),
    async queryFn(): Promise<PermissionRow[]> {
      const { data, error } = await supabase
        .schema('askback')
        .from('agent_tool_permissions')
        .select('tool_name, allowed, approval')
        .eq('agent_id', agentId)
      if (error) throw new Error(agentsWords().permissionsNotLoaded)
      return data as PermissionRow[]
    },
  })
}

/** The agent's tools and which of them need approval; each can be tried. */
export function ToolPermissions({ agent }: { agent: Agent }) {
  const { supabase } = useSession()
  const queries = useQueryClient()
  const toast = useToast()
  const tools = useTools()
  const words = agentsWords()
  const notes: Readonly<Record<string, string>> = words.toolNotes
  const [trial, setTrial] = useState<string>()
  const key = keyOf(agent.id)
  const { data: rows, error } = usePermissionRows(agent.id)

  const change = async (tool: ToolDescription, permission: Permission) => {
    const row = { agent_id: agent.id, tool_name: tool.name, ...writePermission(permission) }
    queries.setQueryData<PermissionRow[]>(key, (before = []) => [
      ...before.filter(({ tool_name }) => tool_name !== tool.name),
      row,
    ])
    const { error } = await supabase
      .schema('askback')
      .from('agent_tool_permissions')
      .upsert(row, { onConflict: 'agent_id,tool_name' })
    if (error) toast(words.notChanged(tool.title), 'failed')
    await queries.invalidateQueries({ queryKey: key })
  }

  return (
    <section aria-label={words.tools} className="providers">
      <div>
        <h2>{words.tools}</h2>
        <p className="quiet small">{words.toolsNote}</p>
      </div>
      {error && <p role="alert">{failureSentence(error)}</p>}
      <ul className="rows">
        {(rows ? tools : []).map((tool) => {
          const row = rows?.find(({ tool_name }) => tool_name === tool.name)
          const permission = readPermission(row, tool, agent.tool_access)
          const isOpen = trial === tool.name
          return (
            <li key={tool.name}>
              <div className="permission">
                <div>
                  <strong>
                    <ServiceIcon name={tool.name} />
                    {tool.title}
                  </strong>{' '}
                  {tool.offReason === null && (
                    <button
                      type="button"
                      className="link small"
                      aria-label={words.tryTool(tool.title)}
                      aria-expanded={isOpen}
                      onClick={() => setTrial(isOpen ? undefined : tool.name)}
                    >
                      {words.tryIt}
                    </button>
                  )}
                  <p className="quiet small">
                    <bdi>{notes[tool.name] ?? tool.description}</bdi>
                  </p>
                  {tool.offReason !== null && (
                    <p className="problem small">{words.offForEverybody(tool.offReason)}</p>
                  )}
                </div>
                <select
                  aria-label={words.permissionFor(tool.title)}
                  value={permission}
                  onChange={(event) => void change(tool, event.target.value as Permission)}
                >
                  {choicesFor(tool, permission).map((one) => (
                    <option key={one} value={one}>
                      {words.permissions[one]}
                    </option>
                  ))}
                </select>
              </div>
              {isOpen && tool.offReason === null && <ToolTrial tool={tool} agentId={agent.id} />}
            </li>
          )
        })}
      </ul>
    </section>
  )
}
