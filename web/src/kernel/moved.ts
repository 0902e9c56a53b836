import { createStore } from 'zustand/vanilla'

/** Since when what is shown is from the memory of the server, because it has no database: milliseconds since 1970; null while all is well. */
export const movedStore = createStore<{ readonly atMs: number | null }>(() => ({ atMs: null }))

/** Looks at where an answer came from. */
export const noteAnswer = (response: Response): void => {
  const header = response.headers.get('X-Answered-At')
  const now = movedStore.getState().atMs
  if (header !== null) {
    const atMs = Number(header)
    // The oldest of what is on the screen.
    if (now === null || atMs < now) movedStore.setState({ atMs })
  } else if (now !== null && response.ok) movedStore.setState({ atMs: null })
}
