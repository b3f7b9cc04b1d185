import { Component, type ReactNode } from 'react'
import { BrokenPage } from './broken-page.tsx'

interface ErrorBoundaryProps {
  /** Wraps the message in place of what failed. */
  frame?: (message: ReactNode) => ReactNode
  /** Further actions of the message. */
  actions?: ReactNode
  children: ReactNode
}

/** Contains a failure of its children, or of loading their code: the rest of the page stays. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { error?: unknown }> {
  override state: { error?: unknown } = {}

  static getDerivedStateFromError(error: unknown) {
    return { error }
  }

  override render() {
    const { frame = (message) => message, actions, children } = this.props
    if (this.state.error === undefined) return children
    return frame(<BrokenPage error={this.state.error}>{actions}</BrokenPage>)
  }
}
