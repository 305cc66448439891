export function InsightsPage() {
  return (
    <main className="page">
      <h1>Insights</h1>
    </main>
  )
}
