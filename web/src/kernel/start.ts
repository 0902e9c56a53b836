import { refreshToken } from './api.ts'
import { startErrorLog } from './errors.ts'
import { startI18n } from './i18n/index.ts'
import { startSession, useSession } from './session.ts'
import * as settings from './settings.ts'
import { startTheme } from './theme/theme.ts'

/** Is the token old enough to be renewed (S9.02)? */
export const isTokenOld = (tokenAtMs: number, nowMs: number): boolean => nowMs - tokenAtMs >= settings.tokenTimeS * 1000

/** Everything a page needs before its first entry is drawn; the boot script calls it once. */
export const startKernel = (): void => {
  startTheme()
  startI18n()
  startErrorLog()
  startSession(() => location.assign('/'))
  setInterval(() => {
    const { token, tokenAtMs, locked } = useSession.getState()
    if (token !== null && !locked && isTokenOld(tokenAtMs, Date.now())) void refreshToken().catch(() => {})
  }, settings.tokenCheckMs)
}
