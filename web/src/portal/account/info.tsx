import { type KeyboardEvent, lazy, Suspense, useId, useRef, useState } from 'react'
import { useT } from '#web/kernel/i18n/index.ts'
import { logOut } from '#web/kernel/leave.ts'
import { useRead } from '../calls.ts'
import { dropKept } from '../form/kept.ts'
import { ask } from '../kit/ask.ts'
import { Load } from '../kit/load.tsx'
import { PageTitle } from '../kit/page-ui.tsx'
import { Button } from '../kit/ui.tsx'
import { PasswordForm } from './password-form.tsx'
import { Profile } from './profile.tsx'
import { accountTexts } from './texts.ts'
import './account.css'

const OwnData = lazy(async () => ({ default: (await import('./own-data.tsx')).OwnData }))

const Me = () => {
  const t = useT(accountTexts)
  const me = useRead('me', {}, { staleMs: 0 })
  const leave = async () => {
    if (await ask({ title: t('info.logoutAsk'), body: <p>{t('info.logoutBody')}</p>, okText: t('info.logout') })) {
      dropKept()
      await logOut()
    }
  }
  return (
    <div className="p-stack">
      <Load query={me} skeleton={[320, 220]}>
        {user => <Profile me={user} />}
      </Load>
      <Suspense>
        <OwnData />
      </Suspense>
      <Button block onClick={() => void leave()}>
        {t('info.logout')}
      </Button>
    </div>
  )
}

const tabs = ['me', 'password'] as const

/** Two tabs: what is known of oneself, and the password (S2.51). */
export const InfoPage = () => {
  const t = useT(accountTexts)
  const id = useId()
  const [tab, setTab] = useState<(typeof tabs)[number]>('me')
  const buttons = useRef<(HTMLButtonElement | null)[]>([])
  const move = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    if (step === 0) return
    const to = (tabs.indexOf(tab) + step + tabs.length) % tabs.length
    setTab(tabs[to] ?? 'me')
    buttons.current[to]?.focus()
  }
  return (
    <>
      <PageTitle back="/signup/myExam" title={t('info.title')} />
      <div className="p-tabs" role="tablist" aria-label={t('info.tabs')} onKeyDown={move}>
        {tabs.map((key, index) => (
          <button
            key={key}
            ref={element => {
              buttons.current[index] = element
            }}
            type="button"
            role="tab"
            id={`${id}-${key}`}
            aria-selected={tab === key}
            aria-controls={`${id}-panel`}
            tabIndex={tab === key ? 0 : -1}
            onClick={() => setTab(key)}
          >
            {t(`info.tab.${key}`)}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${tab}`}>
        {tab === 'me' ? <Me /> : <PasswordForm />}
      </div>
    </>
  )
}
