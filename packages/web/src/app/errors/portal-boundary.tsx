import { Component, type ReactNode } from 'react'
import { BrokenPage } from './broken-page.tsx'

/** Wraps the router, for failures of loading the portal's own code. */
export class PortalBoundary extends Component<{ children: ReactNode }, { error?: unknown }> {
  override state: { error?: unknown } = {}

  static getDerivedStateFromError(error: unknown) {
    return { error }
  }

  override render() {
    if (this.state.error === undefined) return this.props.children
    return (
      <main>
        <BrokenPage error={this.state.error} />
      </main>
    )
  }
}
