import { type Label, type Language, label } from '#contract/kernel/label.ts'
import { toWireTime } from '#contract/kernel/when.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'
import { html, page } from './html.ts'

/** The windows of the examination whose phases the buttons lead to. */
export interface PhaseDates {
  readonly id: string
  readonly examName: string
  readonly signBegin: Date | null
  readonly signEnd: Date | null
  readonly payBegin: Date | null
  readonly payEnd: Date | null
  readonly ticketBegin: Date | null
  readonly scoreBegin: Date | null
  readonly firstPaper: Date | null
  readonly lastPaper: Date | null
}

export const phases = ['real', 'signUp', 'pay', 'ticket', 'exam', 'score'] as const
export type Phase = (typeof phases)[number]

const phaseText: Readonly<Record<Phase, Label>> = {
  real: label('真实时间', 'Real time'),
  signUp: label('报名', 'Sign-up'),
  pay: label('缴费', 'Payment'),
  ticket: label('准考证', 'Tickets'),
  exam: label('考试日', 'Exam day'),
  score: label('成绩', 'Results'),
}

const texts = {
  title: label('演示时钟', 'Demo clock'),
  now: label('系统当前时间', 'The system believes it is'),
  real: label('真实时间', 'Real time'),
  exam: label('按此考试跳转', 'The buttons follow'),
  others: label('改按其他考试跳转', 'Follow another examination'),
  none: label('还没有已发布的考试，只能回到真实时间。', 'There is no released examination yet; only real time can be chosen.'),
  hint: label(
    '移动时钟会影响所有机构、全部进程和模拟支付；正式环境没有此页。',
    'Moving the clock moves every organisation, every process and the payment emulator. Production has no such page.',
  ),
  fixed: label('当前进程使用固定时钟，不能移动。', 'This process uses a fixed clock that cannot be moved.'),
} satisfies Readonly<Record<string, Label>>

/** The released examinations of the tenant, the one that begins last first. */
export const readPhaseDates = (db: TenantDb): Promise<readonly PhaseDates[]> =>
  db.all(sql<PhaseDates>`
    select e.id::text as id, e.exam_name as "examName", e.sign_begin as "signBegin", e.sign_end as "signEnd", e.pay_begin as "payBegin", e.pay_end as "payEnd",
      e.ticket_begin as "ticketBegin", e.score_begin as "scoreBegin",
      (select min(i.start_time) from exam_item i where i.exam_id = e.id and not i.is_deleted) as "firstPaper",
      (select max(i.end_time) from exam_item i where i.exam_id = e.id and not i.is_deleted) as "lastPaper"
    from examination e where e.state = 'released' and not e.is_deleted order by e.sign_begin desc nulls last, e.id desc limit 50`)

const hourMs = 3_600_000
const after = (at: Date | null, ms: number): Date | undefined => (at === null ? undefined : new Date(at.getTime() + ms))
const middle = (from: Date, to: Date): Date => new Date((from.getTime() + to.getTime()) / 2)

/** Where a button leads: into the phase, past what comes before it. Undefined when the examination has no such date. */
export const instantOf = (phase: Phase, dates: PhaseDates | undefined, realNow: Date): Date | undefined => {
  if (phase === 'real') return realNow
  if (dates === undefined) return undefined
  const { signBegin, signEnd, payBegin, payEnd } = dates
  switch (phase) {
    case 'signUp':
      return signBegin && signEnd && signBegin <= realNow && realNow < signEnd ? realNow : after(signBegin, hourMs)
    case 'pay':
      // After sign-up where the payment window reaches so far.
      return payEnd && signEnd && signEnd < payEnd ? middle(signEnd, payEnd) : after(payBegin, hourMs)
    case 'ticket':
      return after(dates.ticketBegin, hourMs)
    case 'exam':
      return after(dates.firstPaper, -hourMs / 2)
    case 'score':
      return after(dates.scoreBegin, hourMs) ?? after(dates.lastPaper, 7 * 24 * hourMs)
  }
}

export const clockPage = (
  facts: {
    readonly now: Date
    readonly realNow: Date
    readonly dates: PhaseDates | undefined
    readonly others: readonly Pick<PhaseDates, 'id' | 'examName'>[]
    readonly canMove: boolean
  },
  language: Language,
): string => {
  const { now, realNow, dates, others, canMove } = facts
  const t = (name: keyof typeof texts): string => texts[name][language]
  const buttons = phases.map(phase => {
    const target = instantOf(phase, dates, realNow)
    const disabled = !canMove || target === undefined
    return html`<button type="submit" name="phase" value="${phase}" class="${phase === 'real' ? 'plain' : ''}" ${disabled && 'disabled'}>${phaseText[phase][language]}</button>`
  })
  return page({
    title: t('title'),
    language,
    body: html`<div class="card"><dl><dt>${t('now')}</dt><dd><span role="status">${toWireTime(now)}</span></dd><dt>${t('real')}</dt><dd>${toWireTime(realNow)}</dd>${
      dates && html`<dt>${t('exam')}</dt><dd>${dates.examName}</dd>`
    }</dl>${!dates && html`<p class="warn">${t('none')}</p>`}${!canMove && html`<p class="warn">${t('fixed')}</p>`}
    <form method="post" action="/demo/clock"><input type="hidden" name="lang" value="${language}"><input type="hidden" name="examId" value="${dates?.id ?? ''}"><div class="row">${buttons}</div></form></div>
    ${
      others.length > 0 &&
      html`<div class="card"><h2>${t('others')}</h2><ul>${others.map(
        other => html`<li><a href="/demo/clock?examId=${other.id}&amp;lang=${language}">${other.examName}</a></li>`,
      )}</ul></div>`
    }
    <p class="soft">${t('hint')}</p>`,
  })
}
