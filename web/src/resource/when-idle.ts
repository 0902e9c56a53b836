const latestMs = 1_500

/** Runs it when the browser has nothing else to do; Safari, which does not tell, gets it a moment later. */
export const whenIdle = (run: () => unknown): void => {
  const idle = window.requestIdleCallback ?? ((later: () => void) => setTimeout(later, latestMs))
  idle(() => void run(), { timeout: latestMs })
}
