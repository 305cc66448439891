/** Why something was not done, read aloud when it appears; nothing without a sentence. */
export function Problem({ id, children }: { id?: string; children: string | undefined }) {
  if (!children) return null
  return (
    <p id={id} role="alert" className="askback-problem">
      {children}
    </p>
  )
}
