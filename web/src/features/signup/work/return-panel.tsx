import { useT } from '#web/kernel/i18n/index.ts'
import { Icon, iconPaths } from '#web/ui/icon.tsx'
import { reviewTexts } from '../texts.ts'
import { withoutAdvice } from './advices.ts'
import { returnTexts } from './return-texts.ts'
import type { Decision } from './use-decision.ts'

/** What the candidate will read when it goes back. */
export const ReturnPanel = ({ level, decision }: { readonly level: number; readonly decision: Decision }) => {
  const t = useT(reviewTexts)
  const own = useT(returnTexts)
  const { advices, setAdvices, toFirst, extendHours, beside } = decision
  const list = Object.entries(advices)
  return (
    <div className="decision-panel">
      <h2>{own('return.title', { n: list.length })}</h2>
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
      {list.length > 0 && !toFirst ? <p>{own('return.onlyThese')}</p> : null}
      {beside.length > 0 && !toFirst ? (
        <p className="field-error">{own('return.unmarked', { names: beside.join(t('decide.separator')) })}</p>
      ) : null}
      {level === 2 ? (
        <label className="decision-check">
          <input type="checkbox" checked={toFirst} onChange={event => decision.setToFirst(event.target.checked)} />
          {own('return.toFirst')}
        </label>
      ) : null}
      {extendHours === null ? null : (
        <label className="decision-check">
          <input type="checkbox" checked={decision.extend} onChange={event => decision.setExtend(event.target.checked)} />
          {own('return.extend', { n: extendHours })}
        </label>
      )}
    </div>
  )
}
