import { lazy, Suspense, useState } from 'react'
import { disqualificationMachine, restorationMachine } from '#contract/selection/selection.state.ts'
import { inAccount } from '#contract/signup/hearing.ts'
import type { ApiOutput } from '#web/kernel/api.ts'
import { minuteOf } from '#web/kernel/format.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { useCan } from '#web/kernel/permission.ts'
import { useCall } from '#web/kernel/query.ts'
import { type Heard, HeardText } from '#web/resource/heard.tsx'
import { heardTexts } from '#web/resource/heard-texts.ts'
import { ToldLines } from '#web/resource/told.tsx'
import { StateTag } from '#web/ui/state-tag.tsx'
import { Loaded } from '#web/ui/states.tsx'
import { standingTexts } from './standing-texts.ts'

const ProposeDialog = lazy(async () => ({ default: (await import('./propose-dialog.tsx')).ProposeDialog }))
const NoteDialog = lazy(async () => ({ default: (await import('#web/resource/heard.tsx')).NoteDialog }))
const ReturnDialog = lazy(async () => ({ default: (await import('./return-dialog.tsx')).ReturnDialog }))

type Standing = ApiOutput<'GET /blade-signup/selection/standing'>
interface Signup {
  readonly id: string
  readonly name: string
  readonly signVersion: number
  readonly examine: number
  readonly payState: number
}
/** States of the wire; of the fee those in which nothing was paid. */
const [passed, disqualified] = [5, 7]
const unpaid: ReadonlySet<number> = new Set([0, 1, 5])

const nothing = {
  statement: null,
  statementWay: null,
  statementTime: null,
  notedBy: null,
  confirmed: null,
  confirmedBy: null,
  statementFiles: [],
} satisfies Heard

/** One proposal; of one that waits, the ways by which the person was told of it come after the rest. */
export const Proposal = ({
  kind,
  of,
}: {
  readonly kind: 'disqualify' | 'restore'
  readonly of: Standing['restorations'][number] & Partial<Standing['disqualifications'][number]>
}) => {
  const t = useT(standingTexts)
  return (
    <li>
      <b>{t(kind)}</b>{' '}
      {kind === 'restore' ? (
        <StateTag of={restorationMachine} wire={of.state} />
      ) : (
        <StateTag of={disqualificationMachine} wire={of.state} />
      )}
      <span>{t('proposed', { name: of.byName, time: minuteOf(of.time), reason: of.reason })}</span>
      {of.answerUntil === undefined ? null : (
        <span>
          {t('answer', { time: minuteOf(of.answerUntil) })}
          {of.toldTime ? `${t('between')}${t('told', { time: minuteOf(of.toldTime) })}` : null}
        </span>
      )}
      {of.answerUntil === undefined || of.state !== 0 ? null : <ToldLines of={`disqualification-${of.id}`} />}
      {of.statementFiles === undefined ? null : <HeardText of={{ ...nothing, ...of }} />}
      {of.decision === null ? null : (
        <span>
          {t('decided', { name: of.decidedName ?? '', time: of.decidedTime === null ? '' : minuteOf(of.decidedTime), reason: of.decision })}
        </span>
      )}
    </li>
  )
}

type Act = 'return' | 'disqualify' | 'restore' | 'note'

const Whole = ({ signup, standing, onDone }: { readonly signup: Signup; readonly standing: Standing; readonly onDone: () => void }) => {
  const t = useT(standingTexts)
  const h = useT(heardTexts)
  const can = useCan()
  const [act, setAct] = useState<Act | null>(null)
  const open = {
    disqualify: standing.disqualifications.find(one => one.state === 0),
    restore: standing.restorations.find(one => one.state === 0),
  }
  const acts: readonly (readonly [Act, string])[] = [
    ...(signup.examine === passed && unpaid.has(signup.payState) && can('examine_correct')
      ? [['return', t('action.return')] as const]
      : []),
    ...(open.disqualify !== undefined && can('recheck_uphold')
      ? [['disqualify', t('action.disqualify.decide')] as const]
      : open.disqualify === undefined && signup.examine === passed && can('examine_correct')
        ? [['disqualify', t('action.disqualify')] as const]
        : []),
    ...(open.disqualify !== undefined && open.disqualify.statementWay !== inAccount && can('recheck_uphold')
      ? [['note', h('title')] as const]
      : []),
    ...(open.restore !== undefined && can('recheck_uphold')
      ? [['restore', t('action.restore.decide')] as const]
      : open.restore === undefined && signup.examine === disqualified && can('recheck_restore')
        ? [['restore', t('action.restore')] as const]
        : []),
  ]
  const isEmpty = standing.disqualifications.length + standing.restorations.length === 0
  if (isEmpty && acts.length === 0) return null
  return (
    <section className="card">
      <h2>{t('title')}</h2>
      {acts.some(([one]) => one === 'return') ? <p className="course-lead">{t('lead')}</p> : null}
      {isEmpty ? <p>{t('none')}</p> : null}
      <ul className="course-proposals">
        {standing.disqualifications.map(of => (
          <Proposal key={of.id} kind="disqualify" of={of} />
        ))}
        {standing.restorations.map(of => (
          <Proposal key={of.id} kind="restore" of={of} />
        ))}
      </ul>
      {(open.disqualify ?? open.restore) !== undefined && !can('recheck_uphold') ? <p className="course-lead">{t('who')}</p> : null}
      <div className="course-acts">
        {acts.map(([one, label]) => (
          <button key={one} type="button" className="button" onClick={() => setAct(one)}>
            {label}
          </button>
        ))}
      </div>
      <Suspense>
        {act === 'note' && open.disqualify !== undefined ? (
          <NoteDialog base="/blade-signup/selection" of={open.disqualify} onClose={() => setAct(null)} onDone={onDone} />
        ) : null}
        {act === 'return' ? <ReturnDialog signup={signup} onClose={() => setAct(null)} onDone={onDone} /> : null}
        {act === 'disqualify' || act === 'restore' ? (
          <ProposeDialog
            kind={act}
            signup={signup}
            waiting={act === 'disqualify' && open.disqualify !== undefined ? { ...open.disqualify, heard: open.disqualify } : open[act]}
            movedUp={act === 'restore' ? standing.movedUp : []}
            onClose={() => setAct(null)}
            onDone={onDone}
          />
        ) : null}
      </Suspense>
    </section>
  )
}

const readers = ['examine_correct', 'recheck_view', 'recheck_chain', 'recheck_restore', 'recheck_uphold']

/** What was proposed and decided about the qualification of a sign-up, and what this reader may do about it. */
export const Standing = ({ signup, onDone }: { readonly signup: Signup; readonly onDone: () => void }) => {
  const can = useCan()
  const isReader = readers.some(code => can(code))
  const standing = useCall('GET /blade-signup/selection/standing', { signUpId: signup.id }, { quiet: true, enabled: isReader })
  if (!isReader) return null
  return (
    <Loaded query={standing} skeletonRows={2}>
      {of => (
        <Whole
          signup={signup}
          standing={of}
          onDone={() => {
            void standing.refetch()
            onDone()
          }}
        />
      )}
    </Loaded>
  )
}
