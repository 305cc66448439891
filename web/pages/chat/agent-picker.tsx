import { frameWords } from '../../base/frame-words.ts'
import type { Agent } from '../../base/queries.ts'

/** Chooses the agent for a new conversation; hidden if there is only one. */
export function AgentPicker({
  agents,
  chosen,
  onChoose,
}: {
  agents: readonly Agent[]
  chosen: string | undefined
  onChoose(id: string): void
}) {
  if (agents.length < 2) return null
  return (
    <select
      aria-label={frameWords().agent}
      className="askback-choice"
      value={chosen ?? agents[0]?.id}
      onChange={(event) => onChoose(event.target.value)}
    >
      {agents.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  )
}
