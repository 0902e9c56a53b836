import { type Label, useT } from '#web/kernel/i18n/index.ts'
import { Icon, iconPaths } from '#web/ui/icon.tsx'
import { reviewTexts } from '../texts.ts'
import { AdviceEditor } from './advice-editor.tsx'
import { type AdviceKind, type Advices, adviceId, withAdvice, withoutAdvice } from './advices.ts'

export interface Advising {
  readonly advices: Advices
  readonly onAdvices: (advices: Advices) => void
  /** Whose editor is open, as `kind:key`. */
  readonly editing: string | null
  readonly onEdit: (id: string | null) => void
  readonly enabled: boolean
}
interface Props {
  readonly advising: Advising
  readonly kind: AdviceKind
  readonly at: string
  readonly label: string
}

/** The one click that begins an advice. */
export const AdviceButton = ({ advising, kind, at, label }: Props) => {
  const t = useT(reviewTexts)
  const id = adviceId(kind, at)
  if (!advising.enabled || advising.advices[id] !== undefined || advising.editing === id) return null
  return (
    <button
      type="button"
      className="advice-add"
      title={t('advice.addTo', { label })}
      aria-label={t('advice.addTo', { label })}
      onClick={() => advising.onEdit(id)}
    >
      <Icon d={iconPaths.plus} size={12} />
      <span>{t('advice.add')}</span>
    </button>
  )
}

/** What has been written about one place, or the editor for it. */
export const AdviceNote = ({ advising, kind, at, label, canned }: Props & { readonly canned: readonly Label[] }) => {
  const t = useT(reviewTexts)
  const id = adviceId(kind, at)
  const { advices, onAdvices, editing, onEdit } = advising
  const written = advices[id]
  if (advising.enabled && editing === id)
    return (
      <AdviceEditor
        label={label}
        at={at}
        canned={canned}
        value={written?.advice ?? ''}
        onSave={advice => {
          onAdvices(withAdvice(advices, { kind, key: at, label: label.slice(0, 80), advice }))
          onEdit(null)
        }}
        onClose={() => onEdit(null)}
      />
    )
  if (written === undefined) return null
  return (
    <p className="advice-note">
      <span>{written.advice}</span>
      <button type="button" className="link-button" onClick={() => onEdit(id)}>
        {t('action.edit')}
      </button>
      <button type="button" className="advice-remove" aria-label={t('advice.remove')} onClick={() => onAdvices(withoutAdvice(advices, id))}>
        <Icon d={iconPaths.close} size={12} />
      </button>
    </p>
  )
}
