import { type KeyboardEvent, useId, useState } from 'react'
import { type Label, useLabel, useT } from '#web/kernel/i18n/index.ts'
import { reviewTexts } from '../texts.ts'
import { type Offer, offerOf, TipList } from './tip-list.tsx'
import { useTips } from './use-tips.ts'

const maxLength = 200

/** The small editor under a field or a file: common texts, one line, Enter keeps it. */
export const AdviceEditor = ({
  label: name,
  at,
  canned,
  value,
  onSave,
  onClose,
}: {
  readonly label: string
  /** Key of the field or file. */
  readonly at: string
  readonly canned: readonly Label[]
  readonly value: string
  readonly onSave: (text: string) => void
  readonly onClose: () => void
}) => {
  const t = useT(reviewTexts)
  const label = useLabel()
  const id = useId()
  const [text, setText] = useState(value)
  const save = (of: string) => {
    const clean = of.trim()
    if (clean !== '') onSave(clean)
  }
  const tips = useTips()
  const own = tips.of(2, at).map(({ id: tip, content }): Offer => ({ text: content, onUse: () => tips.used(tip) }))
  const offers = [
    ...own,
    ...canned.map((each): Offer => ({ text: label(each) })).filter(({ text: of }) => own.every(one => one.text !== of)),
  ]
  const take = (offer: Offer) => {
    offer.onUse?.()
    save(offer.text)
  }
  const clean = text.trim()
  const isNew = clean !== '' && offers.every(one => one.text !== clean)
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    const offer = offerOf(event, offers)
    if (offer) {
      event.preventDefault()
      take(offer)
    } else if (event.key === 'Enter' && !event.shiftKey && !event.ctrlKey && !event.metaKey) {
      event.preventDefault()
      save(text)
    } else if (event.key === 'Escape') {
      event.stopPropagation()
      onClose()
    }
  }
  return (
    <div className="advice-editor">
      <label className="visually-hidden" htmlFor={id}>
        {t('advice.addTo', { label: name })}
      </label>
      <textarea
        id={id}
        className="input"
        rows={2}
        maxLength={maxLength}
        placeholder={t('advice.text')}
        value={text}
        // biome-ignore lint/a11y/noAutofocus: the person has just asked for this input
        autoFocus
        onChange={event => setText(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <TipList offers={offers} onTake={take} />
      <div className="advice-buttons">
        <button type="button" className="button button-small button-primary" disabled={text.trim() === ''} onClick={() => save(text)}>
          {t('advice.save')}
        </button>
        <button type="button" className="button button-small" onClick={onClose}>
          {t('action.cancel')}
        </button>
        {isNew && tips.mayKeep ? (
          <button type="button" className="link-button" onClick={() => void tips.keep(2, clean, at)}>
            {t('tip.keep')}
          </button>
        ) : null}
      </div>
    </div>
  )
}
