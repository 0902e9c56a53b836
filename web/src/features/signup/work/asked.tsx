import { useT } from '#web/kernel/i18n/index.ts'
import { StatusTag } from '#web/ui/status-tag.tsx'
import type { ExamineInfo } from '../show.ts'
import { reviewTexts } from '../texts.ts'

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
