import { Suspense, useCallback, useEffect, useState } from 'react'
import { isApiError } from '../kernel/api-error.ts'
import { useT } from '../kernel/i18n/index.ts'
import { lazyPart } from '../kernel/lazy-part.ts'
import { enterAt } from '../kernel/leave.ts'
import { safeRedirect } from '../kernel/safe-redirect.ts'
import { useSaid } from '../kernel/said.ts'
import type { TokenAnswer } from '../kernel/session.ts'
import { logIn } from '../kernel/session-acts.ts'
import { Toaster } from '../kernel/toaster.tsx'
import { type SecondStep as Step, secondStepOf } from './second-step-calls.ts'
import { loginTexts } from './texts.ts'
import { isGuest, logInByProvider, takeWay, tenantOfState } from './third-party-calls.ts'

const GuestDialog = lazyPart(async () => (await import('./guest-dialog.tsx')).GuestDialog)
const OwnPassword = lazyPart(async () => (await import('./own-password.tsx')).OwnPassword)
const SecondStep = lazyPart(async () => (await import('./second-step.tsx')).SecondStep)

/** A provider's answer is good once, and React draws twice while we develop. */
let answer: Promise<TokenAnswer> | null = null

const enter = (got: TokenAnswer): void => {
  logIn(got)
  enterAt(safeRedirect(takeWay()))
}
const toLogin = (): void => location.replace('/login')

/** Where a provider sends people back: `/oauth/redirect/<source>?code=&state=` (framework-contract 2.11). */
export const RedirectPage = () => {
  const t = useT(loginTexts)
  const [guest, setGuest] = useState<TokenAnswer | null>(null)
  const [step, setStep] = useState<Step | null>(null)
  const [due, setDue] = useState<TokenAnswer | null>(null)
  const [failure, setFailure] = useSaid<string | null>(null)
  const onLoggedIn = useCallback((got: TokenAnswer) => (got.password_due ? setDue(got) : enter(got)), [])
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
        else onLoggedIn(got)
      },
      error => {
        const next = secondStepOf(error, tenantOfState(state))
        if (next !== null) setStep(next)
        // The api client's message goes by itself; here everybody has the time they need to read it.
        else setFailure(isApiError(error) ? error.message : '')
      },
    )
  }, [onLoggedIn, setFailure])
  if (due !== null || step !== null)
    return (
      <div className="login">
        <main className="login-main login-alone">
          <div className="login-card">
            <Suspense>
              {due !== null ? (
                <OwnPassword answer={due} typed="" onLoggedIn={enter} onBack={toLogin} />
              ) : step !== null ? (
                <SecondStep step={step} onLoggedIn={onLoggedIn} onBack={toLogin} />
              ) : null}
            </Suspense>
          </div>
        </main>
        <Toaster />
      </div>
    )
  return (
    <div className="login">
      <main className="login-wait">
        <h1>{t('third.title')}</h1>
        {guest === null ? <p role="status">{failure === null ? t('third.wait') : failure || t('third.failed')}</p> : null}
        {failure === null ? null : (
          // biome-ignore lint/a11y/noAutofocus: the only way on
          <button type="button" className="login-submit" autoFocus onClick={toLogin}>
            {t('guest.back')}
          </button>
        )}
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
