export function AgentsPage() {
  return (
    <main className="page">
      <h1>Agents</h1>
    </main>
  )
}
