import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { foldWidth } from '#contract/kernel/fold-width.ts'
import { tidyLine } from '#contract/kernel/tidy-text.ts'
import { isApiError } from '../kernel/api-error.ts'
import { prepareCipher } from '../kernel/cipher.ts'
import { translate, useT } from '../kernel/i18n/index.ts'
import { messageStore, notify, type Tone } from '../kernel/notify.ts'
import { type TokenAnswer, tenantId } from '../kernel/session.ts'
import { Toaster } from '../kernel/toaster.tsx'
import { Field } from './field.tsx'
import { type GuestField, guestProblem } from './guest-problem.ts'
import { loginTexts } from './texts.ts'
import { leaveAsGuest, registerGuest } from './third-party-calls.ts'

/** S8.07: the server's text; null when it had none. */
const serverText = (error: unknown): string | null =>
  isApiError(error) && error.message !== translate('error.system') ? error.message : null

/** On a phone the messages lie over the form: what an earlier try was told makes room. */
const say = (tone: Tone, text: string): void => {
  messageStore.setState(state => ({ messages: state.messages.filter(message => message.text === text) }))
  notify(tone, text)
}

/** S2.43–S2.46: somebody whom a provider knows asks for an account here. */
export const GuestDialog = ({ guest }: { readonly guest: TokenAnswer }) => {
  const t = useT(loginTexts)
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  // Known from the address, this browser or the host (decision 3.10); only otherwise the person is asked, and offered the one of the login.
  const [detected] = useState(() => tenantId())
  const [values, setValues] = useState({
    tenantId: detected ?? guest.tenant_id,
    name: guest.nick_name ?? '',
    account: guest.account,
    password: '',
    password2: '',
  })
  const [busy, setBusy] = useState(false)
  const [done, setDone] = useState(false)
  useEffect(() => void dialog.current?.showModal(), [])
  const leave = async () => {
    await leaveAsGuest(guest)
    location.assign('/login')
  }
  const focus = (name: GuestField) => dialog.current?.querySelector<HTMLInputElement>(`[name=${name}]`)?.focus()
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    const wrong = guestProblem(values)
    if (wrong !== null) {
      say('warning', t(`guest.${wrong.problem}`))
      focus(wrong.field)
      return
    }
    setBusy(true)
    try {
      await registerGuest(guest, { ...values, account: foldWidth(values.account), name: tidyLine(values.name) })
      setDone(true)
    } catch (error) {
      say('error', serverText(error) ?? t('guest.failed'))
      const field = isApiError(error) ? error.fields[0]?.field : undefined
      if (field !== undefined && field in values) focus(field as GuestField)
    } finally {
      setBusy(false)
    }
  }
  const input = (name: GuestField, rest: { type?: string; autoComplete: string; maxLength: number }) => (
    <Field
      label={t(`guest.field.${name}`)}
      name={name}
      value={values[name]}
      onValue={value => setValues({ ...values, [name]: value })}
      error={undefined}
      {...rest}
    />
  )
  return (
    <dialog
      ref={dialog}
      className="guest"
      aria-labelledby={`${id}-title`}
      onCancel={event => {
        event.preventDefault()
        void leave()
      }}
    >
      <h2 id={`${id}-title`}>{t('guest.title')}</h2>
      {done ? (
        <div role="alert">
          <p>{t('guest.done')}</p>
          {/* biome-ignore lint/a11y/noAutofocus: the only way on */}
          <button type="button" className="login-submit" autoFocus onClick={() => void leave()}>
            {t('action.ok')}
          </button>
        </div>
      ) : (
        <form className="login-form" onSubmit={submit} onFocus={prepareCipher} noValidate>
          {detected === null ? input('tenantId', { autoComplete: 'off', maxLength: 12 }) : null}
          {input('name', { autoComplete: 'name', maxLength: 60 })}
          {input('account', { autoComplete: 'username', maxLength: 60 })}
          {input('password', { type: 'password', autoComplete: 'new-password', maxLength: 64 })}
          {input('password2', { type: 'password', autoComplete: 'new-password', maxLength: 64 })}
          <button type="submit" className="login-submit" disabled={busy}>
            {t('guest.submit')}
          </button>
          <button type="button" className="login-quiet" onClick={() => void leave()}>
            {t('guest.back')}
          </button>
        </form>
      )}
      <Toaster />
    </dialog>
  )
}
