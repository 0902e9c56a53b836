import { useCallback, useEffect, useState } from 'react'
import { foldGroups } from '#contract/kernel/fold-width.ts'
import { loadChunk } from '../kernel/chunk.ts'
import { useT } from '../kernel/i18n/index.ts'
import { Field } from './field.tsx'
import { type Captcha, getCaptcha } from './login-calls.ts'
import { loginTexts } from './texts.ts'

/** A picture is good for five minutes; one this old is changed, so that nobody types from a picture that counts no more. */
const goodForMs = 4.5 * 60_000
/** A picture that did not come is asked for again, as while the server starts anew. */
const retryMs = 3_000

/** The current picture; `renew` asks for another one, as after each failure (a captcha is good for one try). */
const useCaptcha = (isNeeded: boolean): { captcha: Captcha | null; failed: boolean; renew: () => void } => {
  const [round, setRound] = useState(0)
  const [captcha, setCaptcha] = useState<Captcha | null>(null)
  const [failed, setFailed] = useState(false)
  // The former picture counts no more: shown on until its successor comes, it would have people type in vain.
  const renew = useCallback(() => {
    setCaptcha(null)
    setRound(before => before + 1)
  }, [])
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
const CaptchaPicture = (props: { captcha: Captcha | null; failed: boolean; onRenew: () => void }) => {
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

/** What proves that a person asks: a picture, or work that the browser does by itself for whoever cannot use a picture. */
export interface CaptchaProof {
  readonly isAsked: boolean
  readonly byWork: boolean
  readonly setByWork: (byWork: boolean) => void
  readonly hasPicture: boolean
  readonly picture: ReturnType<typeof useCaptcha>
  readonly code: string
  readonly setCode: (code: string) => void
  /** Why nothing can be sent yet. */
  readonly problem: string | undefined
  readonly give: () => Promise<{ readonly key: string; readonly code: string }>
  /** After each try. */
  readonly renew: () => void
}

/** @param isAsked - the tenant asks for one (S9.06: on) */
export const useCaptchaProof = (isAsked: boolean): CaptchaProof => {
  const t = useT(loginTexts)
  const [byWork, setByWork] = useState(false)
  const hasPicture = isAsked && !byWork
  const picture = useCaptcha(hasPicture)
  const { captcha } = picture
  const [code, setCode] = useState('')
  // What was typed belongs to the picture it was typed from.
  const [typedFor, setTypedFor] = useState(captcha)
  if (typedFor !== captcha) {
    setTypedFor(captcha)
    if (typedFor !== null) setCode('')
  }
  const problemOf = () => {
    if (!hasPicture) return undefined
    const isEmpty = foldGroups(code) === ''
    if (captcha === null && (picture.failed || !isEmpty)) return t('captcha.none')
    return isEmpty ? t('captcha.empty') : undefined
  }
  return {
    ...{ isAsked, byWork, setByWork, hasPicture, picture, code, setCode },
    problem: problemOf(),
    give: async () =>
      byWork ? (await loadChunk(() => import('../kernel/work.ts'))).workInstead() : { key: captcha?.key ?? '', code: foldGroups(code) },
    renew: () => {
      setCode('')
      picture.renew()
    },
  }
}

/** The field for the picture's letters, and the way round it. */
export const CaptchaField = ({ proof, error }: { readonly proof: CaptchaProof; readonly error: string | undefined }) => {
  const t = useT(loginTexts)
  const { picture, byWork } = proof
  return (
    <>
      {proof.hasPicture ? (
        <Field
          label={t('captcha')}
          name="captcha"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          maxLength={8}
          value={proof.code}
          onValue={proof.setCode}
          error={error}
          side={<CaptchaPicture captcha={picture.captcha} failed={picture.failed} onRenew={picture.renew} />}
        />
      ) : null}
      {proof.isAsked ? (
        <div className="login-instead">
          <p role="status">{byWork ? t('work.on') : ''}</p>
          <button type="button" onClick={() => proof.setByWork(!byWork)}>
            {t(byWork ? 'work.back' : 'work.use')}
          </button>
        </div>
      ) : null}
    </>
  )
}
