import { type FormEvent, useRef, useState } from 'react'
import { foldGroups } from '#contract/kernel/fold-width.ts'
import { checkMobile, foldMobile } from '#contract/person/mobile.ts'
import { prepareCipher } from '../kernel/cipher.ts'
import { useT } from '../kernel/i18n/index.ts'
import type { TokenAnswer } from '../kernel/session.ts'
import { useSmsCode } from '../kernel/use-sms-code.ts'
import { Field } from './field.tsx'
import { logInBySms } from './login-calls.ts'
import { type SecondStep, secondStepOf } from './second-step-calls.ts'
import { loginTexts } from './texts.ts'

interface Props {
  readonly onLoggedIn: (answer: TokenAnswer) => void
  readonly onNext: (step: SecondStep) => void
}

/** S7.11 and the `sms_code` grant: candidates, and members of staff who have proven their phone. */
export const SmsForm = ({ onLoggedIn, onNext }: Props) => {
  const t = useT(loginTexts)
  const form = useRef<HTMLFormElement>(null)
  const [phone, setPhone] = useState('')
  const [code, setCode] = useState('')
  const [checked, setChecked] = useState<'none' | 'phone' | 'all'>('none')
  const [busy, setBusy] = useState(false)
  const sms = useSmsCode(phone, { otherWay: 'login' })
  const phoneError = foldMobile(phone) === '' ? t('phone.empty') : checkMobile(phone).ok ? undefined : t('phone.wrong')
  const codeError = foldGroups(code) === '' ? t('sms.empty') : sms.smsId === null ? sms.first : undefined
  const focus = (name: string) => form.current?.querySelector<HTMLInputElement>(`[name=${name}]`)?.focus()

  const run = async (work: () => Promise<void>) => {
    setBusy(true)
    try {
      await work()
    } catch (error) {
      // A failure was said by the api client.
      const next = secondStepOf(error)
      if (next !== null) onNext(next)
    } finally {
      setBusy(false)
    }
  }
  const send = () => {
    setChecked('phone')
    if (phoneError !== undefined) return focus('phone')
    void sms.send().then(isSent => isSent && focus('code'))
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setChecked('all')
    if (busy) return
    if (phoneError !== undefined) return focus('phone')
    const { smsId } = sms
    if (codeError !== undefined || smsId === null) return focus('code')
    void run(async () => onLoggedIn(await logInBySms({ phone: foldMobile(phone), id: smsId, value: foldGroups(code) })))
  }

  return (
    <form ref={form} className="login-form" onSubmit={submit} onFocus={prepareCipher} noValidate>
      <Field
        label={t('phone')}
        name="phone"
        type="tel"
        inputMode="numeric"
        autoComplete="tel-national"
        maxLength={24}
        value={phone}
        onValue={setPhone}
        error={checked === 'none' ? undefined : phoneError}
      />
      <Field
        label={t('sms')}
        name="code"
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={12}
        value={code}
        onValue={setCode}
        error={checked === 'all' ? codeError : undefined}
        note={sms.note}
        side={
          <button type="button" className="login-side" disabled={busy || sms.sending || sms.isWaiting} onClick={send}>
            {sms.label}
          </button>
        }
      />
      <button type="submit" className="login-submit" disabled={busy}>
        {busy ? t('submitting') : t('submit')}
      </button>
    </form>
  )
}
