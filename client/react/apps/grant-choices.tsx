import type { GrantableAgent } from '../../api/types.ts'
import { useAppLabels } from '../labels/use-app-labels.ts'

/** The name of the tool that is the agent itself. */
export const agentTool = 'ask_agent'

/** What an app may do with an agent: each tool on or off, and whether it may show approvals itself. */
export function GrantChoices({
  agent,
  titleOf,
  tools,
  forms,
  isBusy,
  isTitled = false,
  onTools,
  onForms,
}: {
  agent: GrantableAgent
  /** What a tool is called. */
  titleOf: (name: string) => string
  tools: readonly string[]
  forms: boolean
  isBusy: boolean
  /** Whether what stands around it says what it is. */
  isTitled?: boolean
  onTools(tools: string[]): void
  onForms(forms: boolean): void
}) {
  const words = useAppLabels()
  const rows = [
    ...agent.tools.map(({ name, asks, effect }) => ({
      name,
      title: titleOf(name),
      note: asks ? words.asksYou : effect === 'write' ? words.unasked : undefined,
    })),
    { name: agentTool, title: words.giveTasks(agent.name), note: words.giveTasksNote },
  ]
  const change = (name: string, isOn: boolean) =>
    onTools(isOn ? [...tools, name] : tools.filter((one) => one !== name))
  return (
    <>
      <fieldset className="askback-choices" disabled={isBusy} aria-label={words.mayDo}>
        {!isTitled && <legend>{words.mayDo}</legend>}
        {rows.map(({ name, title, note }) => (
          <Choice
            key={name}
            title={title}
            note={note}
            isOn={tools.includes(name)}
            onChange={(isOn) => change(name, isOn)}
          />
        ))}
        <p className="askback-quiet askback-small">{words.laterOff}</p>
      </fieldset>
      <fieldset className="askback-choices" disabled={isBusy} aria-label={words.forms}>
        <Choice title={words.forms} isOn={forms} onChange={onForms} />
        <p className="askback-quiet askback-small">{words.formsNote}</p>
      </fieldset>
    </>
  )
}

function Choice({
  title,
  note,
  isOn,
  onChange,
}: {
  title: string
  note?: string | undefined
  isOn: boolean
  onChange(isOn: boolean): void
}) {
  return (
    <label>
      <input type="checkbox" checked={isOn} onChange={({ target }) => onChange(target.checked)} />
      <span dir="auto">
        {title}
        {note && <span className="askback-quiet"> · {note}</span>}
      </span>
    </label>
  )
}
