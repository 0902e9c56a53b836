import { lazy, Suspense } from 'react'
import { signupMachine } from '#contract/signup/signup.state.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { countText } from '#web/ui/pager.tsx'
import { StateTag } from '#web/ui/state-tag.tsx'
import type { QueuePlace } from '../queue.ts'
import { type ExamineInfo, stepOf } from '../show.ts'
import { reviewTexts } from '../texts.ts'

const Spent = lazy(async () => ({ default: (await import('./spent.tsx')).Spent }))

const Who = ({ info }: { readonly info: ExamineInfo }) => {
  const t = useT(reviewTexts)
  const { signup } = info
  return (
    <div className="work-who">
      <h1>
        <span className="visually-hidden">{t('work.title')} </span>
        {signup.name ?? signup.signNo ?? ''}
      </h1>
      <StateTag of={signupMachine} wire={signup.examine} />
      <span className="work-facts">
        {signup.signNo} · {t(stepOf(signup.examine))} · {t('work.version', { n: signup.signVersion })}
      </span>
    </div>
  )
}

/** Whose sign-up it is, where it stands among those of the list, and the ways to the others. */
export const WorkHead = ({
  info,
  place,
  last,
  onOpen,
  onBack,
  onKeys,
  onRecuse,
}: {
  readonly info: ExamineInfo
  readonly place: QueuePlace
  /** The one that was decided before this one. */
  readonly last: { readonly id: string; readonly name: string } | null
  readonly onOpen: (id: string | null) => void
  /** To the list the sign-up was opened from, as it was left. */
  readonly onBack: () => void
  /** Shows the keys of this page. */
  readonly onKeys: () => void
  /** Declares a conflict of interest; null where nothing is to be decided by this person. */
  readonly onRecuse: (() => void) | null
}) => {
  const t = useT(reviewTexts)
  return (
    <header className="work-head">
      <Who info={info} />
      <div className="work-nav">
        <Suspense>{info.mayDecide ? <Spent /> : null}</Suspense>
        {last === null ? null : (
          <button type="button" className="link-button work-last" onClick={() => onOpen(last.id)}>
            {t('undo.last', { name: last.name })} <kbd>U</kbd>
          </button>
        )}
        {place.total > 0 && place.at !== null ? (
          <span className="work-place">{t('work.of', { at: place.at, total: countText(place.total, place.isMore) })}</span>
        ) : null}
        <button type="button" className="button button-small" onClick={onBack}>
          {t('work.back')}
        </button>
        <button type="button" className="button button-small" disabled={place.previousId === null} onClick={() => onOpen(place.previousId)}>
          {t('work.previous')} <kbd>K</kbd>
        </button>
        <button type="button" className="button button-small" disabled={place.nextId === null} onClick={() => onOpen(place.nextId)}>
          {t('work.next')} <kbd>J</kbd>
        </button>
        {onRecuse === null ? null : (
          <button type="button" className="button button-small" onClick={onRecuse}>
            {t('recuse.button')}
          </button>
        )}
        <button type="button" className="button button-small" aria-label={t('work.keys')} title={t('work.keys')} onClick={onKeys}>
          <kbd>?</kbd>
        </button>
      </div>
    </header>
  )
}
