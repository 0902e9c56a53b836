import { useState } from 'react'
import { type Label, useT } from '#web/kernel/i18n/index.ts'
import { Icon, iconPaths } from '#web/ui/icon.tsx'
import { reviewTexts } from '../texts.ts'
import { AdviceEditor } from './advice-editor.tsx'
import { type AdviceKind, type Advices, adviceId, withAdvice, withoutAdvice } from './advices.ts'

export interface Advising {
  readonly advices: Advices
  readonly onAdvices: (advices: Advices) => void
  /** Which editor is open, as `editorAt` names it: a place that is shown twice has one editor. */
  readonly editing: string | null
  readonly onEdit: (id: string | null) => void
  readonly enabled: boolean
}
/** Where on the page a place of the form is shown. */
export type Pane = 'conditions' | 'files' | 'answers'

export const editorAt = (pane: Pane, kind: AdviceKind, at: string): string => `${pane}/${adviceId(kind, at)}`

interface Props {
  readonly advising: Advising
  readonly pane: Pane
  readonly kind: AdviceKind
  readonly at: string
  readonly label: string
}

/** The one click that begins an advice. */
export const AdviceButton = ({ advising, pane, kind, at, label }: Props) => {
  const t = useT(reviewTexts)
  const id = adviceId(kind, at)
  const editor = editorAt(pane, kind, at)
  if (!advising.enabled || advising.advices[id] !== undefined || advising.editing === editor) return null
  return (
    <button
      type="button"
      className="advice-add"
      title={t('advice.addTo', { label })}
      aria-label={t('advice.addTo', { label })}
      onClick={() => advising.onEdit(editor)}
    >
      <Icon d={iconPaths.plus} size={12} />
      <span>{t('advice.add')}</span>
    </button>
  )
}

/** What has been written about one place, or the editor for it. */
export const AdviceNote = ({ advising, pane, kind, at, label, canned }: Props & { readonly canned: readonly Label[] }) => {
  const t = useT(reviewTexts)
  const id = adviceId(kind, at)
  const { advices, onAdvices, editing, onEdit } = advising
  const written = advices[id]
  const editor = editorAt(pane, kind, at)
  const [justWritten, setJustWritten] = useState(false)
  if (advising.enabled && editing === editor)
    return (
      <AdviceEditor
        label={label}
        at={at}
        canned={canned}
        value={written?.advice ?? ''}
        onSave={advice => {
          setJustWritten(true)
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
      {/* Who has just written goes on from here by keyboard. */}
      {/* biome-ignore lint/a11y/noAutofocus: the input that had the focus has gone */}
      <button type="button" className="link-button" autoFocus={justWritten} onClick={() => onEdit(editor)}>
        {t('action.edit')}
      </button>
      <button type="button" className="advice-remove" aria-label={t('advice.remove')} onClick={() => onAdvices(withoutAdvice(advices, id))}>
        <Icon d={iconPaths.close} size={12} />
      </button>
    </p>
  )
}
