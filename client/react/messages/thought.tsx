import { useLabels } from '../labels/use-labels.ts'

/** The model's thoughts, collapsed as soon as they are complete. */
export function Thought({ text, isOpen }: { text: string; isOpen: boolean }) {
  const labels = useLabels()
  return (
    <details className="askback-thought" open={isOpen}>
      <summary>{isOpen ? labels.thinking : labels.thoughts}</summary>
      <p dir="auto">{text}</p>
    </details>
  )
}
