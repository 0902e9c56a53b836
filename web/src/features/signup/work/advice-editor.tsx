import { type KeyboardEvent, useId, useState } from 'react'
import { type Label, useLabel, useT } from '#web/kernel/i18n/index.ts'
import { reviewTexts } from '../texts.ts'

const maxLength = 200

/** The small editor under a field or a file: common texts, one line, Enter keeps it. */
export const AdviceEditor = ({
  label: name,
  canned,
  value,
  onSave,
  onClose,
}: {
  readonly label: string
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
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter' && !event.shiftKey && !event.ctrlKey && !event.metaKey) {
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
      <ul className="advice-canned" aria-label={t('advice.canned')}>
        {canned.map(each => (
          <li key={each.zh}>
            <button type="button" onClick={() => save(label(each))}>
              {label(each)}
            </button>
          </li>
        ))}
      </ul>
      <div className="advice-buttons">
        <button type="button" className="button button-small button-primary" disabled={text.trim() === ''} onClick={() => save(text)}>
          {t('advice.save')}
        </button>
        <button type="button" className="button button-small" onClick={onClose}>
          {t('action.cancel')}
        </button>
      </div>
    </div>
  )
}
