import { lazy, Suspense } from 'react'
import { useT } from '#web/kernel/i18n/index.ts'
import type { ExamineInfo } from '../show.ts'
import { reviewTexts } from '../texts.ts'
import type { useUndo } from './undo.tsx'
import type { Review } from './use-review.ts'

type Undo = ReturnType<typeof useUndo>

const Decided = lazy(async () => ({ default: (await import('./decided.tsx')).Decided }))

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
      <Suspense fallback={null}>
        <Decided info={info} />
      </Suspense>
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
