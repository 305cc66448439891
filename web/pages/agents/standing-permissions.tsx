import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { ToolDescription } from '../../../client/api/message.ts'
import type { Permission, PermissionTerms } from '../../../client/api/permission.ts'
import { PermissionFields } from '../../../client/react/cards/permission-fields.tsx'
import { useLabels } from '../../../client/react/labels/use-labels.ts'
import { failureSentence } from '../../failure-sentence.ts'
import { useTools } from '../../queries.ts'
import { useSession } from '../../session.tsx'
import { useToast } from '../../shell/toasts.tsx'
import { agentsWords } from './words.ts'

const noTerms: PermissionTerms = { pattern: '', max: 20, per: 'day' }

const keyOf = (agentId: string) => ['standing-permissions', agentId]

export function useStandingPermissions(agentId: string) {
  const { askback } = useSession()
  return useQuery({ queryKey: keyOf(agentId), queryFn: () => askback.permissions.list(agentId) })
}

/** To whom an agent may send without asking, with the use so far: to add to and to revoke. */
export function StandingPermissions({ agentId }: { agentId: string }) {
  const { askback } = useSession()
  const queries = useQueryClient()
  const toast = useToast()
  const words = agentsWords()
  const tools = useTools()
  const { data: permissions, error } = useStandingPermissions(agentId)
  /** Whether it was done. */
  const change = async (made: Promise<unknown>): Promise<boolean> => {
    const isDone = await made.then(
      () => true,
      (failure) => {
        toast(failureSentence(failure), 'failed')
        return false
      },
    )
    await queries.invalidateQueries({ queryKey: keyOf(agentId) })
    return isDone
  }

  return (
    <section aria-label={words.standing} className="providers">
      <div>
        <h2>{words.standing}</h2>
        <p className="quiet small">{words.standingNote}</p>
      </div>
      {error && <p role="alert">{failureSentence(error)}</p>}
      {permissions?.length === 0 && <p className="quiet small">{words.noStanding}</p>}
      {permissions && permissions.length > 0 && (
        <ul className="rows">
          {permissions.map((one) => (
            <Row
              key={one.id}
              permission={one}
              tool={tools.find(({ name }) => name === one.toolName)?.title ?? one.toolName}
              onRevoke={() => change(askback.permissions.revoke(one.id))}
            />
          ))}
        </ul>
      )}
      <NewPermission
        tools={tools.filter(sendsToSomebody)}
        onAdd={(toolName, terms) => change(askback.permissions.add({ agentId, toolName, ...terms }))}
      />
    </section>
  )
}

function Row({
  permission,
  tool,
  onRevoke,
}: {
  permission: Permission
  /** Its title. */
  tool: string
  onRevoke(): Promise<boolean>
}) {
  const labels = useLabels()
  const words = agentsWords()
  const [isRevoking, setRevoking] = useState(false)
  const { used, max, per } = permission
  const sentence = labels.permission({ ...permission, tool })
  return (
    <li>
      <div className="permission">
        <div>
          <strong>{tool}</strong>
          <p dir="auto">{sentence}</p>
          <p className="quiet small">{words.usedSoFar[per](used, max)}</p>
        </div>
        <button
          type="button"
          aria-label={words.revokeOne(sentence)}
          disabled={isRevoking}
          onClick={async () => {
            setRevoking(true)
            if (!(await onRevoke())) setRevoking(false)
          }}
        >
          {words.revoke}
        </button>
      </div>
    </li>
  )
}

function NewPermission({
  tools,
  onAdd,
}: {
  tools: readonly ToolDescription[]
  onAdd(toolName: string, terms: PermissionTerms): Promise<boolean>
}) {
  const words = agentsWords()
  const [chosen, setChosen] = useState<string>()
  const [terms, setTerms] = useState(noTerms)
  const [isAdding, setAdding] = useState(false)
  const toolName = chosen ?? tools[0]?.name
  if (toolName === undefined) return null

  const add = async (event: FormEvent) => {
    event.preventDefault()
    if (isAdding) return
    setAdding(true)
    if (await onAdd(toolName, terms)) setTerms(noTerms)
    setAdding(false)
  }
  return (
    <details className="new-standing">
      <summary>{words.newStanding}</summary>
      <form className="askback-fields" onSubmit={(event) => void add(event)}>
        <label>
          {words.tool}
          <select value={toolName} disabled={isAdding} onChange={({ target }) => setChosen(target.value)}>
            {tools.map(({ name, title }) => (
              <option key={name} value={name}>
                {title}
              </option>
            ))}
          </select>
        </label>
        <PermissionFields terms={terms} disabled={isAdding} onChange={setTerms} />
        <div>
          <button type="submit" disabled={isAdding || terms.pattern.trim() === ''}>
            {words.addStanding}
          </button>
        </div>
      </form>
    </details>
  )
}

/** Whether a tool has a parameter whose values the user has to give, such as recipients. */
function sendsToSomebody({ effect, parameters }: ToolDescription): boolean {
  return (
    effect === 'write' &&
    Object.values(parameters.properties ?? {}).some(({ source }) => source === 'conversation')
  )
}
