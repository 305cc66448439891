import { useLabels } from '../labels/use-labels.ts'
import { CallValues } from './call-values.tsx'

/** What is known of a call that waits, folded; nothing if nothing is. */
export function KeptValues({ toolName, values }: { toolName: string; values: Record<string, unknown> }) {
  const labels = useLabels()
  if (Object.keys(values).length === 0) return null
  return (
    <details className="askback-kept">
      <summary>{labels.soFar}</summary>
      <CallValues toolName={toolName} values={values} />
    </details>
  )
}
