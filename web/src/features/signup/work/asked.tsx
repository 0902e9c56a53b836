import { useT } from '#web/kernel/i18n/index.ts'
import { StatusTag } from '#web/ui/status-tag.tsx'
import type { ExamineInfo, FormField } from '../show.ts'
import { reviewTexts } from '../texts.ts'
import { AnswerValue } from './value.tsx'

type Change = ExamineInfo['changedItems'][number]

/** What was asked for at the last return, and whether it was done. */
export const Asked = ({ list }: { readonly list: ExamineInfo['signup']['advisementList'] }) => {
  const t = useT(reviewTexts)
  if (list.length === 0) return null
  return (
    <section className="asked">
      <h3>{t('history.asked')}</h3>
      <ul>
        {list.map(advice => (
          <li key={`${advice.kind}:${advice.key}`}>
            <StatusTag tone={advice.resolved ? 'passed' : 'waiting'} text={advice.resolved ? t('history.resolved') : t('history.open')} />
            <span>
              <strong>{advice.label ?? advice.key}</strong> {advice.advice}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

const hiddenMark = '***'

/** An answer as it was and as it is. */
export const Changed = ({ change, field }: { readonly change: Change; readonly field: FormField | undefined }) => {
  const t = useT(reviewTexts)
  if (change.after === hiddenMark || change.before === hiddenMark) return <span className="change-hidden">{t('answers.sensitive')}</span>
  return (
    <dl className="change">
      <div>
        <dt>{t('answers.from')}</dt>
        <dd>
          <del>
            <AnswerValue field={field} value={change.before} />
          </del>
        </dd>
      </div>
      <div>
        <dt>{t('answers.to')}</dt>
        <dd>
          <ins>
            <AnswerValue field={field} value={change.after} />
          </ins>
        </dd>
      </div>
    </dl>
  )
}
