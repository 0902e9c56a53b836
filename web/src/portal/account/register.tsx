import { heicAdvice } from '#contract/kernel/picture-name.ts'
import { checkDocument } from '#contract/person/id-card.ts'
import { serverNow } from '#web/kernel/clock.ts'
import { sizeOf } from '#web/kernel/format.ts'
import { useLabel, useT } from '#web/kernel/i18n/index.ts'
import { enterAt } from '#web/kernel/leave.ts'
import { readyPicture } from '#web/kernel/picture.ts'
import { todayOf } from '../form/model.ts'
import { TextField, Tick } from '../kit/field.tsx'
import { CheckIcon } from '../kit/page-icons.tsx'
import { Callout, PageTitle } from '../kit/page-ui.tsx'
import { Button } from '../kit/ui.tsx'
import { TakenNote } from './appeal-link.tsx'
import { PassportFields } from './passport-fields.tsx'
import { PasswordInput } from './password-input.tsx'
import { PictureField } from './picture-field.tsx'
import { type Registration, useRegistration } from './registration.ts'
import { accountTexts } from './texts.ts'

const pictures = [
  { key: 'avatar', maxBytes: 512_000 }, // S5.29, decision 3.8
  { key: 'cardFront', maxBytes: 5 * 1024 * 1024 },
  { key: 'cardBack', maxBytes: 5 * 1024 * 1024 },
] as const

type PictureKey = (typeof pictures)[number]['key']
const isPicture = (key: string): key is PictureKey => pictures.some(picture => picture.key === key)

/** Whoever was on the way to an examination comes back to it after the log-in. */
const toLogin = (): string => `/login${location.search.includes('redirect=') ? location.search : ''}`

const Done = ({ account, active }: { readonly account: string; readonly active: boolean }) => {
  const t = useT(accountTexts)
  return (
    <div className="p-card p-done" role="status">
      <span className="p-done-mark">
        <CheckIcon size={40} />
      </span>
      <h1 tabIndex={-1}>{active ? t('reg.done') : t('reg.pending')}</h1>
      {active && <p className="p-soft">{t('reg.doneHint', { account })}</p>}
      <Button look="primary" block onClick={() => enterAt(toLogin())}>
        {t('reg.toLogin')}
      </Button>
    </div>
  )
}

interface PartProps {
  readonly registration: Registration
}

/** Who somebody is, the phone and its code, the password. */
const PersonFields = ({ registration: { values, errors, sms, set, leave, sendSms } }: PartProps) => {
  const t = useT(accountTexts)
  const text = (key: 'username' | 'realName' | 'idCard' | 'phone' | 'smsCode') => ({
    name: key,
    required: true,
    value: values[key],
    error: errors[key],
    onChange: (event: { target: { value: string } }) => set(key)(event.target.value),
    onBlur: leave(key),
  })
  /** Which document the number is of, once it is one. */
  const kindOf = (idCard: string): string | undefined => {
    const card = checkDocument(idCard, todayOf(serverNow()))
    return card.ok ? t(`reg.idCardType.${card.type}`) : undefined
  }
  const password = (key: 'password' | 'password2') => ({
    label: t(`reg.${key}`),
    name: key,
    autoComplete: 'new-password' as const,
    value: values[key],
    error: errors[key],
    onChange: set(key),
    onBlur: leave(key),
  })
  return (
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
      <TextField
        label={t('reg.idCard')}
        help={kindOf(values.idCard) ?? t('reg.idCardHelp')}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        {...text('idCard')}
      />
      <PassportFields idCard={values.idCard} values={values} errors={errors} onChange={(key, value) => set(key)(value)} />
      <TextField
        label={t('reg.phone')}
        type="tel"
        autoComplete="tel"
        {...text('phone')}
        side={
          <Button busy={sms.sending} disabled={sms.isWaiting} onClick={() => void sendSms()}>
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
      <PasswordInput help={t('info.passwordHelp')} {...password('password')} />
      <PasswordInput {...password('password2')} />
    </section>
  )
}

const PictureFields = ({ registration: { files, errors, choose } }: PartProps) => {
  const t = useT(accountTexts)
  const say = useLabel()
  return (
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
            onChoose={async given => {
              const ready = given && (await readyPicture(given, maxBytes))
              if (typeof ready !== 'string') {
                choose(key, ready, undefined)
                return true
              }
              choose(key, undefined, ready === 'heic' ? say(heicAdvice) : t(`reg.file.${ready}`, { max: sizeOf(maxBytes) }))
              return false
            }}
          />
        ))}
      </div>
    </section>
  )
}

/** The bar with the button would cover it. */
const showNote = (note: HTMLElement | null): void => note?.scrollIntoView({ block: 'center' })

/** Candidates register with id card and SMS code (S3.10); the validators are the server's own. */
export const RegisterPage = () => {
  const t = useT(accountTexts)
  const registration = useRegistration()
  const { form, errors, consent, busy, done, taken, agree, submit, goTo } = registration
  if (done !== null) return <Done {...done} />
  const wrong = Object.entries(errors).filter(([, problem]) => problem)
  return (
    <>
      <PageTitle title={t('reg.title')} />
      <p className="p-soft p-row" style={{ marginBottom: 12 }}>
        <span>{t('reg.intro')}</span>
        <Button look="text" onClick={() => enterAt(toLogin())}>
          {t('reg.toLogin')}
        </Button>
      </p>
      <form ref={form} className="p-stack p-gap-l" noValidate onSubmit={event => void submit(event)}>
        {wrong.length > 1 && (
          <Callout tone="danger" live>
            <strong>{t('reg.problems', { count: wrong.length })}</strong>
            <ul className="p-plain">
              {wrong.map(([key, problem]) => (
                <li key={key}>
                  <Button look="text" onClick={() => goTo(key)}>
                    {isPicture(key) ? t('reg.problem', { field: t(`reg.${key}`), problem: problem ?? '' }) : problem}
                  </Button>
                </li>
              ))}
            </ul>
          </Callout>
        )}
        <PersonFields registration={registration} />
        <PictureFields registration={registration} />
        <section className="p-card p-stack">
          <h2>{t('reg.consent.title')}</h2>
          <p className="p-small p-soft">{t('reg.consent.text')}</p>
          <Tick name="consent" checked={consent} error={errors.consent} onChange={agree}>
            {t('reg.consent.tick')}
          </Tick>
        </section>
        {taken !== null && (
          <div ref={showNote}>
            <TakenNote taken={taken} />
          </div>
        )}
        <div className="p-actions">
          <Button type="submit" look="primary" block busy={busy}>
            {t('reg.submit')}
          </Button>
        </div>
      </form>
    </>
  )
}
