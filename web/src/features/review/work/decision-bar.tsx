import { type KeyboardEvent, type RefObject, useId } from 'react'
import { cannedAdvice } from '#contract/signup/canned-advice.ts'
import { useLabel, useT } from '../../../kernel/i18n/index.ts'
import { Icon, iconPaths } from '../../../ui/icon.tsx'
import { reviewTexts } from '../texts.ts'
import { type Advices, withoutAdvice } from './advices.ts'

export type Result = 1 | 2 | 3
/** Returning or refusing is asked for once more, with what the candidate will read. */
export type Armed = 2 | 3 | null

interface Props {
  readonly level: number
  readonly enabled: boolean
  readonly busy: boolean
  readonly remark: string
  readonly onRemark: (text: string) => void
  readonly remarkRef: RefObject<HTMLTextAreaElement | null>
  readonly advices: Advices
  readonly onAdvices: (advices: Advices) => void
  readonly armed: Armed
  readonly onArm: (armed: Armed) => void
  readonly onDecide: (result: Result) => void
  readonly toFirst: boolean
  readonly onToFirst: (wanted: boolean) => void
  /** Null unless the time for corrections is over and this person may extend it. */
  readonly extendHours: number | null
  readonly extend: boolean
  readonly onExtend: (wanted: boolean) => void
}

const maxRemark = 500

/** Always in view: the remark and the three decisions. */
export const DecisionBar = (props: Props) => {
  const { level, enabled, busy, remark, onRemark, remarkRef, advices, onAdvices, armed, onArm, onDecide } = props
  const t = useT(reviewTexts)
  const label = useLabel()
  const id = useId()
  const list = Object.entries(advices)
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && armed !== null) {
      event.preventDefault()
      onDecide(armed)
    } else if (event.key === 'Escape') {
      if (armed !== null) onArm(null)
      else event.currentTarget.blur()
    }
  }
  const refusals = cannedAdvice.refusal.map(label)
  return (
    <section className="decision-bar" aria-label={t('decide.bar')} data-armed={armed}>
      {armed === null ? null : (
        <div className="decision-panel">
          <h2>{armed === 2 ? t('decide.returnTitle', { n: list.length }) : t('decide.refuseTitle')}</h2>
          {armed === 2 ? (
            <>
              {list.length === 0 && !props.toFirst ? <p className="field-error">{t('decide.noAdvice')}</p> : null}
              <ul className="decision-advices">
                {list.map(([key, advice]) => (
                  <li key={key}>
                    <strong>{advice.label ?? advice.key}</strong>
                    <span>{advice.advice}</span>
                    <button
                      type="button"
                      className="advice-remove"
                      aria-label={t('advice.remove')}
                      onClick={() => onAdvices(withoutAdvice(advices, key))}
                    >
                      <Icon d={iconPaths.close} size={12} />
                    </button>
                  </li>
                ))}
              </ul>
              {level === 2 ? (
                <label className="decision-check">
                  <input type="checkbox" checked={props.toFirst} onChange={event => props.onToFirst(event.target.checked)} />
                  {t('decide.toFirst')}
                </label>
              ) : null}
              {props.extendHours === null ? null : (
                <label className="decision-check">
                  <input type="checkbox" checked={props.extend} onChange={event => props.onExtend(event.target.checked)} />
                  {t('decide.extend', { n: props.extendHours })}
                </label>
              )}
            </>
          ) : (
            <ul className="advice-canned" aria-label={t('advice.canned')}>
              {refusals.map(text => (
                <li key={text}>
                  <button type="button" onClick={() => onRemark(text)}>
                    {text}
                  </button>
                </li>
              ))}
            </ul>
          )}
        </div>
      )}
      <div className="decision-row">
        <label className="visually-hidden" htmlFor={id}>
          {t('decide.remark')}
        </label>
        <textarea
          ref={remarkRef}
          id={id}
          className="input decision-remark"
          rows={armed === null ? 1 : 2}
          maxLength={maxRemark}
          placeholder={t('decide.remarkHint')}
          disabled={!enabled}
          value={remark}
          onChange={event => onRemark(event.target.value)}
          onKeyDown={onKeyDown}
        />
        {armed === null && list.length > 0 ? <span className="decision-count">{t('decide.advices', { n: list.length })}</span> : null}
        <div className="decision-buttons">
          {armed === null ? (
            <>
              <button type="button" className="button button-primary" disabled={!enabled || busy} onClick={() => onDecide(1)}>
                {t('decide.pass')} <kbd>1</kbd>
              </button>
              <button type="button" className="button" disabled={!enabled || busy} onClick={() => onArm(2)}>
                {t('decide.return')} <kbd>2</kbd>
              </button>
              <button type="button" className="button button-danger" disabled={!enabled || busy} onClick={() => onArm(3)}>
                {t('decide.refuse')} <kbd>3</kbd>
              </button>
            </>
          ) : (
            <>
              <button
                type="button"
                className={armed === 2 ? 'button button-primary' : 'button button-danger'}
                disabled={!enabled || busy}
                onClick={() => onDecide(armed)}
              >
                {armed === 2 ? t('decide.confirmReturn') : t('decide.confirmRefuse')}
              </button>
              <button type="button" className="button" onClick={() => onArm(null)}>
                {t('decide.cancel')}
              </button>
            </>
          )}
        </div>
      </div>
    </section>
  )
}
