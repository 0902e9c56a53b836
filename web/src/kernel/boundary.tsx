import { Component, type ReactNode } from 'react'
import { isChunkFailure, reloadOnce } from './chunk.ts'
import { logError } from './errors.ts'

interface Props {
  readonly children: ReactNode
  /** Drawn instead of what failed; `retry` mounts the children anew. */
  readonly fallback: (retry: () => void, error: unknown) => ReactNode
  /** A new value mounts the children anew, such as the path. */
  readonly resetKey?: string
}
interface State {
  readonly failed: boolean
  readonly error?: unknown
  readonly key: string | undefined
}

/** Keeps a failure of one part inside that part and notes it in the local log (S8.10). */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { failed: false, key: this.props.resetKey }

  static getDerivedStateFromError(error: unknown): Partial<State> {
    return { failed: true, error }
  }
  static getDerivedStateFromProps(props: Props, state: State): Partial<State> | null {
    return props.resetKey === state.key ? null : { failed: false, key: props.resetKey }
  }
  override componentDidCatch(error: unknown, info: { componentStack?: string | null }): void {
    logError(error, info.componentStack ?? '')
    // Parts that were loaded without `loadChunk`; it has tried by itself.
    if (isChunkFailure(error)) reloadOnce()
  }
  override render(): ReactNode {
    return this.state.failed ? this.props.fallback(() => this.setState({ failed: false }), this.state.error) : this.props.children
  }
}
