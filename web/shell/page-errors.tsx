import { Component, type ReactNode } from 'react'

/** A page that cannot be shown does not take the others with it. */
export class PageErrors extends Component<{ path: string; children: ReactNode }, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  override componentDidUpdate({ path }: { path: string }) {
    if (this.state.failed && path !== this.props.path) this.setState({ failed: false })
  }

  override render() {
    if (!this.state.failed) return this.props.children
    return (
      <main className="page narrow">
        <h1>This page couldn’t be shown</h1>
        <p>Your data is safe. Reload the page to try again.</p>
        <p>
          <button type="button" className="primary" onClick={() => location.reload()}>
            Reload
          </button>
        </p>
      </main>
    )
  }
}
