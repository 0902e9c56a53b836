import { Suspense, useEffect, useState } from 'react'
import { lazyPart } from '../kernel/chunk.ts'
import { safeRedirect } from '../kernel/guard.ts'
import { useT } from '../kernel/i18n/index.ts'
import { enterAt } from '../kernel/leave.ts'
import { logIn, type TokenAnswer } from '../kernel/session.ts'
import { Toaster } from '../kernel/toaster.tsx'
import { loginTexts } from './texts.ts'
import { isGuest, logInByProvider, takeWay } from './third-party-calls.ts'

const GuestDialog = lazyPart(async () => (await import('./guest-dialog.tsx')).GuestDialog)

/** A provider's answer is good once, and React draws twice while we develop. */
let answer: Promise<TokenAnswer> | null = null

/** Where a provider sends people back: `/oauth/redirect/<source>?code=&state=` (framework-contract 2.11). */
export const RedirectPage = () => {
  const t = useT(loginTexts)
  const [guest, setGuest] = useState<TokenAnswer | null>(null)
  useEffect(() => {
    document.title = t('third.title')
  }, [t])
  useEffect(() => {
    const params = new URLSearchParams(location.search)
    const source = decodeURIComponent(location.pathname.split('/').at(-1) ?? '')
    const code = params.get('code')
    const state = params.get('state')
    if (code === null || state === null) {
      location.replace('/login?error=social_cancelled')
      return
    }
    answer ??= logInByProvider({ source, code, state })
    answer.then(
      got => {
        if (isGuest(got)) setGuest(got)
        else {
          logIn(got)
          enterAt(safeRedirect(takeWay()))
        }
      },
      // The api client has said why; the way back leaves time to read it.
      () => setTimeout(() => location.replace('/login'), 2_000),
    )
  }, [])
  return (
    <div className="login">
      <main className="login-wait">
        <h1>{t('third.title')}</h1>
        {guest === null ? <p role="status">{t('third.wait')}</p> : null}
      </main>
      {guest === null ? null : (
        <Suspense>
          <GuestDialog guest={guest} />
        </Suspense>
      )}
      {/* An open dialog lies above everything else, so it has a toaster of its own. */}
      {guest === null ? <Toaster /> : null}
    </div>
  )
}
