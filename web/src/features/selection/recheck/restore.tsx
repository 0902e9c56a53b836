import { lazy, Suspense, useState } from 'react'
import type { ApiOutput } from '#web/kernel/api.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { useCan } from '#web/kernel/permission.ts'
import { restoreTexts } from './restore-texts.ts'

const RestoreDialog = lazy(async () => ({ default: (await import('./restore-dialog.tsx')).RestoreDialog }))

type Info = ApiOutput<'GET /blade-signup/selection/recheckInfo'>

/** What became of an objection to a disqualification; whoever may propose or decide does it here. */
export const Restore = ({ info, onDone }: { readonly info: Info; readonly onDone: () => void }) => {
  const t = useT(restoreTexts)
  const can = useCan()
  const [isOpen, setOpen] = useState(false)
  const waiting = info.restorations.find(one => one.state === 0)
  // 3: not passed, which disqualified the sign-up.
  const may = info.reviewState === 3 && (waiting === undefined ? can('recheck_restore') : can('recheck_uphold'))
  if (info.restorations.length === 0 && !may) return null
  return (
    <section>
      <h3>{t('restore.title')}</h3>
      <ul className="sel-lines">
        {info.restorations.map(one => (
          <li key={one.id}>
            <b>{t(`restore.state.${one.state as 0 | 1 | 2}`)}</b>
            <span>{t('restore.proposed', { name: one.byName, time: one.time.slice(0, 16), reason: one.reason })}</span>
            {one.decision === null ? null : (
              <span>
                {t('restore.decided', { name: one.decidedName ?? '', time: one.decidedTime?.slice(0, 16) ?? '', reason: one.decision })}
              </span>
            )}
          </li>
        ))}
      </ul>
      {may ? (
        <button type="button" className="button" onClick={() => setOpen(true)}>
          {t(waiting === undefined ? 'restore.propose' : 'restore.decide')}
        </button>
      ) : null}
      {isOpen ? (
        <Suspense>
          <RestoreDialog signUpId={info.signupId} name={info.name} waiting={waiting} onClose={() => setOpen(false)} onDone={onDone} />
        </Suspense>
      ) : null}
    </section>
  )
}
