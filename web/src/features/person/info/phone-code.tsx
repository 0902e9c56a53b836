import { useEffect, useState } from 'react'
import { useT } from '#web/kernel/i18n/index.ts'
import { useSmsCode } from '#web/kernel/use-sms-code.ts'
import { Labelled } from '#web/ui/labelled.tsx'
import { accountTexts } from '../texts.ts'

export interface PhoneProof {
  /** Of what was sent from here; null where nothing was, or no longer good. */
  readonly smsId: string | null
  readonly smsCode: string
  /** What is wrong with a code that was typed without asking for it here. */
  readonly first: string
}

/** The code that proves a new number; without one the number is for contact alone. */
export const PhoneCode = ({
  phone,
  error,
  onProof,
}: {
  readonly phone: string
  readonly error: string | undefined
  readonly onProof: (proof: PhoneProof) => void
}) => {
  const t = useT(accountTexts)
  const sms = useSmsCode(phone)
  const [smsCode, setSmsCode] = useState('')
  const { smsId, first } = sms
  useEffect(() => {
    onProof({ smsId, smsCode, first })
  }, [onProof, smsId, smsCode, first])
  return (
    <Labelled label={t('info.code')} error={error}>
      {id => (
        <>
          <div className="info-row">
            <input
              id={id}
              name="smsCode"
              className="input"
              inputMode="numeric"
              autoComplete="one-time-code"
              maxLength={6}
              value={smsCode}
              onChange={event => setSmsCode(event.target.value.replace(/\D/g, ''))}
            />
            <button type="button" className="button" disabled={sms.sending || sms.isWaiting} onClick={() => void sms.send()}>
              {sms.label}
            </button>
          </div>
          <p className="info-help" aria-live="polite">
            {sms.note ?? t('info.phone.proof')}
          </p>
        </>
      )}
    </Labelled>
  )
}
