import { type FormEvent, type KeyboardEvent, useId, useRef, useState } from 'react'
import { checkPassword, passwordMessage, passwordPolicyOf } from '#contract/system/password-policy.ts'
import { isApiError } from '#web/kernel/api-error.ts'
import { useLang, useT } from '#web/kernel/i18n/index.ts'
import { logOut } from '#web/kernel/leave.ts'
import { notify } from '#web/kernel/notify.ts'
import { useRead } from '../calls.ts'
import { dropKept } from '../form/kept.ts'
import { ask } from '../kit/ask.ts'
import { Load } from '../kit/load.tsx'
import { Callout, Facts, PageTitle } from '../kit/page-ui.tsx'
import { Button, Card } from '../kit/ui.tsx'
import { writes } from '../writes.ts'
import { PasswordInput } from './password-input.tsx'
import { accountTexts } from './texts.ts'

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
      <Load query={me} skeleton={[220]}>
        {user => (
          <Card>
            <Facts
              facts={[
                { name: t('info.realName'), value: user.realName },
                { name: t('info.account'), value: user.account },
                { name: t('info.userCode'), value: user.userCode && <span className="p-num">{user.userCode}</span> },
                { name: t('info.idCard'), value: user.idCard && <span className="p-num">{user.idCard}</span> },
                { name: t('info.phone'), value: user.phone && <span className="p-num">{user.phone}</span> },
                { name: t('info.email'), value: user.email },
              ]}
            />
          </Card>
        )}
      </Load>
      <Callout>{t('info.masked')}</Callout>
      <Button block onClick={() => void leave()}>
        {t('info.logout')}
      </Button>
    </div>
  )
}

const policy = passwordPolicyOf('candidate')
type Fields = 'oldPassword' | 'newPassword' | 'newPassword1'

const PasswordForm = () => {
  const t = useT(accountTexts)
  const lang = useLang()
  const me = useRead('me', {})
  const form = useRef<HTMLFormElement>(null)
  const [values, setValues] = useState<Record<Fields, string>>({ oldPassword: '', newPassword: '', newPassword1: '' })
  const [errors, setErrors] = useState<Partial<Record<Fields, string>>>({})
  const [busy, setBusy] = useState(false)
  const set = (key: Fields) => (value: string) => {
    setValues(before => ({ ...before, [key]: value }))
    setErrors(before => ({ ...before, [key]: undefined }))
  }
  const show = (found: Partial<Record<Fields, string>>) => {
    setErrors(found)
    const [first] = Object.keys(found)
    if (first !== undefined) requestAnimationFrame(() => form.current?.querySelector<HTMLInputElement>(`[name="${first}"]`)?.focus())
  }
  const send = async (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    const found: Partial<Record<Fields, string>> = {}
    if (values.oldPassword === '') found.oldPassword = t('info.oldNeed')
    const [problem] = checkPassword(
      { password: values.newPassword, ownWords: [me.data?.account, me.data?.realName], isCommon: () => false },
      policy,
    )
    if (problem !== undefined) found.newPassword = passwordMessage(problem, policy)[lang]
    if (values.newPassword1 !== values.newPassword) found.newPassword1 = t('info.differ')
    if (Object.keys(found).length > 0) return show(found)
    setBusy(true)
    try {
      await writes.changePassword(values.oldPassword, values.newPassword)
      notify('success', t('info.changed'))
      setValues({ oldPassword: '', newPassword: '', newPassword1: '' })
    } catch (error) {
      if (isApiError(error)) show(Object.fromEntries(error.fields.map(field => [field.field, field.msg])))
    } finally {
      setBusy(false)
    }
  }
  return (
    <form ref={form} className="p-card p-stack p-gap-l" noValidate onSubmit={event => void send(event)}>
      <PasswordInput
        label={t('info.oldPassword')}
        name="oldPassword"
        autoComplete="current-password"
        value={values.oldPassword}
        error={errors.oldPassword}
        onChange={set('oldPassword')}
      />
      <PasswordInput
        label={t('info.newPassword')}
        name="newPassword"
        autoComplete="new-password"
        help={t('info.passwordHelp')}
        value={values.newPassword}
        error={errors.newPassword}
        onChange={set('newPassword')}
      />
      <PasswordInput
        label={t('info.newPassword1')}
        name="newPassword1"
        autoComplete="new-password"
        value={values.newPassword1}
        error={errors.newPassword1}
        onChange={set('newPassword1')}
      />
      <Button type="submit" look="primary" block busy={busy}>
        {t('info.change')}
      </Button>
    </form>
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
