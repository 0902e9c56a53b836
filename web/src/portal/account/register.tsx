import { type FormEvent, useEffect, useRef, useState } from 'react'
import { checkIdCard, foldIdCard, idCardMessages } from '#contract/system/id-card.ts'
import { checkMobile, foldMobile, mobileMessages } from '#contract/system/mobile.ts'
import { checkPassword, passwordMessage, passwordPolicyOf } from '#contract/system/password-policy.ts'
import { checkName, foldName, nameMessages } from '#contract/system/person-name.ts'
import { type ApiOutput, api } from '#web/kernel/api.ts'
import { isApiError } from '#web/kernel/api-error.ts'
import { encrypt, prepareCipher } from '#web/kernel/cipher.ts'
import { serverNow } from '#web/kernel/clock.ts'
import { sizeOf } from '#web/kernel/format.ts'
import { useLang, useT } from '#web/kernel/i18n/index.ts'
import { enterAt } from '#web/kernel/leave.ts'
import { notify } from '#web/kernel/notify.ts'
import { tenantId } from '#web/kernel/session.ts'
import { settings } from '#web/kernel/settings.ts'
import { todayOf } from '../form/model.ts'
import { SelectField, TextField, Tick } from '../kit/field.tsx'
import { CheckIcon } from '../kit/page-icons.tsx'
import { Callout, PageTitle } from '../kit/page-ui.tsx'
import { Button } from '../kit/ui.tsx'
import { writes } from '../writes.ts'
import { PasswordInput } from './password-input.tsx'
import { PictureField } from './picture-field.tsx'
import { accountTexts } from './texts.ts'

interface Values {
  readonly username: string
  readonly realName: string
  readonly idCardType: string
  readonly idCard: string
  readonly phone: string
  readonly smsCode: string
  readonly password: string
  readonly password2: string
}
type Key = keyof Values | 'consent' | 'avatar' | 'cardFront' | 'cardBack'
type Errors = Partial<Record<Key, string>>

const none: Values = { username: '', realName: '', idCardType: '1', idCard: '', phone: '', smsCode: '', password: '', password2: '' }
const policy = passwordPolicyOf('candidate')
/** Decision 4.7: one SMS a minute. */
const smsGapS = 60
const pictures = [
  { key: 'avatar', maxBytes: 512_000 }, // S5.29, decision 3.8
  { key: 'cardFront', maxBytes: 5 * 1024 * 1024 },
  { key: 'cardBack', maxBytes: 5 * 1024 * 1024 },
] as const
/** Which wording of the consent was accepted. */
const consentVersion = '2026-11'

const useCheck = () => {
  const t = useT(accountTexts)
  const lang = useLang()
  return (key: keyof Values, values: Values): string | undefined => {
    const value = values[key]
    switch (key) {
      case 'username':
        return /^[A-Za-z0-9_.@-]{4,60}$/.test(value.trim()) ? undefined : t('reg.accountWrong')
      case 'realName': {
        const name = checkName(value)
        return name.ok ? undefined : nameMessages[name.problem][lang]
      }
      case 'idCard': {
        const card = checkIdCard(value, todayOf(serverNow()))
        return card.ok ? undefined : idCardMessages[card.problem][lang]
      }
      case 'phone': {
        const mobile = checkMobile(value)
        return mobile.ok ? undefined : mobileMessages[mobile.problem][lang]
      }
      case 'smsCode':
        return /^\d{6}$/.test(value.trim()) ? undefined : t('reg.smsNeed')
      case 'password': {
        const [problem] = checkPassword(
          { password: value, ownWords: [values.username, values.phone, values.idCard], isCommon: () => false },
          policy,
        )
        return problem === undefined ? undefined : passwordMessage(problem, policy)[lang]
      }
      case 'password2':
        return value === values.password ? undefined : t('info.differ')
      case 'idCardType':
        return undefined
    }
  }
}

const Done = ({ account, active }: { readonly account: string; readonly active: boolean }) => {
  const t = useT(accountTexts)
  return (
    <div className="p-card p-done" role="status">
      <span className="p-done-mark">
        <CheckIcon size={40} />
      </span>
      <h1 tabIndex={-1}>{active ? t('reg.done') : t('reg.pending')}</h1>
      {active && <p className="p-soft">{t('reg.doneHint', { account })}</p>}
      <Button look="primary" block onClick={() => enterAt('/login')}>
        {t('reg.toLogin')}
      </Button>
    </div>
  )
}

/** Candidates register with id card and SMS code (S3.10); the validators are the server's own. */
export const RegisterPage = () => {
  const t = useT(accountTexts)
  const check = useCheck()
  const form = useRef<HTMLFormElement>(null)
  const [values, setValues] = useState(none)
  const [errors, setErrors] = useState<Errors>({})
  const [files, setFiles] = useState<Partial<Record<Key, File>>>({})
  const [consent, setConsent] = useState(false)
  const [smsId, setSmsId] = useState<string | null>(null)
  const [wait, setWait] = useState(0)
  const [sending, setSending] = useState(false)
  const [busy, setBusy] = useState(false)
  const [done, setDone] = useState<{ account: string; active: boolean } | null>(null)

  useEffect(prepareCipher, [])
  useEffect(() => {
    if (wait <= 0) return
    const timer = setTimeout(() => setWait(wait - 1), 1_000)
    return () => clearTimeout(timer)
  }, [wait])

  const set = (key: keyof Values) => (value: string) => {
    setValues(before => ({ ...before, [key]: value }))
    setErrors(before => ({ ...before, [key]: undefined }))
  }
  const leave = (key: keyof Values) => () => {
    if (values[key] !== '') setErrors(before => ({ ...before, [key]: check(key, values) }))
  }
  const show = (found: Errors) => {
    setErrors(found)
    const [first] = Object.keys(found)
    if (first !== undefined) requestAnimationFrame(() => form.current?.querySelector<HTMLElement>(`[name="${first}"]`)?.focus())
  }
  const sendSms = async () => {
    const problem = check('phone', values)
    if (problem !== undefined) {
      show({ ...errors, phone: problem })
      return
    }
    setSending(true)
    try {
      const { id } = await writes.sendSms(foldMobile(values.phone), tenantId() ?? settings.defaultTenantId)
      setSmsId(id)
      setWait(smsGapS)
      notify('success', t('reg.sent'))
    } catch {
      // The client has said why.
    } finally {
      setSending(false)
    }
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    const found: Errors = {}
    for (const key of Object.keys(none) as (keyof Values)[]) {
      const problem = check(key, values)
      if (problem !== undefined) found[key] = problem
    }
    if (smsId === null && found.smsCode === undefined) found.smsCode = t('reg.smsFirst')
    if (!consent) found.consent = t('reg.consent.need')
    if (Object.keys(found).length > 0 || smsId === null) return show(found)
    setBusy(true)
    try {
      const answer = await api.request<ApiOutput<'POST /blade-system/user/register'>>({
        method: 'POST',
        path: '/blade-system/user/register',
        quiet: 'fields',
        body: async () => {
          const data = new FormData()
          data.set('username', values.username.trim())
          data.set('password', await encrypt(values.password))
          data.set('password2', await encrypt(values.password2))
          data.set('realName', foldName(values.realName))
          data.set('phone', await encrypt(foldMobile(values.phone)))
          data.set('idCard', foldIdCard(values.idCard))
          data.set('idCardType', values.idCardType)
          data.set('smsId', smsId)
          data.set('smsCode', values.smsCode.trim())
          data.set('consent', '1')
          data.set('consentVersion', consentVersion)
          for (const [key, file] of Object.entries(files)) if (file) data.set(key, file, file.name)
          return data
        },
      })
      setDone({ account: values.username.trim(), active: answer.status === 1 })
      scrollTo(0, 0)
    } catch (error) {
      if (isApiError(error)) show(Object.fromEntries(error.fields.map(field => [field.field, field.msg])))
    } finally {
      setBusy(false)
    }
  }
  if (done !== null) return <Done {...done} />
  const wrong = Object.values(errors).filter(Boolean).length
  const text = (key: 'username' | 'realName' | 'idCard' | 'phone') => ({
    name: key,
    required: true,
    value: values[key],
    error: errors[key],
    onChange: (event: { target: { value: string } }) => set(key)(event.target.value),
    onBlur: leave(key),
  })
  return (
    <>
      <PageTitle title={t('reg.title')} />
      <p className="p-soft p-row" style={{ marginBottom: 12 }}>
        <span>{t('reg.intro')}</span>
        <Button look="text" onClick={() => enterAt('/login')}>
          {t('reg.toLogin')}
        </Button>
      </p>
      <form ref={form} className="p-stack p-gap-l" noValidate onSubmit={event => void submit(event)}>
        {wrong > 1 && (
          <Callout tone="danger" live>
            {t('reg.problems', { count: wrong })}
          </Callout>
        )}
        <section className="p-card p-form-grid">
          <TextField
            label={t('reg.account')}
            help={t('reg.accountHelp')}
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            {...text('username')}
          />
          <TextField label={t('reg.realName')} help={t('reg.realNameHelp')} autoComplete="name" {...text('realName')} />
          <SelectField
            label={t('reg.idCardType')}
            name="idCardType"
            options={[
              { value: '1', label: t('reg.idCardType.1') },
              { value: '2', label: t('reg.idCardType.2') },
            ]}
            value={values.idCardType}
            onChange={value => set('idCardType')(value || '1')}
          />
          <TextField label={t('reg.idCard')} autoComplete="off" autoCapitalize="characters" spellCheck={false} {...text('idCard')} />
          <TextField
            label={t('reg.phone')}
            type="tel"
            autoComplete="tel"
            {...text('phone')}
            side={
              <Button busy={sending} disabled={wait > 0} onClick={() => void sendSms()}>
                {wait > 0 ? t('reg.again', { seconds: wait }) : t('reg.send')}
              </Button>
            }
          />
          <TextField
            label={t('reg.sms')}
            name="smsCode"
            required
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={6}
            help={t('reg.smsHelp')}
            value={values.smsCode}
            error={errors.smsCode}
            onChange={event => set('smsCode')(event.target.value)}
            onBlur={leave('smsCode')}
          />
          <PasswordInput
            label={t('reg.password')}
            name="password"
            autoComplete="new-password"
            help={t('info.passwordHelp')}
            value={values.password}
            error={errors.password}
            onChange={set('password')}
            onBlur={leave('password')}
          />
          <PasswordInput
            label={t('reg.password2')}
            name="password2"
            autoComplete="new-password"
            value={values.password2}
            error={errors.password2}
            onChange={set('password2')}
            onBlur={leave('password2')}
          />
        </section>
        <section className="p-card p-stack">
          <h2>{t('reg.pictures')}</h2>
          <p className="p-help">{t('reg.picturesHelp')}</p>
          <div className="p-form-grid">
            {pictures.map(({ key, maxBytes }) => (
              <PictureField
                key={key}
                label={t(`reg.${key}`)}
                name={key}
                file={files[key]}
                error={errors[key]}
                onChoose={file => {
                  const problem =
                    file === undefined
                      ? undefined
                      : !/^image\/(jpeg|png)$/.test(file.type)
                        ? t('reg.fileType')
                        : file.size > maxBytes
                          ? t('reg.fileSize', { max: sizeOf(maxBytes) })
                          : undefined
                  setErrors(before => ({ ...before, [key]: problem }))
                  setFiles(before => ({ ...before, [key]: problem === undefined ? file : undefined }))
                  return problem === undefined
                }}
              />
            ))}
          </div>
        </section>
        <section className="p-card p-stack">
          <h2>{t('reg.consent.title')}</h2>
          <p className="p-small p-soft">{t('reg.consent.text')}</p>
          <Tick
            name="consent"
            checked={consent}
            error={errors.consent}
            onChange={value => {
              setConsent(value)
              setErrors(before => ({ ...before, consent: undefined }))
            }}
          >
            {t('reg.consent.tick')}
          </Tick>
        </section>
        <div className="p-actions">
          <Button type="submit" look="primary" block busy={busy}>
            {t('reg.submit')}
          </Button>
        </div>
      </form>
    </>
  )
}
