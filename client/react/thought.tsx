/** What the model thought, folded as soon as it is over. */
export function Thought({ text, isOpen }: { text: string; isOpen: boolean }) {
  return (
    <details className="askback-thought" open={isOpen} aria-live="off">
      <summary>{isOpen ? 'Thinking …' : 'Thoughts'}</summary>
      <p>{text}</p>
    </details>
  )
}
