import { type KeyboardEvent, type RefObject, useId } from 'react'
import { cannedAdvice } from '#contract/signup/canned-advice.ts'
import { useLabel, useT } from '#web/kernel/i18n/index.ts'
import { Icon, iconPaths } from '#web/ui/icon.tsx'
import { reviewTexts } from '../texts.ts'
import { withoutAdvice } from './advices.ts'
import type { Decision } from './use-decision.ts'

interface Props {
  readonly level: number
  readonly decision: Decision
  readonly remarkRef: RefObject<HTMLTextAreaElement | null>
}

const maxRemark = 500

/** What the candidate will read when it goes back. */
const ReturnPanel = ({ level, decision }: Omit<Props, 'remarkRef'>) => {
  const t = useT(reviewTexts)
  const { advices, setAdvices, toFirst, extendHours } = decision
  const list = Object.entries(advices)
  return (
    <div className="decision-panel">
      <h2>{t('decide.returnTitle', { n: list.length })}</h2>
      {list.length === 0 && !toFirst ? <p className="field-error">{t('decide.noAdvice')}</p> : null}
      <ul className="decision-advices">
        {list.map(([key, advice]) => (
          <li key={key}>
            <strong>{advice.label ?? advice.key}</strong>
            <span>{advice.advice}</span>
            <button
              type="button"
              className="advice-remove"
              aria-label={t('advice.remove')}
              onClick={() => setAdvices(withoutAdvice(advices, key))}
            >
              <Icon d={iconPaths.close} size={12} />
            </button>
          </li>
        ))}
      </ul>
      {level === 2 ? (
        <label className="decision-check">
          <input type="checkbox" checked={toFirst} onChange={event => decision.setToFirst(event.target.checked)} />
          {t('decide.toFirst')}
        </label>
      ) : null}
      {extendHours === null ? null : (
        <label className="decision-check">
          <input type="checkbox" checked={decision.extend} onChange={event => decision.setExtend(event.target.checked)} />
          {t('decide.extend', { n: extendHours })}
        </label>
      )}
    </div>
  )
}

/** Usual reasons of a refusal. */
const RefusePanel = ({ onChoose }: { readonly onChoose: (text: string) => void }) => {
  const t = useT(reviewTexts)
  const label = useLabel()
  return (
    <div className="decision-panel">
      <h2>{t('decide.refuseTitle')}</h2>
      <ul className="advice-canned" aria-label={t('advice.canned')}>
        {cannedAdvice.refusal.map(label).map(text => (
          <li key={text}>
            <button type="button" onClick={() => onChoose(text)}>
              {text}
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}

const Buttons = ({ decision: { armed, arm, busy, enabled, decide } }: { readonly decision: Decision }) => {
  const t = useT(reviewTexts)
  const isOff = !enabled || busy
  if (armed !== null)
    return (
      <div className="decision-buttons">
        <button
          type="button"
          className={armed === 2 ? 'button button-primary' : 'button button-danger'}
          disabled={isOff}
          onClick={() => void decide(armed)}
        >
          {armed === 2 ? t('decide.confirmReturn') : t('decide.confirmRefuse')}
        </button>
        <button type="button" className="button" onClick={() => arm(null)}>
          {t('decide.cancel')}
        </button>
      </div>
    )
  return (
    <div className="decision-buttons">
      <button type="button" className="button button-primary" disabled={isOff} onClick={() => void decide(1)}>
        {t('decide.pass')} <kbd>1</kbd>
      </button>
      <button type="button" className="button" disabled={isOff} onClick={() => arm(2)}>
        {t('decide.return')} <kbd>2</kbd>
      </button>
      <button type="button" className="button button-danger" disabled={isOff} onClick={() => arm(3)}>
        {t('decide.refuse')} <kbd>3</kbd>
      </button>
    </div>
  )
}

/** Always in view: the remark and the three decisions. */
export const DecisionBar = ({ level, decision, remarkRef }: Props) => {
  const t = useT(reviewTexts)
  const id = useId()
  const { armed, arm, enabled, decide, remark, setRemark } = decision
  const count = Object.keys(decision.advices).length
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && armed !== null) {
      event.preventDefault()
      void decide(armed)
    } else if (event.key === 'Escape') {
      if (armed !== null) arm(null)
      else event.currentTarget.blur()
    }
  }
  return (
    <section className="decision-bar" aria-label={t('decide.bar')} data-armed={armed}>
      {armed === 2 ? <ReturnPanel level={level} decision={decision} /> : null}
      {armed === 3 ? <RefusePanel onChoose={setRemark} /> : null}
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
          onChange={event => setRemark(event.target.value)}
          onKeyDown={onKeyDown}
        />
        {armed === null && count > 0 ? <span className="decision-count">{t('decide.advices', { n: count })}</span> : null}
        <Buttons decision={decision} />
      </div>
    </section>
  )
}
