import { minuteOf } from '#web/kernel/format.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { type ExamineInfo, isWaiting } from '../show.ts'
import { reviewTexts } from '../texts.ts'
import { entryOf } from './entry-of.ts'

/** What was decided last: by whom, when and why. Nothing where the sign-up was handed in again since, which waits anew. */
export const Decided = ({ info }: { readonly info: ExamineInfo }) => {
  const t = useT(reviewTexts)
  const { records, examine } = info.signup
  const last = records.at(-1)
  if (last === undefined || isWaiting(examine)) return null
  const reason = [last.remark, ...last.advisementList.map(advice => `${advice.label ?? advice.key}：${advice.advice}`)].filter(Boolean)
  return (
    <div className="work-banner work-decided" data-tone={last.result === 3 ? 'refused' : last.result === 2 ? 'waiting' : 'closed'}>
      <strong>{entryOf(t, last)}</strong>
      <time>{minuteOf(last.examineTime)}</time>
      <span>{reason.length === 0 ? t('work.noReason') : reason.join('；')}</span>
    </div>
  )
}
