import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, Suspense, useCallback, useId, useRef, useState } from 'react'
import { useT } from '#web/kernel/i18n/index.ts'
import { lazyPart } from '#web/kernel/lazy-part.ts'
import { meQuery } from '#web/shell/me.ts'
import { usePage } from '#web/shell/page-context.tsx'
import { Loaded } from '#web/ui/states.tsx'
import { useUnsaved } from '#web/ui/unsaved.ts'
import { accountTexts } from '../texts.ts'
import { PasswordForm } from './password-form.tsx'
import { ProfileForm } from './profile-form.tsx'
import '../account.css'

const FactorForm = lazyPart(async () => (await import('./factor-form.tsx')).FactorForm)

const kinds = ['profile', 'password'] as const
type Kind = (typeof kinds)[number]

/** S2.11, S2.51: personal info, and the password with the second factor, each in a tab; what was typed in one stays while the other shows. */
export const Page = () => {
  const t = useT(accountTexts)
  const id = useId()
  const { path } = usePage()
  const query = useQuery(meQuery)
  const [kind, setKind] = useState<Kind>('profile')
  const changed = useRef<Record<Kind | 'factor', boolean>>({ profile: false, password: false, factor: false })
  useUnsaved(path, () => Object.values(changed.current).some(Boolean))
  const onFactorChanges = useCallback((now: boolean) => {
    changed.current.factor = now
  }, [])
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return
    const next = kind === 'profile' ? 'password' : 'profile'
    setKind(next)
    document.getElementById(`${id}-${next}`)?.focus()
  }
  return (
    <div className="info">
      <h1>{t('info.title')}</h1>
      <section className="card">
        <div className="info-tabs" role="tablist" aria-label={t('info.tabs')}>
          {kinds.map(each => (
            <button
              key={each}
              id={`${id}-${each}`}
              type="button"
              role="tab"
              aria-selected={each === kind}
              aria-controls={`${id}-${each}-panel`}
              tabIndex={each === kind ? 0 : -1}
              onClick={() => setKind(each)}
              onKeyDown={onKeyDown}
            >
              {t(`info.${each}`)}
            </button>
          ))}
        </div>
        <div
          id={`${id}-profile-panel`}
          role="tabpanel"
          aria-labelledby={`${id}-profile`}
          className="info-panel"
          hidden={kind !== 'profile'}
        >
          <Loaded query={query}>
            {me => (
              <ProfileForm
                me={me}
                onChanges={now => {
                  changed.current.profile = now
                }}
              />
            )}
          </Loaded>
        </div>
        <div
          id={`${id}-password-panel`}
          role="tabpanel"
          aria-labelledby={`${id}-password`}
          className="info-panel"
          hidden={kind !== 'password'}
        >
          <PasswordForm
            onChanges={now => {
              changed.current.password = now
            }}
          />
          <section className="info-factor" aria-labelledby={`${id}-factor`}>
            <h2 id={`${id}-factor`}>{t('info.factor')}</h2>
            <Suspense>
              <FactorForm onChanges={onFactorChanges} />
            </Suspense>
          </section>
        </div>
      </section>
    </div>
  )
}
