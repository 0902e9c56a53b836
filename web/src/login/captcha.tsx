import { useCallback, useEffect, useState } from 'react'
import { useT } from '../kernel/i18n/index.ts'
import { type Captcha, getCaptcha } from './login-calls.ts'
import { loginTexts } from './texts.ts'

/** A picture is good for five minutes; one this old is changed, so that nobody types from a picture that counts no more. */
const goodForMs = 4.5 * 60_000
/** A picture that did not come is asked for again, as while the server starts anew. */
const retryMs = 3_000

/** The current picture; `renew` asks for another one, as after each failure (a captcha is good for one try). */
export const useCaptcha = (isNeeded: boolean): { captcha: Captcha | null; failed: boolean; renew: () => void } => {
  const [round, setRound] = useState(0)
  const [captcha, setCaptcha] = useState<Captcha | null>(null)
  const [failed, setFailed] = useState(false)
  const renew = useCallback(() => setRound(before => before + 1), [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new round asks anew
  useEffect(() => {
    if (!isNeeded) return
    const leave = new AbortController()
    const { signal } = leave
    let timer: ReturnType<typeof setTimeout> | undefined
    const ask = (quiet: boolean) =>
      getCaptcha(signal, quiet).then(
        got => {
          setCaptcha(got)
          setFailed(false)
          timer = setTimeout(renew, goodForMs)
        },
        () => {
          if (signal.aborted) return
          // The former picture is spent: showing it on would have it typed in vain.
          setCaptcha(null)
          setFailed(true)
          timer = setTimeout(() => void ask(true), retryMs)
        },
      )
    void ask(false)
    return () => {
      clearTimeout(timer)
      leave.abort()
    }
  }, [round, isNeeded])
  return { captcha, failed, renew }
}

/** The server's drawing is 130 by 48 pixels (decision 4.7). */
export const CaptchaPicture = (props: { captcha: Captcha | null; failed: boolean; onRenew: () => void }) => {
  const t = useT(loginTexts)
  const name = t(props.captcha === null && props.failed ? 'captcha.get' : 'captcha.alt')
  return (
    <button type="button" className="captcha" onClick={props.onRenew} aria-label={name} title={name}>
      {props.captcha === null ? (
        <span>{props.failed ? t('captcha.failed') : ''}</span>
      ) : (
        <img src={props.captcha.image} width="130" height="48" alt="" />
      )}
    </button>
  )
}
