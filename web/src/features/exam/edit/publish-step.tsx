import { useState } from 'react'
import { endMinuteOf, minuteOf, yuanOf } from '#web/kernel/format.ts'
import { useLabel, useT } from '#web/kernel/i18n/index.ts'
import { useCan } from '#web/kernel/permission.ts'
import { goTo } from '#web/shell/go.ts'
import { Facts } from '#web/ui/facts.tsx'
import { useAskRelease } from '../ask-release.tsx'
import { checkRelease, type ReleaseCheck, releaseExam } from '../calls.ts'
import { ProblemList } from '../examination/problems-dialog.tsx'
import { editTexts } from '../texts-edit.ts'
import { publishTexts } from '../texts-publish.ts'
import { type Draft, windowFindings } from './draft.ts'
import { choices, feePerPerson } from './fields.ts'
import { useReleaseCheck } from './findings.tsx'
import { usePosts } from './posts-step.tsx'

/** What will go out, and the release itself with whatever still keeps it back. */
export const PublishStep = ({
  draft,
  changed,
  onGo,
  onReleased,
}: {
  readonly draft: Draft
  readonly changed: boolean
  readonly onGo: (step: number) => void
  readonly onReleased: () => void
}) => {
  const t = useT(editTexts)
  const own = useT(publishTexts)
  const label = useLabel()
  const can = useCan()
  const [check, setCheck] = useState<(ReleaseCheck & { readonly isOut: boolean; readonly version: number | null }) | null>(null)
  const [busy, setBusy] = useState(false)
  const askRelease = useAskRelease()
  const posts = usePosts(draft.id)
  const latest = useReleaseCheck(draft, changed)
  const isOut = check?.isOut ?? false
  // A save after the check asks anew.
  const known = check !== null && check.version === draft.version ? check : latest
  const shown = known?.problems ?? null
  const warnings = known?.warnings ?? windowFindings(draft).warnings.map(({ field, message }) => ({ path: field, msg: label(message) }))
  const [isChecked, setChecked] = useState(false)
  const run = async (isRelease: boolean) => {
    if (draft.id === null || busy) return
    const { id } = draft
    setBusy(true)
    // What keeps it back is shown at once; only what could go out is asked about.
    const work = async (): Promise<NonNullable<typeof check>> => {
      const found = await checkRelease(id)
      if (!isRelease || found.problems.length > 0 || !(await askRelease(id))) return { ...found, isOut: false, version: draft.version }
      const open = await releaseExam(id)
      return { problems: open, warnings: found.warnings, isOut: open.length === 0, version: draft.version }
    }
    const found = await work().catch(() => null)
    setBusy(false)
    if (found === null) return
    setCheck(found)
    setChecked(!isRelease)
    if (found.isOut) onReleased()
  }
  const of = (name: string) => {
    const value = draft.values[name]
    return typeof value === 'string' ? value : null
  }
  const window = (begin: string | null, end: string | null) =>
    end === null ? (
      ''
    ) : (
      <>
        <span className="exam-instant">{minuteOf(begin)}</span> {own('publish.until')}{' '}
        <span className="exam-instant">{endMinuteOf(end)}</span>
      </>
    )
  const required = (list: readonly { readonly required: number }[]) => list.filter(entry => entry.required === 1).length
  const plan = posts.data?.records.reduce((sum, post) => sum + post.planNum, 0) ?? 0
  const fee = choices.feeMode?.find(choice => choice.value === draft.values.feeMode)
  return (
    <>
      <section className="card exam-section">
        <h2>{own('publish.summary')}</h2>
        <Facts
          items={[
            { key: 'sign', label: t('times.sign'), value: window(of('signBegin'), of('signEnd')) },
            { key: 'examine', label: t('times.examine'), value: window(of('examineBegin') ?? of('signBegin'), of('examineEnd')) },
            {
              key: 'pay',
              label: t('times.pay'),
              value:
                fee === undefined || fee.value === 0 ? (
                  label(fee?.label ?? { zh: '-', en: '-' })
                ) : (
                  <>
                    {label(fee.label)}
                    {fee.value === feePerPerson ? ` ${own('publish.fee', { yuan: yuanOf(Number(draft.values.feeFen ?? 0)) })}` : ''}
                    <br />
                    {window(of('payBegin'), of('payEnd'))}
                  </>
                ),
            },
            { key: 'ticket', label: t('times.ticket'), value: window(of('ticketBegin'), of('ticketEnd')) },
            { key: 'posts', label: own('publish.posts'), value: own('publish.postsValue', { count: posts.data?.total ?? 0, plan }) },
            {
              key: 'items',
              label: own('publish.items'),
              value: own('publish.itemsValue', { count: draft.signitems.length, required: required(draft.signitems) }),
            },
            {
              key: 'files',
              label: own('publish.files'),
              value: own('publish.filesValue', { count: draft.signfiles.length, required: required(draft.signfiles) }),
            },
            { key: 'papers', label: own('publish.papers'), value: draft.examitems.map(paper => paper.itemName).join(' / ') },
          ]}
        />
        {warnings.map(warning => (
          <p key={`${warning.path} ${warning.msg}`} className="exam-warning">
            {t('times.warning', { text: warning.msg })}
          </p>
        ))}
      </section>
      <section className="card exam-section" aria-live="polite">
        {draft.state !== 0 || isOut ? (
          <>
            <p>{own(isOut ? 'publish.done' : draft.state === 1 ? 'publish.already' : 'publish.over')}</p>
            <div>
              <button type="button" className="button button-primary" onClick={() => goTo('/exam/examination')}>
                {own('publish.back')}
              </button>
            </div>
          </>
        ) : (
          <>
            {shown === null || shown.length === 0 ? (
              <p>{own(shown === null ? 'publish.ready' : isChecked ? 'publish.checked' : 'publish.clear')}</p>
            ) : null}
            {shown !== null && shown.length > 0 ? (
              <>
                <h2>{own('publish.problems', { count: shown.length })}</h2>
                <ProblemList problems={shown} onGo={onGo} />
              </>
            ) : null}
            {changed || draft.id === null ? <p className="exam-warning">{own('publish.unsaved')}</p> : null}
            {can('examination_release') ? (
              <div className="exam-buttons">
                <button
                  type="button"
                  className="button button-primary"
                  disabled={busy || changed || draft.id === null}
                  onClick={() => void run(true)}
                >
                  {own('publish.run')}
                </button>
                <button type="button" className="button" disabled={busy || changed || draft.id === null} onClick={() => void run(false)}>
                  {own('publish.check')}
                </button>
              </div>
            ) : null}
          </>
        )}
      </section>
    </>
  )
}
