import { lazy, Suspense, useState } from 'react'
import { endMinuteOf, minuteOf } from '#web/kernel/format.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { useRead } from '../calls.ts'
import { comingTexts } from '../coming/texts.ts'
import { refresh } from '../data/answers.ts'
import { Paper } from '../form/paper.tsx'
import { useSearchParams } from '../kit/address.ts'
import { ask } from '../kit/ask.ts'
import { Empty, Tag } from '../kit/blocks.tsx'
import { Card } from '../kit/card.tsx'
import { CardIcon, ChartIcon, PersonIcon, TicketIcon } from '../kit/icons.tsx'
import { Load } from '../kit/load.tsx'
import { CheckIcon, ForwardIcon, SwapIcon } from '../kit/page-icons.tsx'
import { Callout, Facts, PageTitle } from '../kit/page-ui.tsx'
import { Link } from '../kit/router.tsx'
import { Sheet } from '../kit/sheet.tsx'
import { Countdown } from '../kit/time.tsx'
import { Button, ButtonLink } from '../kit/ui.tsx'
import { actionLink, isTask } from '../next-action.ts'
import { usePayNotices } from '../pay/notices.tsx'
import { payTone, usePayText } from '../pay/state-text.ts'
import { examineTone, useStateText } from '../state-text.ts'
import { portalTexts } from '../texts.ts'
import type { MySignup } from '../wire.ts'
import { writes } from '../writes.ts'
import { progressOf } from './progress.ts'
import { mineTexts } from './texts.ts'
import { withoutExam } from './withdrawn.ts'

const FormPdf = lazy(async () => ({ default: (await import('./form-pdf.tsx')).FormPdf }))

const goKeys = {
  fix: 'mine.goFix',
  choosePost: 'mine.goChoose',
  pay: 'mine.goPay',
  downloadTicket: 'mine.goTicket',
  sendEdits: 'mine.goSend',
  fill: 'mine.goFill',
  submit: 'mine.goFill',
} as const

const Stepper = ({ row }: { readonly row: MySignup }) => {
  const t = useT(mineTexts)
  return (
    <ol className="p-plain p-steps" aria-label={t('mine.progress')}>
      {progressOf(row).map(({ key, state }) => (
        <li key={key} aria-current={state === 'now' ? 'step' : undefined}>
          <span className={`p-step${state === 'next' ? '' : state === 'bad' ? ' is-wrong' : ` is-${state}`}`}>{t(`mine.step.${key}`)}</span>
        </li>
      ))}
    </ol>
  )
}

/** The registration form as it was handed in, and what the reviewers said. */
const Details = ({ row, onClose }: { readonly row: MySignup; readonly onClose: () => void }) => {
  const t = useT(mineTexts)
  const signup = useRead('signup', { id: row.signupId })
  const labelOf = (result: number) => (result === 1 || result === 2 || result === 3 ? t(`mine.result.${result}`) : '')
  return (
    <Sheet title={t('mine.form')} wide onClose={onClose}>
      <Load query={signup} skeleton={[120, 200]}>
        {view => (
          <>
            {view.records && view.records.length > 0 && (
              <Card title={t('mine.history')}>
                <ol className="p-plain p-timeline">
                  {view.records.map(record => (
                    <li key={record.id} className={record.result === 1 ? 'is-done' : 'is-bad'}>
                      <span className="p-strong">{labelOf(record.result)}</span>{' '}
                      <span className="p-small p-dim p-num">{minuteOf(record.examineTime)}</span>
                      {record.remark && <p className="p-small">{record.remark}</p>}
                      {record.advisementList && record.advisementList.length > 0 && (
                        <ul className="p-plain p-small p-soft">
                          {record.advisementList.map(advice => (
                            <li key={`${advice.kind}-${advice.key}`}>
                              {t('mine.advice', { label: advice.label ?? advice.key, advice: advice.advice })}
                            </li>
                          ))}
                        </ul>
                      )}
                    </li>
                  ))}
                </ol>
              </Card>
            )}
            <Suspense>
              <FormPdf row={row} />
            </Suspense>
            <Paper input={{ examId: row.examId }} />
          </>
        )}
      </Load>
    </Sheet>
  )
}

const SignupCard = ({ row, onOpen }: { readonly row: MySignup; readonly onOpen: () => void }) => {
  const t = useT(mineTexts)
  const c = useT(comingTexts)
  const text = useStateText()
  const payText = usePayText()
  const [busy, setBusy] = useState(false)
  const { nextAction } = row
  const withdraw = async () => {
    const yes = await ask({
      title: t('mine.withdrawAsk', { exam: row.examName }),
      body: <p>{t('mine.withdrawBody')}</p>,
      okText: t('mine.withdraw'),
      danger: true,
    })
    if (!yes) return
    setBusy(true)
    try {
      await writes.withdraw(row.signupId)
      notify('success', t('mine.withdrawDone'))
      // Its fee is not asked for any more.
      usePayNotices.setState(state => ({ notices: withoutExam(state.notices, row.examId) }))
      await refresh()
    } catch {
      // The client has said why.
    } finally {
      setBusy(false)
    }
  }
  return (
    <article className="p-card p-stack">
      <div className="p-row-between">
        <h2>
          <Link href={`/signup/exam/${row.examId}`} style={{ color: 'inherit', textDecoration: 'none' }}>
            {row.examName}
          </Link>
        </h2>
        <Tag tone={examineTone(row.examine)}>{text.examine(row.examine)}</Tag>
      </div>
      <Stepper row={row} />
      {nextAction.text !== '' && (
        <Callout
          tone={/^(fix|missed|refund|repost|appeal)$/.test(nextAction.code) ? 'warning' : isTask(nextAction.code) ? 'active' : 'neutral'}
        >
          <strong>{nextAction.text}</strong>
          {nextAction.hint && <div>{nextAction.hint}</div>}
          {nextAction.deadline && (
            <div className="p-small">
              {t(nextAction.code === 'wait' ? 'mine.reviewBy' : 'mine.by', { time: endMinuteOf(nextAction.deadline) })} ·{' '}
              <Countdown until={nextAction.deadline} />
            </div>
          )}
        </Callout>
      )}
      <Facts
        facts={[
          { name: t('mine.post'), value: row.codeName && `${row.codeName} ${row.unitName ?? ''}` },
          { name: t('mine.signNo'), value: row.signNo && <span className="p-num">{row.signNo}</span> },
          { name: t('mine.submitted'), value: row.submitTime && minuteOf(row.submitTime) },
          { name: t('mine.step.pay'), value: row.payState !== 0 && <Tag tone={payTone(row.payState)}>{payText(row.payState)}</Tag> },
          { name: t('mine.remark'), value: row.examineRemark },
        ]}
      />
      <div className="p-card-foot">
        {isTask(nextAction.code) && (
          <ButtonLink to={actionLink(nextAction, row.examId)} look="primary">
            {t(goKeys[nextAction.code as keyof typeof goKeys] ?? 'mine.go')}
          </ButtonLink>
        )}
        {row.canEdit && nextAction.code !== 'sendEdits' && (
          // Who is told to wait is not told to make changes beside it: they may.
          <ButtonLink to={`/signup/form/${row.examId}`}>{t(nextAction.code === 'fix' ? 'mine.goFix' : 'mine.edit')}</ButtonLink>
        )}
        {row.unsent !== null && nextAction.code !== 'sendEdits' && (
          <ButtonLink to={`/signup/form/${row.examId}`}>{t('mine.unsent', { count: row.unsent.count })}</ButtonLink>
        )}
        {row.scoreReleased && <ButtonLink to="/signup/selection">{c('selection.title')}</ButtonLink>}
        {row.canAppeal && <ButtonLink to={`/signup/form/${row.examId}`}>{t('mine.appeal')}</ButtonLink>}
        {row.examine !== 0 && <Button onClick={onOpen}>{t('mine.details')}</Button>}
        {row.canWithdraw && (
          <Button look="text" busy={busy} onClick={() => void withdraw()}>
            {t('mine.withdraw')}
          </Button>
        )}
      </div>
    </article>
  )
}

const links = [
  { to: '/signup/examPay', key: 'nav.pay', icon: CardIcon },
  { to: '/signup/ticket', key: 'nav.ticket', icon: TicketIcon },
  { to: '/signup/score', key: 'nav.score', icon: ChartIcon },
  { to: '/signup/selection', key: 'selection', icon: CheckIcon },
  { to: '/signup/adjust', key: 'adjust', icon: SwapIcon },
  { to: '/info/index', key: 'nav.info', icon: PersonIcon },
] as const

/** Own sign-ups with how far each has come, what is to be done, and the way to everything that is one's own. */
export const MyExamPage = () => {
  const t = useT(mineTexts)
  const p = useT(portalTexts)
  const c = useT(comingTexts)
  const [params, setParams] = useSearchParams()
  const mine = useRead('myExamList', { current: 1, size: 50 })
  const open = (id: string | null) =>
    // The sheet has its own place in the history: an entry of the page's would open it again on “back”.
    setParams(
      before => {
        if (id === null) before.delete('id')
        else before.set('id', id)
        return before
      },
      { replace: true },
    )
  return (
    <>
      <PageTitle title={t('mine.title')} />
      <div className="p-cols">
        <Load query={mine} skeleton={[300, 300]}>
          {page => {
            const opened = page.records.find(row => row.signupId === params.get('id'))
            return (
              <div className="p-stack p-gap-l">
                {page.records.length === 0 && (
                  <Empty text={t('mine.none')} hint={t('mine.noneHint')}>
                    <ButtonLink to="/signup/examList" look="primary">
                      {t('mine.goExams')}
                    </ButtonLink>
                  </Empty>
                )}
                {page.records.map(row => (
                  <SignupCard key={row.signupId} row={row} onOpen={() => open(row.signupId)} />
                ))}
                {opened !== undefined && <Details row={opened} onClose={() => open(null)} />}
              </div>
            )
          }}
        </Load>
        <aside className="p-aside">
          <nav className="p-card" aria-label={t('mine.title')}>
            <ul className="p-plain p-links">
              {links.map(({ to, key, icon: Icon }) => (
                <li key={to}>
                  <Link href={to}>
                    <Icon />
                    <span>{key === 'adjust' || key === 'selection' ? c(`${key}.title`) : p(key)}</span>
                    <ForwardIcon size={18} />
                  </Link>
                </li>
              ))}
            </ul>
          </nav>
        </aside>
      </div>
    </>
  )
}
