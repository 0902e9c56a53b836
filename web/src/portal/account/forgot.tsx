import { type FormEvent, useEffect, useRef, useState } from 'react'
import { checkPassword, passwordMessage, passwordPolicyOf } from '#contract/auth/password-policy.ts'
import { foldGroups } from '#contract/kernel/fold-width.ts'
import { foldIdCard, isPassportNumber } from '#contract/person/id-card.ts'
import { checkMobile, foldMobile, mobileMessages } from '#contract/person/mobile.ts'
import { nationalityProblem, numberProblem } from '#contract/person/passport.ts'
import { checkName, foldName, nameMessages } from '#contract/person/person-name.ts'
import { api } from '#web/kernel/api.ts'
import { isApiError } from '#web/kernel/api-error.ts'
import { encrypt, prepareCipher } from '#web/kernel/cipher.ts'
import { serverNow } from '#web/kernel/clock.ts'
import { fieldTexts } from '#web/kernel/field-texts.ts'
import { useLang, useT } from '#web/kernel/i18n/index.ts'
import { enterAt } from '#web/kernel/leave.ts'
import { useSaid } from '#web/kernel/said.ts'
import { writeTab } from '#web/kernel/tab-storage.ts'
import { useSmsCode } from '#web/kernel/use-sms-code.ts'
import { todayOf } from '../form/model.ts'
import { TextField } from '../kit/field.tsx'
import { CheckIcon } from '../kit/page-icons.tsx'
import { Callout, PageTitle } from '../kit/page-ui.tsx'
import { navigate } from '../kit/router.tsx'
import { Button } from '../kit/ui.tsx'
import { appealTexts } from './appeal-texts.ts'
import { noPassport, PassportFields, passportInput, saidOf } from './passport-fields.tsx'
import { PasswordInput } from './password-input.tsx'
import { accountTexts } from './texts.ts'

const none = { realName: '', idCard: '', ...noPassport, phone: '', smsCode: '', password: '', password2: '' }
type Values = typeof none
type Key = keyof Values
type Errors = Partial<Record<Key, string>>
const asked: Readonly<Record<'forgot' | 'lost', readonly Key[]>> = {
  forgot: ['phone', 'smsCode', 'idCard', 'password', 'password2'],
  lost: ['realName', 'idCard', 'nationality', 'phone', 'smsCode'],
}
const policy = passwordPolicyOf('candidate')

/** Of a passport that is lost with the phone, the country is asked for: staff look for the account by it. */
const lostParts = ['nationality'] as const

const useCheck = (way: 'forgot' | 'lost') => {
  const [t, lang] = [useT(accountTexts), useLang()]
  const checks: Readonly<Record<Key, (values: Values) => string | undefined>> = {
    realName: ({ realName }) => {
      const name = checkName(realName)
      return name.ok ? undefined : nameMessages[name.problem][lang]
    },
    idCard: ({ idCard, ...values }) => {
      // The phone and the number are proof enough: nobody is asked here which document it is of.
      if (way === 'forgot' && isPassportNumber(idCard)) return undefined
      return numberProblem(saidOf(idCard, values), todayOf(serverNow()))?.[lang]
    },
    idCardType: () => undefined,
    nationality: ({ idCard, ...values }) =>
      saidOf(idCard, values).idCardType === '4' ? nationalityProblem(values.nationality)?.[lang] : undefined,
    birthday: () => undefined,
    sex: () => undefined,
    phone: ({ phone }) => {
      const mobile = checkMobile(phone)
      return mobile.ok ? undefined : mobileMessages[mobile.problem][lang]
    },
    smsCode: ({ smsCode }) => (/^\d{6}$/.test(foldGroups(smsCode)) ? undefined : t('reg.smsNeed')),
    password: ({ password, phone, idCard }) => {
      const [problem] = checkPassword({ password, ownWords: [phone, idCard], isCommon: () => false }, policy)
      return problem === undefined ? undefined : passwordMessage(problem, policy)[lang]
    },
    password2: ({ password, password2 }) => (password === password2 ? undefined : t('info.differ')),
  }
  return checks
}

/** A candidate who forgot the password: the code of the phone and the id number prove who it is, or proofs where the phone is gone. */
export const ForgotPage = () => {
  const [t, a] = [useT(accountTexts), useT(appealTexts)]
  const form = useRef<HTMLFormElement>(null)
  const [way, setWay] = useState<'forgot' | 'lost'>('forgot')
  const checks = useCheck(way)
  const [values, setValues] = useState(none)
  const [errors, setErrors] = useSaid<Errors>({})
  const [refusal, setRefusal] = useSaid<string | null>(null)
  const [busy, setBusy] = useState(false)
  const [account, setAccount] = useState<string | null>(null)
  const sms = useSmsCode(values.phone, way === 'forgot' ? { otherWay: 'person' } : {})
  useEffect(prepareCipher, [])

  const show = (found: Errors) => {
    setErrors(found)
    const [first] = Object.keys(found)
    if (first !== undefined) requestAnimationFrame(() => form.current?.querySelector<HTMLElement>(`[name="${first}"]`)?.focus())
  }
  const set = (key: Key) => (value: string) => {
    setValues(before => ({ ...before, [key]: value }))
    setErrors(before => ({ ...before, [key]: undefined }))
  }
  const text = (key: Exclude<Key, 'password' | 'password2'>) => ({
    name: key,
    required: true,
    value: values[key],
    error: errors[key],
    onChange: (event: { target: { value: string } }) => set(key)(event.target.value),
  })
  const password = (key: 'password' | 'password2') => ({ name: key, value: values[key], error: errors[key], onChange: set(key) })
  const sendCode = () => {
    const problem = checks.phone(values)
    if (problem !== undefined) {
      sms.refuse()
      return show({ ...errors, phone: problem })
    }
    void sms.send()
  }
  const call = async (smsId: string) => {
    const proof = async () => ({
      ...{ phone: await encrypt(foldMobile(values.phone)), idCard: await encrypt(foldIdCard(values.idCard)) },
      ...{ smsId, smsCode: foldGroups(values.smsCode) },
    })
    if (way === 'lost') {
      const place = await api.call(
        'POST /blade-userappeal/userappeal/lostPhone',
        async () => ({
          ...(await proof()),
          ...passportInput(values.idCard, values, lostParts),
          realName: foldName(values.realName),
        }),
        { quiet: true },
      )
      return navigate(place.link)
    }
    const done = await api.call(
      'POST /blade-system/user/reset-by-sms',
      async () => ({ ...(await proof()), password: await encrypt(values.password), password2: await encrypt(values.password2) }),
      { quiet: true },
    )
    setAccount(done.account)
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    setRefusal(null)
    const found: Errors = {}
    for (const key of asked[way]) {
      const problem = checks[key](values)
      if (problem !== undefined) found[key] = problem
    }
    if (sms.smsId === null && found.smsCode === undefined) found.smsCode = sms.first
    show(found)
    if (Object.keys(found).length > 0 || sms.smsId === null) return
    setBusy(true)
    try {
      await call(sms.smsId)
    } catch (error) {
      if (!isApiError(error)) throw error
      const named = fieldTexts(error) as Errors
      if (Object.keys(named).length > 0) show(named)
      else setRefusal(error.message)
    } finally {
      setBusy(false)
    }
  }
  if (account !== null)
    return (
      <div className="p-card p-done" role="status">
        <span className="p-done-mark">
          <CheckIcon size={40} />
        </span>
        <h1 tabIndex={-1}>{a('forgot.done')}</h1>
        <p className="p-soft">{a('forgot.doneHint', { account })}</p>
        <Button
          look="primary"
          block
          onClick={() => {
            writeTab('account', account)
            enterAt('/login')
          }}
        >
          {t('reg.toLogin')}
        </Button>
      </div>
    )
  const isLost = way === 'lost'
  return (
    <>
      <PageTitle title={a(isLost ? 'lost.title' : 'forgot.title')} />
      <p className="p-soft" style={{ marginBottom: 12 }}>
        {a(isLost ? 'lost.intro' : 'forgot.intro')}
      </p>
      <form ref={form} className="p-stack p-gap-l" noValidate onSubmit={event => void submit(event)}>
        <section className="p-card p-form-grid">
          {isLost && <TextField label={t('reg.realName')} autoComplete="name" {...text('realName')} />}
          <TextField label={t('reg.idCard')} autoComplete="off" autoCapitalize="characters" spellCheck={false} {...text('idCard')} />
          {isLost && (
            <PassportFields
              idCard={values.idCard}
              values={values}
              errors={errors}
              parts={lostParts}
              onChange={(key, value) => set(key)(value)}
            />
          )}
          <TextField
            label={isLost ? a('lost.phone') : t('reg.phone')}
            type="tel"
            autoComplete="tel"
            {...text('phone')}
            side={
              <Button busy={sms.sending} disabled={sms.isWaiting} onClick={sendCode}>
                {sms.label}
              </Button>
            }
          />
          <TextField
            label={t('reg.sms')}
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={12}
            help={sms.note ?? t('reg.smsHelp')}
            {...text('smsCode')}
          />
          {!isLost && (
            <PasswordInput label={a('forgot.new')} autoComplete="new-password" help={t('info.passwordHelp')} {...password('password')} />
          )}
          {!isLost && <PasswordInput label={a('forgot.again')} autoComplete="new-password" {...password('password2')} />}
        </section>
        {refusal !== null && (
          <Callout tone="danger" live>
            {refusal}
          </Callout>
        )}
        <div className="p-actions">
          <Button type="submit" look="primary" block busy={busy}>
            {a(isLost ? 'lost.submit' : 'forgot.submit')}
          </Button>
        </div>
        <Button
          look="text"
          block
          onClick={() => {
            setWay(isLost ? 'forgot' : 'lost')
            setErrors({})
            setRefusal(null)
          }}
        >
          {a(isLost ? 'forgot.have' : 'forgot.lost')}
        </Button>
      </form>
    </>
  )
}
