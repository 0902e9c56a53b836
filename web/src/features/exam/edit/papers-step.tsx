import { useState } from 'react'
import { endBeside } from '#contract/kernel/when.ts'
import { minuteOf, yuanOf } from '#web/kernel/format.ts'
import { useLabel, useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { confirm } from '#web/ui/dialog.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { PostsOfPaper } from '../papers/posts-of-paper.tsx'
import { DictText } from '../phase.tsx'
import { examTexts } from '../texts.ts'
import { editTexts } from '../texts-edit.ts'
import type { Paper } from '../wire.ts'
import { paperFindings } from './draft.ts'
import { FieldGrid } from './field-grid.tsx'
import { feeFields } from './fields.ts'
import { PaperDialog } from './paper-dialog.tsx'
import type { StepProps } from './step-props.ts'

const newPaper = (count: number): Paper => ({
  itemName: '',
  itemCode: '',
  itemType: 1,
  startTime: '',
  endTime: '',
  reportTime: null,
  lateMinutes: 30,
  fullScore: '100',
  passScore: null,
  weight: '100',
  feeFen: 0,
  seatGroup: null,
  tools: '',
  rules: '',
  sort: (count + 1) * 10,
})

/** Papers, and what taking part costs. */
export const PapersStep = ({ draft, frozen, onChange, onValues, problems, strict, wanted }: StepProps) => {
  const t = useT(editTexts)
  const tExam = useT(examTexts)
  const label = useLabel()
  const [edited, setEdited] = useState<{ readonly at: number | null; readonly paper: Paper } | null>(null)
  const papers = draft.examitems
  const mode = Number(draft.values.feeMode ?? 0)
  const { feeFen, payWhen, payLimitMinutes, refundPolicy, feeWaiver, feeMode } = feeFields
  const fields = {
    feeMode,
    ...(mode === 1 ? { feeFen } : {}),
    ...(mode === 0 ? {} : { payWhen, payLimitMinutes, refundPolicy, feeWaiver }),
  }
  const remove = async (at: number, paper: Paper) => {
    if ((paper.ticketState ?? 0) > 0 || (paper.scoreState ?? 0) > 0) return notify('warning', t('papers.used'))
    const yes = await confirm({ title: t('action.remove'), text: t('papers.remove', { name: paper.itemName }), danger: true })
    if (yes) onChange({ examitems: papers.filter((_, index) => index !== at) })
  }
  return (
    <>
      <section className="card exam-section">
        <FieldGrid
          fields={fields}
          values={draft.values}
          onChange={onValues}
          problems={problems}
          strict={strict}
          wanted={wanted}
          disabled={frozen}
        />
        {mode === 3 ? <p className="exam-help">{t('papers.postFee')}</p> : null}
      </section>
      <section className="card exam-section" aria-label={t('papers.title', { count: papers.length })}>
        <div className="exam-section-head">
          <h2>{t('papers.title', { count: papers.length })}</h2>
          <button type="button" className="button" onClick={() => setEdited({ at: null, paper: newPaper(papers.length) })}>
            {t('papers.add')}
          </button>
        </div>
        {papers.length === 0 ? (
          <EmptyState text={t('papers.empty')} />
        ) : (
          <ul className="paper-list">
            {papers.map((paper, at) => (
              <li key={paper.id ?? paper.itemCode}>
                <div className="paper-name">
                  <b>{paper.itemName}</b>
                  <span>
                    {paper.itemCode} · <DictText code="item_type" value={paper.itemType} />
                  </span>
                  {paperFindings(paper).map(({ field, message }) => (
                    <span key={field} className="field-error">
                      {label(message)}
                    </span>
                  ))}
                </div>
                <dl>
                  <div>
                    <dt>{t('papers.time')}</dt>
                    <dd>
                      {minuteOf(paper.startTime)} – {endBeside(paper.startTime, paper.endTime)}
                    </dd>
                  </div>
                  <div>
                    <dt>{t('papers.full')}</dt>
                    <dd>{paper.fullScore}</dd>
                  </div>
                  <div>
                    <dt>{t('papers.weight')}</dt>
                    <dd>{paper.weight}%</dd>
                  </div>
                  {paper.id === undefined ? null : (
                    <div>
                      <dt>{tExam('papers.posts')}</dt>
                      <dd>
                        <PostsOfPaper codes={paper.typeCodes} examId={draft.id} />
                      </dd>
                    </div>
                  )}
                  {mode === 2 ? (
                    <div>
                      <dt>{t('papers.fee')}</dt>
                      <dd>¥{yuanOf(paper.feeFen)}</dd>
                    </div>
                  ) : null}
                </dl>
                <div className="paper-tools">
                  <button type="button" className="link-button" onClick={() => setEdited({ at, paper })}>
                    {t('action.edit')}
                  </button>
                  <button type="button" className="link-button" data-danger="true" onClick={() => void remove(at, paper)}>
                    {t('action.remove')}
                  </button>
                </div>
              </li>
            ))}
          </ul>
        )}
      </section>
      {edited === null ? null : (
        <PaperDialog
          paper={edited.paper}
          isNew={edited.at === null}
          isCharged={mode === 2}
          isReleased={draft.state !== 0 && edited.at !== null && edited.paper.id !== undefined}
          taken={papers.filter((_, at) => at !== edited.at).map(paper => paper.itemCode.toUpperCase())}
          onClose={() => setEdited(null)}
          onSave={paper =>
            onChange({ examitems: edited.at === null ? [...papers, paper] : papers.map((old, at) => (at === edited.at ? paper : old)) })
          }
        />
      )}
    </>
  )
}
