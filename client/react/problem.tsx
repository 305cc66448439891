/** Why something was not done, read aloud when it appears; nothing without a sentence. */
export function Problem({ children }: { children: string | undefined }) {
  if (!children) return null
  return (
    <p role="alert" className="askback-problem">
      {children}
    </p>
  )
}
