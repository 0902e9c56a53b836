import { minuteOf } from '#web/kernel/format.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { type ExamineInfo, isWaiting } from '../show.ts'
import { reviewTexts } from '../texts.ts'
import { entryOf } from './entry-of.ts'
import type { useUndo } from './undo.tsx'
import type { Review } from './use-review.ts'

type Undo = ReturnType<typeof useUndo>

/** What was decided last: by whom, when and why. Nothing where the sign-up was handed in again since, which waits anew. */
const Decided = ({ info }: { readonly info: ExamineInfo }) => {
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

/** What stands between the reviewer and a decision: a newer state, a lost connection, somebody else's lock, a decision made. */
export const Banner = ({ review, info, undo }: { readonly review: Review; readonly info: ExamineInfo; readonly undo: Undo }) => {
  const t = useT(reviewTexts)
  if (review.isOld)
    return (
      <div className="work-banner" data-tone="waiting" role="alert">
        {review.latest?.signup.signVersion === info.signup.signVersion ? t('work.newerState') : t('work.newer')}
        <button type="button" className="button button-small" onClick={() => void review.reload()}>
          {t('work.reload')}
        </button>
      </div>
    )
  if (review.error !== null)
    return (
      <div className="work-banner" data-tone="refused" role="alert">
        {t('work.offline', { reason: review.error.message })}
        <button type="button" className="button button-small" onClick={() => void review.renew()}>
          {t('action.retry')}
        </button>
      </div>
    )
  if (review.mayDecide && !undo.may) return null
  return (
    <>
      <Decided info={info} />
      <div className="work-banner" data-tone="closed" role="status">
        {review.mayDecide ? undo.decided : t('work.readOnly', { reason: review.latest?.readOnlyReason ?? review.latest?.lockedBy ?? '-' })}
        {undo.may ? (
          <>
            <button type="button" className="button button-small" onClick={undo.start}>
              {t('undo.title')} <kbd>U</kbd>
            </button>
            {undo.until}
          </>
        ) : null}
      </div>
    </>
  )
}
