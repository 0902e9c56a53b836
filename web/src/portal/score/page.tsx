import { isApiError } from '#web/kernel/api-error.ts'
import { defineTexts, useT } from '#web/kernel/i18n/index.ts'
import { endMinuteOf } from '#web/kernel/wire-time.ts'
import { useRead } from '../calls.ts'
import { Empty, Tag } from '../kit/blocks.tsx'
import { Card } from '../kit/card.tsx'
import { ExamChoice } from '../kit/exam-choice.tsx'
import { Load } from '../kit/load.tsx'
import { Callout, Facts, PageTitle } from '../kit/page-ui.tsx'
import { Countdown } from '../kit/time.tsx'
import { ButtonLink } from '../kit/ui.tsx'
import type { MySignup, ScoreView } from '../wire.ts'
import { ScoreProofCard } from './proof.tsx'
import { RecheckCard } from './recheck.tsx'

const scoreTexts = defineTexts(
  {
    'score.title': '我的成绩',
    'score.none': '还没有可查询的成绩',
    'score.noneHint': '参加考试后，成绩发布时会通知您。',
    'score.toMine': '查看我的报名',
    'score.exam': '选择考试',
    'score.notYet': '成绩尚未发布',
    'score.total': '总成绩',
    'score.written': '笔试成绩',
    'score.interview': '面试成绩',
    'score.bonus': '加分',
    'score.rank': '岗位排名',
    'score.rankOf': '第 {rank} 名，共 {count} 人',
    'score.line': '入围分数线',
    'score.passLine': '笔试合格线',
    'score.out': '不参加排名',
    'score.inCheck': '核对中',
    'score.shortlist.0': '未入围',
    'score.shortlist.1': '已入围',
    'score.shortlist.2': '递补入围',
    'score.shortlist.3': '已放弃',
    'score.next': '下一步',
    'score.by': '{time} 截止',
    'score.go': '去办理',
    'score.items': '各科成绩',
    'score.full': '满分 {full}',
    'score.state.2': '缺考',
    'score.state.3': '违纪',
    'score.state.4': '零分',
    'score.state.5': '免试',
    'score.corrected': '{time} 更正：{before} → {after}。原因：{reason}',
    'score.ask': '对成绩有疑问，请在公告规定的时间内向招考单位申请复核。',
  },
  {
    'score.title': 'My results',
    'score.none': 'No results yet',
    'score.noneHint': 'After the exam you will be told when the results are out.',
    'score.toMine': 'See my sign-ups',
    'score.exam': 'Exam',
    'score.notYet': 'The results are not out yet',
    'score.total': 'Total',
    'score.written': 'Written exam',
    'score.interview': 'Interview',
    'score.bonus': 'Bonus',
    'score.rank': 'Rank for the post',
    'score.rankOf': 'No. {rank} of {count}',
    'score.line': 'Shortlist line',
    'score.passLine': 'Written pass line',
    'score.out': 'Not ranked',
    'score.inCheck': 'Being checked',
    'score.shortlist.0': 'Not shortlisted',
    'score.shortlist.1': 'Shortlisted',
    'score.shortlist.2': 'Shortlisted as a substitute',
    'score.shortlist.3': 'Given up',
    'score.next': 'What comes next',
    'score.by': 'Until {time}',
    'score.go': 'Do it now',
    'score.items': 'Papers',
    'score.full': 'of {full}',
    'score.state.2': 'Absent',
    'score.state.3': 'Disciplined',
    'score.state.4': 'Zero',
    'score.state.5': 'Exempt',
    'score.corrected': 'Corrected {time}: {before} → {after}. Why: {reason}',
    'score.ask': 'If you doubt a result, ask for a re-check within the time that the announcement states.',
  },
)

const shortTone = { 0: 'neutral', 1: 'success', 2: 'success', 3: 'neutral' } as const

const Scores = ({ score, examId }: { readonly score: ScoreView; readonly examId: string }) => {
  const t = useT(scoreTexts)
  const main = score.total ?? score.written
  const wordOf = (value: string | null, state: number): string =>
    value ?? (state >= 2 && state <= 5 ? t(`score.state.${state as 2 | 3 | 4 | 5}`) : '—')
  const short = score.shortlist === 1 || score.shortlist === 2 || score.shortlist === 3 ? score.shortlist : 0
  return (
    <>
      <Card>
        <div className="p-row-between">
          <p>
            <span className="p-dim">{t(score.total ? 'score.total' : 'score.written')}</span>
            <br />
            <span className="p-big p-num">{main ?? '—'}</span>
          </p>
          {score.out !== null ? (
            <Tag tone="neutral">{t('score.out')}</Tag>
          ) : (
            score.line && <Tag tone={shortTone[short]}>{t(`score.shortlist.${short}`)}</Tag>
          )}
        </div>
        <Facts
          facts={[
            score.total ? { name: t('score.written'), value: score.written } : null,
            { name: t('score.interview'), value: score.interview },
            { name: t('score.bonus'), value: score.bonus && Number(score.bonus) !== 0 ? score.bonus : null },
            {
              name: t('score.rank'),
              value: score.rank && score.postCount ? t('score.rankOf', { rank: score.rank, count: score.postCount }) : null,
            },
            { name: t('score.passLine'), value: score.passLine },
            { name: t('score.line'), value: score.line },
          ]}
        />
      </Card>
      {score.nextStep && (
        <Callout tone="active">
          <strong>{t('score.next')}</strong>
          <br />
          {score.nextStep}
        </Callout>
      )}
      <Card title={t('score.items')}>
        <ul className="p-plain p-stack">
          {score.items.map(item => (
            <li key={item.itemId} className="p-row-between">
              <div>
                {item.itemName}
                {item.corrections?.map(one => (
                  <div key={one.time} className="p-small p-dim">
                    {t('score.corrected', {
                      time: one.time.slice(0, 16),
                      before: wordOf(one.before, one.beforeState),
                      after: wordOf(one.after, one.afterState),
                      reason: one.reason,
                    })}
                  </div>
                ))}
              </div>
              <span className="p-num">
                {item.resultState === 1 || item.score !== null ? (
                  <>
                    <strong>{item.score ?? '—'}</strong> <span className="p-small p-dim">{t('score.full', { full: item.fullScore })}</span>
                  </>
                ) : (
                  <Tag tone="warning">
                    {item.resultState >= 2 && item.resultState <= 5 ? t(`score.state.${item.resultState as 2 | 3 | 4 | 5}`) : '—'}
                  </Tag>
                )}
              </span>
            </li>
          ))}
          {score.inCheck.map(name => (
            <li key={name} className="p-row-between">
              <span>{name}</span>
              <Tag tone="warning">{t('score.inCheck')}</Tag>
            </li>
          ))}
        </ul>
      </Card>
      <p className="p-small p-dim">{t('score.ask')}</p>
      <RecheckCard examId={examId} />
      <ScoreProofCard examId={examId} />
    </>
  )
}

/** 2403: not released yet or being checked, which is no failure; the server says which. */
const notReleased = 2403

/** What only the candidate can do after the results: it stands above them. */
const Todo = ({ action: { text, hint, deadline } }: { readonly action: MySignup['nextAction'] }) => {
  const t = useT(scoreTexts)
  return (
    <Callout tone="warning">
      <strong>{text}</strong>
      {hint && <div>{hint}</div>}
      {deadline && (
        <div className="p-small">
          {t('score.by', { time: endMinuteOf(deadline) })} · <Countdown until={deadline} />
        </div>
      )}
      <ButtonLink to="/signup/selection" look="primary">
        {t('score.go')}
      </ButtonLink>
    </Callout>
  )
}

const ScoreOf = ({ row }: { readonly row: MySignup }) => {
  const t = useT(scoreTexts)
  const score = useRead('score', { examId: row.examId }, { staleMs: 60_000 })
  if (isApiError(score.error) && score.error.code === notReleased) return <Empty text={score.error.message || t('score.notYet')} />
  return (
    <>
      <h2>{row.examName}</h2>
      {row.nextAction.code === 'selection' && <Todo action={row.nextAction} />}
      <Load query={score} skeleton={[160, 120]}>
        {data => <Scores score={data} examId={row.examId} />}
      </Load>
    </>
  )
}

export const ScorePage = () => {
  const t = useT(scoreTexts)
  return (
    <>
      <PageTitle back="/signup/myExam" title={t('score.title')} />
      <ExamChoice
        label={t('score.exam')}
        wanted={row => row.examine === 5 || row.examine === 7 || row.scoreReleased || row.scoreInCheck}
        seek={row => row.scoreReleased || row.scoreInCheck}
        empty={
          <Empty text={t('score.none')} hint={t('score.noneHint')}>
            <ButtonLink to="/signup/myExam">{t('score.toMine')}</ButtonLink>
          </Empty>
        }
      >
        {row => <ScoreOf key={row.examId} row={row} />}
      </ExamChoice>
    </>
  )
}
