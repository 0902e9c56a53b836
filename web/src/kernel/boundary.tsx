import { Component, type ReactNode } from 'react'
import { logError } from './errors.ts'

interface Props {
  readonly children: ReactNode
  /** Drawn instead of what failed; `retry` mounts the children anew. */
  readonly fallback: (retry: () => void) => ReactNode
  /** A new value mounts the children anew, such as the path. */
  readonly resetKey?: string
}
interface State {
  readonly failed: boolean
  readonly key: string | undefined
}

const chunkFailure = /dynamically imported module|module script failed|Failed to fetch dynamically|Unable to preload CSS/i

/** After a new version was put up an old page asks for files that are gone: one reload gets the new page, and only one. */
const reloadOnce = (error: unknown): void => {
  if (!(error instanceof Error) || !chunkFailure.test(error.message)) return
  try {
    const last = Number(sessionStorage.getItem('kaopu-reloaded') ?? 0)
    if (Date.now() - last < 60_000) return
    sessionStorage.setItem('kaopu-reloaded', String(Date.now()))
  } catch {
    return
  }
  location.reload()
}

/** Keeps a failure of one part inside that part and notes it in the local log (S8.10). */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { failed: false, key: this.props.resetKey }

  static getDerivedStateFromError(): Partial<State> {
    return { failed: true }
  }
  static getDerivedStateFromProps(props: Props, state: State): Partial<State> | null {
    return props.resetKey === state.key ? null : { failed: false, key: props.resetKey }
  }
  override componentDidCatch(error: unknown, info: { componentStack?: string | null }): void {
    logError(error, info.componentStack ?? '')
    reloadOnce(error)
  }
  override render(): ReactNode {
    return this.state.failed ? this.props.fallback(() => this.setState({ failed: false })) : this.props.children
  }
}
