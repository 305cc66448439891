import { Component, type ReactNode } from 'react'
import { frameWords } from '../base/frame-words.ts'

/** Keeps a page that cannot be rendered from breaking the rest of the app. */
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
    const words = frameWords()
    return (
      <main className="page narrow">
        <h1>{words.failed}</h1>
        <p>{words.failedNote}</p>
        <p>
          <button type="button" className="primary" onClick={() => location.reload()}>
            {words.reload}
          </button>
        </p>
      </main>
    )
  }
}
