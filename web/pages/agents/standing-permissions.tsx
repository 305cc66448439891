import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { Link } from 'wouter'
import type { ToolDescription } from '../../../client/api/message.ts'
import type { Permission, PermissionTerms } from '../../../client/api/permission.ts'
import { PermissionFields } from '../../../client/react/cards/permission-fields.tsx'
import {
  findPermissionProblems,
  type PermissionProblems,
  readPermissionProblems,
} from '../../../client/react/cards/permission-problems.ts'
import { focusProblem } from '../../../client/react/interaction/focus-problem.ts'
import { useLabels } from '../../../client/react/labels/use-labels.ts'
import { failureSentence } from '../../base/failure-sentence.ts'
import { useTools } from '../../base/queries.ts'
import { useSession } from '../../base/session.tsx'
import { useToast } from '../../shell/toasts.tsx'
import { agentsWords } from './words.ts'

const noTerms: PermissionTerms = { pattern: '', max: 20, per: 'day' }

const keyOf = (agentId: string) => ['standing-permissions', agentId]

export function useStandingPermissions(agentId: string) {
  const { askback } = useSession()
  return useQuery({
    queryKey: keyOf(agentId),
    // Those of apps are on their own page.
    queryFn: async () => (await askback.permissions.list(agentId)).filter(({ grantId }) => grantId === null),
  })
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
        onAdd={async (toolName, terms) => {
          await askback.permissions.add({ agentId, toolName, ...terms })
          await queries.invalidateQueries({ queryKey: keyOf(agentId) })
        }}
        onFailed={(error) => toast(failureSentence(error), 'failed')}
      />
      <p className="small">
        <Link href="/settings/integrations/without-asking">{useLabels().withoutAsking}</Link>
      </p>
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
  onFailed,
}: {
  tools: readonly ToolDescription[]
  onAdd(toolName: string, terms: PermissionTerms): Promise<void>
  /** For what is about none of the fields. */
  onFailed(error: unknown): void
}) {
  const words = agentsWords()
  const labels = useLabels()
  const form = useRef<HTMLFormElement>(null)
  const [problems, setProblems] = useState<PermissionProblems>()
  const [chosen, setChosen] = useState<string>()
  const [terms, setTerms] = useState(noTerms)
  const [isAdding, setAdding] = useState(false)
  const toolName = chosen ?? tools[0]?.name
  if (toolName === undefined) return null

  const add = async (event: FormEvent) => {
    event.preventDefault()
    if (isAdding) return
    const unfit = findPermissionProblems(terms, labels)
    if (unfit) return refuse(unfit)
    setProblems(undefined)
    setAdding(true)
    try {
      await onAdd(toolName, terms)
      setTerms(noTerms)
    } catch (error) {
      const refused = readPermissionProblems(error)
      if (refused) refuse(refused)
      else onFailed(error)
    }
    setAdding(false)
  }
  const refuse = (found: PermissionProblems) => {
    setProblems(found)
    requestAnimationFrame(() => focusProblem(form.current))
  }
  return (
    <details className="new-standing">
      <summary>{words.newStanding}</summary>
      <form ref={form} noValidate className="askback-fields" onSubmit={(event) => void add(event)}>
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
        <PermissionFields
          terms={terms}
          problems={problems}
          disabled={isAdding}
          onChange={(changed) => {
            setProblems(undefined)
            setTerms(changed)
          }}
        />
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
