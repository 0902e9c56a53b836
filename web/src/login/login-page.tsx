import { type KeyboardEvent, Suspense, useCallback, useEffect, useState } from 'react'
import { setLang, type Translate, useLabel, useLang, useT } from '../kernel/i18n/index.ts'
import { lazyPart } from '../kernel/lazy-part.ts'
import { enterAt } from '../kernel/leave.ts'
import { notify } from '../kernel/notify.ts'
import { openPageOf, useOpenPath } from '../kernel/open-path.ts'
import { safeRedirect } from '../kernel/safe-redirect.ts'
import { setTenantId, type TokenAnswer, tenantId } from '../kernel/session.ts'
import { logIn } from '../kernel/session-acts.ts'
import { setPlatformTitle, usePlatformTitle } from '../kernel/title.ts'
import { Toaster } from '../kernel/toaster.tsx'
import { AccountForm } from './account-form.tsx'
import { findTenant } from './login-calls.ts'
import type { SecondStep as Step } from './second-step-calls.ts'
import { SmsForm } from './sms-form.tsx'
import { loginTexts } from './texts.ts'
import { type Doors, getDoors, keepWay } from './third-party-calls.ts'

const OwnPassword = lazyPart(async () => (await import('./own-password.tsx')).OwnPassword)
const StaffRegister = lazyPart(async () => (await import('./staff-register.tsx')).StaffRegister)
const SecondStep = lazyPart(async () => (await import('./second-step.tsx')).SecondStep)

/** What stands between the proof and the session. `typed` is the password, so that nobody types a one-time password twice. */
type Next =
  | { readonly kind: 'second-step'; readonly step: Step; readonly typed: string }
  | { readonly kind: 'own-password'; readonly answer: TokenAnswer; readonly typed: string }
  | { readonly kind: 'register' }
type Kind = 'account' | 'sms'
const kinds: readonly Kind[] = ['account', 'sms']

/** The tenant comes from the address, then this browser, then the host (decision 3.10). No field asks for it. */
const useTenantOfHost = () => {
  const [pictures, setPictures] = useState({ logoUrl: '', backgroundUrl: '' })
  const [isKnown, setKnown] = useState(tenantId() !== null)
  useEffect(() => {
    findTenant()
      .then(
        info => {
          if (info.tenantId && tenantId() === null) setTenantId(info.tenantId)
          setPlatformTitle(info.title ?? null)
          setPictures({ logoUrl: info.logoUrl ?? '', backgroundUrl: info.backgroundUrl ?? '' })
        },
        () => {},
      )
      .finally(() => setKnown(true))
  }, [])
  return { ...pictures, isKnown }
}

/** What the tenant offers, asked for when it is known which one it is; until the answer everything that needs no other party. */
const useDoors = (isTenantKnown: boolean) => {
  const [doors, setDoors] = useState<Pick<Doors, 'captcha' | 'register' | 'staffRegister' | 'thirdParty'>>({
    captcha: true,
    register: true,
    staffRegister: false,
    thirdParty: [],
  })
  useEffect(() => {
    if (isTenantKnown) getDoors(tenantId()).then(setDoors, () => {})
  }, [isTenantKnown])
  return doors
}

/** What a provider's page sent back with. */
const useReturn = (t: Translate<typeof loginTexts.zh>) =>
  useEffect(() => {
    const error = new URLSearchParams(location.search).get('error')
    if (error === 'social_cancelled') notify('info', t('third.cancelled'))
    else if (error !== null) notify('error', t('third.failed'))
  }, [t])

/** Fetches the program that the person probably needs while they type: on a phone it is a candidate, whose data is not wasted. */
const preloadEntries = () => {
  void import('../portal/entry.tsx').catch(() => {})
  if (matchMedia('(min-width: 992px)').matches) void import('../console/entry.tsx').catch(() => {})
}

/** Whoever only wants to know what there is needs no account. */
const PublicDoor = ({ back }: { readonly back: string }) => {
  const t = useT(loginTexts)
  const open = useOpenPath()
  const page = openPageOf(back)
  return (
    <nav className="login-open" aria-label={t('open.free')}>
      <a className="login-open-main" href={open(page ?? '/open')}>
        {t(page === null ? 'open.all' : 'open.this')}
      </a>
      <span>{t('open.free')}</span>
      <a href="/notices">{t('notices')}</a> <a href="/publicity">{t('publicity')}</a> <a href="/news">{t('news')}</a>{' '}
      <a href={open('/open/questions')}>{t('open.questions')}</a>
    </nav>
  )
}

export const LoginPage = () => {
  const t = useT(loginTexts)
  const lang = useLang()
  const label = useLabel()
  const platform = usePlatformTitle()
  const [kind, setKind] = useState<Kind>('account')
  const [next, setNext] = useState<Next | null>(null)
  const { logoUrl, backgroundUrl, isKnown } = useTenantOfHost()
  const doors = useDoors(isKnown)
  useReturn(t)
  useEffect(() => {
    document.title = t('title')
  }, [t])
  useEffect(() => {
    const idle = window.requestIdleCallback ?? ((run: () => void) => setTimeout(run, 1_500))
    idle(preloadEntries, { timeout: 4_000 })
  }, [])

  const way = location.search.includes('redirect=') ? location.search : ''
  const back = safeRedirect(new URLSearchParams(location.search).get('redirect'))
  const enter = (answer: TokenAnswer) => {
    logIn(answer)
    enterAt(back)
  }
  const onLoggedIn = (answer: TokenAnswer, typed = '') => {
    if (answer.password_due) setNext({ kind: 'own-password', answer, typed })
    else enter(answer)
  }
  const onNext = (step: Step, typed = '') => setNext({ kind: 'second-step', step, typed })
  const onBack = useCallback(() => setNext(null), [])
  const onTabKey = (event: KeyboardEvent<HTMLButtonElement>) => {
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return
    const next = kind === 'account' ? 'sms' : 'account'
    setKind(next)
    document.getElementById(`login-tab-${next}`)?.focus()
  }

  return (
    <div
      className="login"
      data-picture={backgroundUrl !== ''}
      style={backgroundUrl === '' ? undefined : { backgroundImage: `url(${JSON.stringify(backgroundUrl)})` }}
    >
      <header className="login-top">
        <div className="login-brand">
          {logoUrl === '' ? (
            <svg width="28" height="28" viewBox="0 0 32 32" aria-hidden="true">
              <rect width="32" height="32" rx="7" fill="var(--primary)" />
              <path d="M9 7h9l5 5v13H9z" fill="#fff" />
              <path d="M18 7v5h5" fill="var(--info-border)" />
              <path d="m12 18 3 3 5-6" fill="none" stroke="var(--primary)" strokeWidth="2.4" strokeLinecap="round" strokeLinejoin="round" />
            </svg>
          ) : (
            <img className="login-logo" src={logoUrl} alt="" />
          )}
          <span>{platform}</span>
        </div>
        <button
          type="button"
          className="login-lang"
          lang={lang === 'zh' ? 'en' : 'zh-CN'}
          onClick={() => setLang(lang === 'zh' ? 'en' : 'zh')}
        >
          {lang === 'zh' ? 'English' : '中文'}
        </button>
      </header>
      <main className="login-main">
        <section className="login-lead" aria-hidden="true">
          <p className="login-lead-title">{platform}</p>
          <p>{t('lead')}</p>
          <ul>
            <li>{t('point1')}</li>
            <li>{t('point2')}</li>
            <li>{t('point3')}</li>
          </ul>
        </section>
        <div className="login-card">
          {next === null ? (
            <>
              <h1>{t('title')}</h1>
              <PublicDoor back={back} />
              {back === '/' ? null : (
                <p className="login-back" role="note">
                  {t(
                    /^\/signup\/form\b/.test(back)
                      ? 'back.form'
                      : /^\/(signup|info|notices|publicity|news)\b/.test(back)
                        ? 'back.short'
                        : 'back.console',
                  )}
                </p>
              )}
              <div role="tablist" aria-label={t('kinds')} className="login-tabs">
                {kinds.map(each => (
                  <button
                    key={each}
                    id={`login-tab-${each}`}
                    type="button"
                    role="tab"
                    aria-selected={kind === each}
                    aria-controls="login-panel"
                    tabIndex={kind === each ? 0 : -1}
                    onClick={() => setKind(each)}
                    onKeyDown={onTabKey}
                  >
                    {each === 'account' ? t('byAccount') : t('bySms')}
                  </button>
                ))}
              </div>
              <div role="tabpanel" id="login-panel" aria-labelledby={`login-tab-${kind}`}>
                {kind === 'account' ? (
                  <AccountForm hasCaptcha={doors.captcha} onLoggedIn={onLoggedIn} onNext={onNext} />
                ) : (
                  <SmsForm onLoggedIn={onLoggedIn} onNext={onNext} />
                )}
              </div>
              <div className="login-register">
                {doors.register ? (
                  <a className="login-join" href={`/register${way}`}>
                    {t('register')}
                  </a>
                ) : null}
                <a href="/register/forgot">{t('forgot')}</a>
                {doors.staffRegister ? (
                  <button type="button" onClick={() => setNext({ kind: 'register' })}>
                    {t('register.staff')}
                  </button>
                ) : null}
              </div>
              {doors.thirdParty.length === 0 ? null : (
                <section className="login-third" aria-label={t('third.or')}>
                  <p aria-hidden="true">{t('third.or')}</p>
                  <ul>
                    {doors.thirdParty.map(door => (
                      <li key={door.source}>
                        <a href={door.href} onClick={() => keepWay(new URLSearchParams(location.search).get('redirect') ?? '/')}>
                          {label(door.name)}
                        </a>
                      </li>
                    ))}
                  </ul>
                </section>
              )}
            </>
          ) : (
            <Suspense>
              {next.kind === 'register' ? (
                <StaffRegister hasCaptcha={doors.captcha} onBack={onBack} />
              ) : next.kind === 'second-step' ? (
                <SecondStep step={next.step} onLoggedIn={answer => onLoggedIn(answer, next.typed)} onBack={onBack} />
              ) : (
                <OwnPassword answer={next.answer} typed={next.typed} onLoggedIn={enter} onBack={onBack} />
              )}
            </Suspense>
          )}
        </div>
      </main>
      <Toaster />
    </div>
  )
}
