import { withoutHidden } from '../../../shared/words/hidden-marks.ts'
import type { MessageData } from '../../api/message.ts'
import { useToolNames } from '../labels/tool-names.tsx'
import { useLabels } from '../labels/use-labels.ts'

/** What a replaced answer did: asking again has not undone it. */
export function DoneBefore({ writes }: { writes: readonly MessageData['done-before'][] }) {
  const labels = useLabels()
  const names = useToolNames()
  const lines = writes.map(({ toolName, summary }) => withoutHidden(summary ?? names.title(toolName)))
  return <p className="askback-quiet">{labels.doneBefore(lines.join(' · '))}</p>
}
