/**
 * Registers the worker that opens the portal without a network. It takes over when no page of an earlier version is open any more,
 * so that a form that is being filled in keeps the files it began with.
 */
export const startWorker = (): void => {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
  navigator.serviceWorker.register('/sw.js', { updateViaCache: 'none' }).catch(() => {
    // Private windows and some in-app browsers have none: the portal works without.
  })
}
