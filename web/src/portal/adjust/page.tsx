import { useId, useState } from 'react'
import { isApiError } from '#web/kernel/api-error.ts'
import { endMinuteOf, yuanOf } from '#web/kernel/format.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { useSaid } from '#web/kernel/said.ts'
import { type ReadOutput, useRead } from '../calls.ts'
import { comingTexts } from '../coming/texts.ts'
import { refresh } from '../data/answers.ts'
import { Empty, SectionHead, Tag } from '../kit/blocks.tsx'
import { Card } from '../kit/card.tsx'
import { ExamChoice } from '../kit/exam-choice.tsx'
import { TextField, Tick } from '../kit/field.tsx'
import { Load } from '../kit/load.tsx'
import { CheckIcon } from '../kit/page-icons.tsx'
import { Callout, Facts, PageTitle } from '../kit/page-ui.tsx'
import { Sheet } from '../kit/sheet.tsx'
import { Countdown } from '../kit/time.tsx'
import { Button, ButtonLink } from '../kit/ui.tsx'
import { writes } from '../writes.ts'
import { adjustTexts } from './texts.ts'

type Info = NonNullable<ReadOutput<'reduction'>>
type Target = Info['targets'][number]
const matchTone = { ok: 'success', warn: 'warning', no: 'danger' } as const
const matchOf = (target: Target): 'ok' | 'warn' | 'no' => (target.match === 'ok' || target.match === 'warn' ? target.match : 'no')

const useAdjust = () => useT(adjustTexts)
type Say = ReturnType<typeof useAdjust>

/** Another post by its code, or the money back; nothing yet. */
type Pick = { readonly kind: 'move'; readonly target: Target } | { readonly kind: 'refund' }

const differenceText = (t: Say, fen: number): string =>
  fen === 0 ? t('adjust.same') : t(fen > 0 ? 'adjust.more' : 'adjust.less', { amount: yuanOf(Math.abs(fen)) })

const TargetCard = ({ target, picked, onPick }: { readonly target: Target; readonly picked: boolean; readonly onPick: () => void }) => {
  const t = useAdjust()
  const match = matchOf(target)
  return (
    <article className="p-card p-stack p-gap-s">
      <div className="p-row-between">
        <h3>
          {target.codeName} <span className="p-dim p-num">{target.code}</span>
        </h3>
        <Tag tone={matchTone[match]}>{t(`match.${match}`)}</Tag>
      </div>
      <p className="p-small p-soft">
        {target.unitName} · {t('adjust.places', { count: target.curNum })} · {differenceText(t, target.feeDifference)}
      </p>
      {target.isRecommended && (
        <div className="p-row">
          <Tag tone="active">{t('adjust.recommended')}</Tag>
        </div>
      )}
      {target.checks.length > 0 && (
        <Callout tone={matchTone[match]}>
          <ul className="p-plain">
            {target.checks.map(check => (
              <li key={check.rule}>{check.msg}</li>
            ))}
          </ul>
        </Callout>
      )}
      {match !== 'no' && (
        <Button look={picked ? undefined : 'primary'} aria-pressed={picked} onClick={onPick}>
          {picked && <CheckIcon size={18} />}
          {t('adjust.sureMove', { post: target.codeName })}
        </Button>
      )}
    </article>
  )
}

/** What the choice means, and the code of the post typed by hand: a press too many moves nobody. */
const SureSheet = ({
  info,
  signupId,
  pick,
  onClose,
}: {
  readonly info: Info
  readonly signupId: string
  readonly pick: Pick
  readonly onClose: () => void
}) => {
  const t = useAdjust()
  const [typed, setTyped] = useState('')
  const [error, setError] = useSaid<string | null>(null)
  const [busy, setBusy] = useState(false)
  const code = pick.kind === 'move' ? pick.target.code : info.reduction.code
  const title = pick.kind === 'move' ? t('adjust.sureMove', { post: pick.target.codeName }) : t('adjust.sureRefund')
  const send = async () => {
    if (typed.trim().toUpperCase() !== code.toUpperCase()) return setError(t('adjust.typeWrong', { code }))
    setBusy(true)
    try {
      await writes.chooseReduction(pick.kind === 'move' ? { signupId, choice: 1, toCode: code } : { signupId, choice: 2 })
      notify('success', t('adjust.done'))
      onClose()
      await refresh()
    } catch (failure) {
      setError(isApiError(failure) ? failure.message : String(failure))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Sheet
      title={title}
      firm
      onClose={onClose}
      foot={
        <Button look={pick.kind === 'move' ? 'primary' : 'danger'} block busy={busy} onClick={() => void send()}>
          {title}
        </Button>
      }
    >
      <p>
        {pick.kind === 'move' ? t('adjust.moveBody', { post: pick.target.codeName, unit: pick.target.unitName }) : t('adjust.refundBody')}
      </p>
      <p className="p-strong">
        {pick.kind === 'move'
          ? differenceText(t, pick.target.feeDifference)
          : info.refundAmount > 0
            ? t('adjust.refundAmount', { amount: yuanOf(info.refundAmount) })
            : t('adjust.refundNone')}
      </p>
      <TextField
        label={t('adjust.type', { code })}
        value={typed}
        onChange={event => setTyped(event.target.value)}
        error={error}
        autoComplete="off"
        required
      />
    </Sheet>
  )
}

const stateText = (t: Say, { row, canChoose, refundAmount }: Info): string | null => {
  const post = row.toName ?? row.toCode ?? ''
  if (row.state === 1) return t(canChoose ? 'adjust.inReview' : 'adjust.reviewing', { post })
  if (row.state === 3) return t('adjust.refunding', { amount: yuanOf(refundAmount) })
  if (row.state === 2) return row.toCode === null ? t('adjust.left') : t('adjust.moved', { post })
  return row.remark === null ? null : t('adjust.refused', { remark: row.remark })
}

const Choose = ({ info, signupId }: { readonly info: Info; readonly signupId: string }) => {
  const t = useAdjust()
  const [typed, setTyped] = useState('')
  const [all, setAll] = useState(false)
  const [pick, setPick] = useState<Pick | null>(null)
  const refundId = useId()
  const unfit = info.targets.filter(target => matchOf(target) === 'no')
  const word = typed.trim().toLowerCase()
  const shown = info.targets.filter(
    target =>
      (all || matchOf(target) !== 'no') &&
      target.code !== info.row.toCode &&
      (word === '' || `${target.code} ${target.codeName} ${target.unitName}`.toLowerCase().includes(word)),
  )
  return (
    <section className="p-stack">
      <SectionHead title={t('adjust.choose')} />
      <article className="p-card p-stack p-gap-s" aria-labelledby={refundId}>
        <h3 id={refundId}>{t('adjust.refund')}</h3>
        <p className="p-small p-soft">
          {info.refundAmount > 0 ? t('adjust.refundAmount', { amount: yuanOf(info.refundAmount) }) : t('adjust.refundNone')}
        </p>
        <Button onClick={() => setPick({ kind: 'refund' })}>{t('adjust.sureRefund')}</Button>
      </article>
      {info.targets.length > 5 && <TextField label={t('adjust.filter')} value={typed} onChange={event => setTyped(event.target.value)} />}
      {info.targets.length === unfit.length && <Callout tone="neutral">{t('adjust.noTarget')}</Callout>}
      {shown.map(target => (
        <TargetCard
          key={target.code}
          target={target}
          picked={pick?.kind === 'move' && pick.target.code === target.code}
          onPick={() => setPick({ kind: 'move', target })}
        />
      ))}
      {unfit.length > 0 && (
        <Tick checked={all} onChange={setAll}>
          {t('adjust.showAll', { count: unfit.length })}
        </Tick>
      )}
      {pick !== null && <SureSheet info={info} signupId={signupId} pick={pick} onClose={() => setPick(null)} />}
    </section>
  )
}

const Reduced = ({ signupId }: { readonly signupId: string }) => {
  const t = useAdjust()
  const query = useRead('reduction', { signupId }, { staleMs: 0 })
  return (
    <Load query={query} skeleton={[180, 120, 120]}>
      {info => {
        if (info === null) return <None />
        const text = stateText(t, info)
        const isOver = info.row.state === 2 || info.row.state === 3
        return (
          <div className="p-stack p-gap-l">
            <Card title={t(info.reduction.action === 3 ? 'adjust.merged' : 'adjust.lost')}>
              <Facts
                facts={[
                  { name: t('adjust.exam'), value: info.examName },
                  {
                    name: t('adjust.post'),
                    value: (
                      <>
                        {info.reduction.codeName} <span className="p-num">{info.reduction.code}</span> · {info.reduction.unitName}
                      </>
                    ),
                  },
                  { name: t('adjust.reason'), value: info.reduction.reason },
                  { name: t('adjust.phone'), value: info.hotline && <a href={`tel:${info.hotline}`}>{info.hotline}</a> },
                ]}
              />
            </Card>
            {text !== null && (
              <Callout tone={info.row.state === 0 ? 'warning' : info.row.state === 2 ? 'success' : 'active'} live>
                {text}
              </Callout>
            )}
            {info.canChoose ? (
              <>
                <Callout tone="warning">
                  <strong>{t('adjust.by', { time: endMinuteOf(info.choiceEnd) })}</strong> · <Countdown until={info.choiceEnd} />
                  {info.row.state === 0 && <div>{t('adjust.late')}</div>}
                </Callout>
                <Choose info={info} signupId={signupId} />
              </>
            ) : (
              !isOver && info.reason !== null && <Callout tone="neutral">{info.reason}</Callout>
            )}
          </div>
        )
      }}
    </Load>
  )
}

const None = () => {
  const t = useAdjust()
  return (
    <Empty text={t('adjust.none')} hint={t('adjust.hint')}>
      <ButtonLink to="/signup/myExam">{t('adjust.toMine')}</ButtonLink>
    </Empty>
  )
}

/** The place of a cancelled post: which others can be had, what they cost more or less, and the money back (domain 6.3). */
export const AdjustPage = () => {
  const t = useAdjust()
  const c = useT(comingTexts)
  return (
    <>
      <PageTitle back="/signup/myExam" title={c('adjust.title')} />
      <ExamChoice label={t('adjust.exam')} wanted={row => row.reductionState !== 0} seek={row => row.reductionState === 1} empty={<None />}>
        {row => <Reduced key={row.signupId} signupId={row.signupId} />}
      </ExamChoice>
    </>
  )
}
