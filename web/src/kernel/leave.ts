import { api } from './api.ts'
import { forgetSession } from './session.ts'
import * as settings from './settings.ts'

/**
 * Changes the entry without a reload: after a login the boot script looks at the session again and draws `path` with the entry
 * it belongs to.
 */
export const enterAt = (path: string): void => {
  history.replaceState(null, '', path)
  dispatchEvent(new Event('kaopu-enter'))
}

/** S4.04: the server ends the session, this browser forgets it, and the page starts anew so that nothing of it stays in memory. */
export const logOut = async (): Promise<void> => {
  try {
    await api.call('GET /blade-auth/oauth/logout', {}, { quiet: true, timeoutMs: settings.leaveTimeoutMs })
  } catch {
    // Leaving must work without the server: its session ends by time.
  }
  forgetSession()
  location.assign('/login')
}
