import { type KeyboardEvent, lazy, type RefObject, Suspense, useId, useState } from 'react'
import { cannedAdvice } from '#contract/signup/canned-advice.ts'
import { useLabel, useT } from '#web/kernel/i18n/index.ts'
import { reviewTexts } from '../texts.ts'
import { type Offer, offerOf, TipList } from './tip-list.tsx'
import type { Decision } from './use-decision.ts'
import { useTips } from './use-tips.ts'

const ReturnPanel = lazy(async () => ({ default: (await import('./return-panel.tsx')).ReturnPanel }))

interface Props {
  readonly level: number
  readonly decision: Decision
  readonly remarkRef: RefObject<HTMLTextAreaElement | null>
}

const maxRemark = 500

/** Texts for the remark: of a refusal its usual reasons too. */
const TextsPanel = ({
  title,
  offers,
  onTake,
}: {
  readonly title?: string
  readonly offers: readonly Offer[]
  readonly onTake: (offer: Offer) => void
}) => (
  <div className="decision-panel">
    {title === undefined ? null : <h2>{title}</h2>}
    <TipList offers={offers} onTake={onTake} />
  </div>
)

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
  const label = useLabel()
  const tips = useTips()
  const [isWriting, setWriting] = useState(false)
  const count = Object.keys(decision.advices).length
  const offers = [
    ...tips.of(armed ?? 1).map(({ id: tip, content }): Offer => ({ text: content, onUse: () => tips.used(tip) })),
    ...(armed === 3 ? cannedAdvice.refusal.map((each): Offer => ({ text: label(each) })) : []),
  ]
  const take = (offer: Offer) => {
    offer.onUse?.()
    setRemark(offer.text)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.nativeEvent.isComposing) return
    const offer = offerOf(event, offers)
    if (offer) {
      event.preventDefault()
      take(offer)
    } else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && armed !== null) {
      event.preventDefault()
      void decide(armed)
    } else if (event.key === 'Escape') {
      if (armed !== null) arm(null)
      else event.currentTarget.blur()
    }
  }
  return (
    <section
      className="decision-bar"
      aria-label={t('decide.bar')}
      data-armed={armed}
      onFocus={event => setWriting(event.target === remarkRef.current || isWriting)}
      onBlur={event => {
        if (!event.currentTarget.contains(event.relatedTarget)) setWriting(false)
      }}
    >
      {armed === 2 ? (
        <Suspense>
          <ReturnPanel level={level} decision={decision} />
        </Suspense>
      ) : null}
      {armed === 3 || (offers.length > 0 && (armed === 2 || isWriting)) ? (
        <TextsPanel {...(armed === 3 ? { title: t('decide.refuseTitle') } : {})} offers={offers} onTake={take} />
      ) : null}
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
