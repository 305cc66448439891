/** Numbers with their names. */
export function Figures({ figures }: { figures: Record<string, string> }) {
  return (
    <dl className="figures">
      {Object.entries(figures).map(([name, value]) => (
        <div key={name} className="figure">
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
