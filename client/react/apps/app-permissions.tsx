import { type FormEvent, useRef, useState } from 'react'
import type { ToolDescription } from '../../api/message.ts'
import type { Permission, PermissionTerms } from '../../api/permission.ts'
import { PermissionFields } from '../cards/permission-fields.tsx'
import {
  findPermissionProblems,
  type PermissionProblems,
  readPermissionProblems,
} from '../cards/permission-problems.ts'
import { focusProblem } from '../interaction/focus-problem.ts'
import { useAppLabels } from '../labels/use-app-labels.ts'
import { useLabels } from '../labels/use-labels.ts'

const noTerms: PermissionTerms = { pattern: '', max: 20, per: 'day' }

/** To whom an app may send without asking: to add to and to take back. */
export function AppPermissions({
  tools,
  permissions,
  onAdd,
  onTakeBack,
}: {
  /** Those that the app may use. */
  tools: readonly ToolDescription[]
  permissions: readonly Permission[]
  /** Rejects where it was refused. */
  onAdd(toolName: string, terms: PermissionTerms): Promise<void>
  onTakeBack(permission: Permission, sentence: string): Promise<void>
}) {
  const words = useAppLabels()
  const labels = useLabels()
  const titleOf = (name: string) => tools.find((tool) => tool.name === name)?.title ?? name
  /** What is being taken back. */
  const [gone, setGone] = useState<string>()
  const usable = tools.filter(sendsToSomebody)
  if (usable.length === 0 && permissions.length === 0) return null
  return (
    <section aria-label={words.sends} className="askback-choices">
      <h3>{words.sends}</h3>
      <p className="askback-quiet askback-small">{words.sendsNote}</p>
      {permissions.map((one) => {
        const sentence = labels.permission({ ...one, tool: titleOf(one.toolName) })
        return (
          <div key={one.id} className="askback-provider-head">
            <p dir="auto">{sentence}</p>
            <div className="askback-actions">
              <button
                type="button"
                disabled={gone === one.id}
                aria-label={words.takeBackThis(sentence)}
                onClick={() => {
                  setGone(one.id)
                  void onTakeBack(one, sentence).finally(() => setGone(undefined))
                }}
              >
                {words.takeBack}
              </button>
            </div>
          </div>
        )
      })}
      {usable.length > 0 && <NewPermission tools={usable} onAdd={onAdd} />}
    </section>
  )
}

function NewPermission({
  tools,
  onAdd,
}: {
  tools: readonly ToolDescription[]
  onAdd(toolName: string, terms: PermissionTerms): Promise<void>
}) {
  const words = useAppLabels()
  const labels = useLabels()
  const form = useRef<HTMLFormElement>(null)
  const [problems, setProblems] = useState<PermissionProblems>()
  const [chosen, setChosen] = useState<string>()
  const [terms, setTerms] = useState(noTerms)
  const [isAdding, setAdding] = useState(false)
  const toolName = tools.find(({ name }) => name === chosen)?.name ?? tools[0]?.name ?? ''

  const refuse = (found: PermissionProblems) => {
    setProblems(found)
    requestAnimationFrame(() => focusProblem(form.current))
  }
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
    }
    setAdding(false)
  }
  return (
    <details>
      <summary>{words.allow}</summary>
      <form ref={form} noValidate className="askback-fields" onSubmit={(event) => void add(event)}>
        <div className="askback-field">
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
        </div>
        <PermissionFields
          terms={terms}
          problems={problems}
          disabled={isAdding}
          onChange={(changed) => {
            setProblems(undefined)
            setTerms(changed)
          }}
        />
        <div className="askback-actions">
          <button type="submit" disabled={isAdding || terms.pattern.trim() === ''}>
            {words.allowThem}
          </button>
        </div>
      </form>
    </details>
  )
}

/** Whether a tool sends to people whom its user names, and does not ask for certain values alone. */
function sendsToSomebody({ effect, approval, alwaysAsks, parameters }: ToolDescription): boolean {
  if (effect !== 'write' || approval === 'sometimes' || alwaysAsks) return false
  return Object.values(parameters.properties ?? {}).some(({ source }) => source === 'conversation')
}
