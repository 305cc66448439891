/** A line icon. Decorative: its meaning is always written beside it. */
export function Drawing({
  lines,
  className = 'askback-icon',
}: {
  lines: readonly string[]
  className?: string
}) {
  return (
    <svg className={className} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      {lines.map((line) => (
        <path key={line} d={line} />
      ))}
    </svg>
  )
}
