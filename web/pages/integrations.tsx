export function IntegrationsPage() {
  return (
    <main className="page">
      <h1>Integrations</h1>
    </main>
  )
}
