import { Component, type ReactNode } from 'react'
import type { ChatMessage } from '../../api/message.ts'
import { useLabels } from '../labels/use-labels.ts'

/** Keeps a message that cannot be rendered from breaking the others; it is tried again when it changes. */
export class MessageErrors extends Component<
  { message: ChatMessage; children: ReactNode },
  { failed: boolean }
> {
  override state = { failed: false }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  override componentDidUpdate({ message }: { message: ChatMessage }) {
    if (this.state.failed && message !== this.props.message) this.setState({ failed: false })
  }

  override render() {
    if (!this.state.failed) return this.props.children
    return <Unshown />
  }
}

function Unshown() {
  return <p className="askback-problem">{useLabels().messageUnshown}</p>
}
