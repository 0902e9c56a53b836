import { useCallback, useEffect, useState } from 'react'
import { useT } from '../kernel/i18n/index.ts'
import { type Captcha, getCaptcha } from './login-calls.ts'
import { loginTexts } from './texts.ts'

/** The current picture; `renew` asks for another one, as after each failure (a captcha is good for one try). */
export const useCaptcha = (isNeeded: boolean): { captcha: Captcha | null; failed: boolean; renew: () => void } => {
  const [round, setRound] = useState(0)
  const [captcha, setCaptcha] = useState<Captcha | null>(null)
  const [failed, setFailed] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new round asks anew
  useEffect(() => {
    if (!isNeeded) return
    const leave = new AbortController()
    getCaptcha(leave.signal).then(
      got => {
        setCaptcha(got)
        setFailed(false)
      },
      () => {
        if (!leave.signal.aborted) setFailed(true)
      },
    )
    return () => leave.abort()
  }, [round, isNeeded])
  return { captcha, failed, renew: useCallback(() => setRound(before => before + 1), []) }
}

/** The server's drawing is 130 by 48 pixels (decision 4.7). */
export const CaptchaPicture = (props: { captcha: Captcha | null; failed: boolean; onRenew: () => void }) => {
  const t = useT(loginTexts)
  return (
    <button type="button" className="captcha" onClick={props.onRenew} aria-label={t('captcha.alt')} title={t('captcha.alt')}>
      {props.captcha === null ? (
        <span>{props.failed ? t('captcha.failed') : ''}</span>
      ) : (
        <img src={props.captcha.image} width="130" height="48" alt="" />
      )}
    </button>
  )
}
