import { useState } from 'react'
import { frozenOfPaper } from '#contract/exam/released.ts'
import { useLabel, useT } from '#web/kernel/i18n/index.ts'
import { earlierOf, problemOf } from '#web/resource/fields.ts'
import { Dialog } from '#web/ui/modal.tsx'
import { editTexts } from '../texts-edit.ts'
import type { Paper } from '../wire.ts'
import { paperFindings } from './draft.ts'
import { FieldGrid } from './field-grid.tsx'
import { paperFields } from './fields.ts'

const { feeFen: _fee, ...freeFields } = paperFields

/** One paper, kept in the draft until the examination is saved. */
export const PaperDialog = ({
  paper,
  isNew,
  isCharged,
  isReleased,
  taken,
  onSave,
  onClose,
}: {
  readonly paper: Paper
  readonly isNew: boolean
  /** The examination charges by paper; otherwise none has a fee. */
  readonly isCharged: boolean
  /** It is part of an examination that has been released. */
  readonly isReleased: boolean
  /** Codes of the other papers. */
  readonly taken: readonly string[]
  readonly onSave: (paper: Paper) => void
  readonly onClose: () => void
}) => {
  const t = useT(editTexts)
  const [values, setValues] = useState<Readonly<Record<string, unknown>>>({ ...paper })
  const [strict, setStrict] = useState(false)
  const label = useLabel()
  const problems: Record<string, string> = Object.fromEntries(
    paperFindings(values as unknown as Paper)
      .filter(({ field }) => field !== 'endTime') // The field itself says which beginning it stands against.
      .map(({ field, message }) => [field, label(message)]),
  )
  if (taken.includes(String(values.itemCode ?? '').toUpperCase())) problems.itemCode = t('papers.double')
  const why = t('papers.frozen')
  const frozen = Object.fromEntries(
    [
      ...frozenOfPaper({ isSeated: (paper.ticketState ?? 0) > 0, isScored: (paper.scoreState ?? 0) > 0, isPaid: isCharged && isReleased }),
    ].map(name => [name, why] as const),
  )
  const save = () => {
    setStrict(true)
    const wrong = Object.entries(paperFields).some(
      ([name, field]) => problemOf(field, values[name], earlierOf(paperFields, field, values)) !== null,
    )
    if (wrong || Object.keys(problems).length > 0) return
    onSave({ ...paper, ...values } as Paper)
    onClose()
  }
  return (
    <Dialog
      title={t(isNew ? 'papers.add' : 'papers.edit')}
      size="two"
      onClose={onClose}
      hasChanges={() => JSON.stringify(values) !== JSON.stringify(paper)}
      footer={close => (
        <div className="form-footer">
          <button type="button" className="button" onClick={close}>
            {t('action.cancel')}
          </button>
          <button type="button" className="button button-primary" onClick={save}>
            {t('action.ok')}
          </button>
        </div>
      )}
    >
      <FieldGrid
        fields={isCharged ? paperFields : freeFields}
        values={values}
        onChange={part => setValues(before => ({ ...before, ...part }))}
        problems={problems}
        strict={strict}
        disabled={frozen}
      />
    </Dialog>
  )
}
