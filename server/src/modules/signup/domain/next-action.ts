import type { Label } from '#contract/kernel/label.ts'
import { saidTime, toWireEnd, toWireTime } from '#contract/kernel/when.ts'
import type { PayState, RefundWaits } from '#contract/pay/order.state.ts'
import { stageNames } from '#contract/selection/words.ts'
import { reductionStates } from '#contract/signup/reduction-state.ts'
import type { SignupState } from '#contract/signup/signup.state.ts'
import { correctionsEnd, isWithin } from './windows.ts'

/** What somebody has to do after the results, and until when. */
export interface SelectionStep {
  /** `hearing`: may answer to a proposal to disqualify. */
  readonly kind: 'answer' | 'papers' | 'recheck' | 'hearing'
  readonly stage: number
  readonly until: Date | null
}

export interface NextActionFacts {
  readonly now: Date
  readonly examId: string
  readonly exam: {
    readonly state: string
    readonly signBegin: Date | null
    readonly signEnd: Date | null
    readonly modifyEnd: Date | null
    readonly examineEnd: Date | null
    readonly payBegin: Date | null
    readonly payEnd: Date | null
    readonly ticketBegin: Date | null
    readonly ticketEnd: Date | null
    readonly allowChangePost: boolean
  }
  /** Undefined: not begun. */
  readonly state: SignupState | undefined
  readonly payState: PayState
  /** Until when the unpaid fee is or was to be paid; null = nothing is unpaid. */
  readonly payUntil: Date | null
  readonly refundWaits: RefundWaits
  readonly extendUntil: Date | null
  readonly adviceCount: number
  readonly ticketReleased: boolean
  readonly scoreReleased: boolean
  /** Results of this person were published and taken back. */
  readonly scoreInCheck: boolean
  /** Changes that were saved after the sign-up was handed in, and are not handed in. */
  readonly unsentCount: number
  readonly isOpenAtReviewer: boolean
  /** The undertaking was accepted; whom others have signed up has not done that yet. */
  readonly hasPromised: boolean
  readonly reductionState: number
  /** The post was cancelled while this sign-up was under way. */
  readonly isPostCancelled?: boolean
  /** Until when another post or the money back has to be chosen; null = nothing has. */
  readonly choiceUntil: Date | null
  readonly selection?: SelectionStep | undefined
  /** Of a refused sign-up: why, and until when one may appeal; null where one may not. */
  readonly refusal?: { readonly reason: Label | null; readonly appealUntil: Date | null } | undefined
}

export interface NextAction {
  readonly code:
    | 'fill'
    | 'submit'
    | 'wait'
    | 'fix'
    | 'sendEdits'
    | 'repost'
    | 'choosePost'
    | 'appeal'
    | 'pay'
    | 'waitPay'
    | 'refund'
    | 'missed'
    | 'downloadTicket'
    | 'waitTicket'
    | 'attend'
    | 'waitScore'
    | 'viewScore'
    | 'selection'
    | 'none'
  readonly text: Label
  /** What it means, or what can still be done about it. */
  readonly hint: Label | null
  /** An end, never a beginning: it is shown as one. */
  readonly deadline: string | null
  readonly link: string | null
  /** What is said of changes that are not handed in, where the step is another one. */
  readonly unsent?: Label
}

const said = ({ zh, en }: Label): Label => ({ zh: saidTime(zh), en: saidTime(en) })

const action = (
  code: NextAction['code'],
  zh: string,
  en: string,
  deadline: Date | null,
  link: string | null,
  hint: Label | null = null,
): NextAction => ({
  code,
  text: said({ zh, en }),
  hint: hint && said(hint),
  deadline: deadline && toWireEnd(deadline),
  link,
})
const none = (zh: string, en: string): NextAction => action('none', zh, en, null, null)

/** So long a missed deadline is news; later it says only how things stand. */
const missedNewsMs = 30 * 24 * 3_600_000
/** What somebody missed: the headline while it is news and the examination goes on. */
const missed = ({ now, exam }: NextActionFacts, since: Date | null, text: Label, hint: Label, link: string | null): NextAction =>
  exam.state === 'released' && since !== null && now.getTime() - since.getTime() < missedNewsMs
    ? action('missed', text.zh, text.en, null, link, hint)
    : none(text.zh, text.en)

const payPage = '/signup/examPay'

/** Why it was refused, what can still be done about it and until when. */
const refusedAction = ({ exam, refusal }: NextActionFacts, mayRepost: boolean, form: string): NextAction => {
  const until = refusal?.appealUntil ?? null
  const lines: readonly Label[] = [
    ...(refusal?.reason ? [{ zh: `原因：${refusal.reason.zh}`, en: `Reason: ${refusal.reason.en}` }] : []),
    ...(mayRepost && until
      ? [{ zh: `也可在 ${toWireEnd(until)} 前就原岗位申诉`, en: `You may also appeal about the same post before ${toWireEnd(until)}` }]
      : []),
    ...(refusal && !mayRepost && !until
      ? [
          {
            zh: '改报和申诉都已截止，如有疑问请联系考务',
            en: 'It is too late to choose another post or to appeal; contact the examination office with questions',
          },
        ]
      : []),
  ]
  const hint = lines.length === 0 ? null : { zh: lines.map(line => line.zh).join('；'), en: lines.map(line => line.en).join('; ') }
  if (mayRepost) return action('repost', '审核未通过，可以改报其他岗位', 'Refused; you may choose another post', exam.signEnd, form, hint)
  return until
    ? action('appeal', '审核未通过，可以申诉', 'Refused; you may appeal', until, form, hint)
    : action('none', '审核未通过', 'Refused', null, null, hint)
}

/** What a passed sign-up owes or gets back comes before its ticket; undefined when the money is settled. */
const moneyAction = (facts: NextActionFacts): NextAction | undefined => {
  const { now, exam, payState } = facts
  // The due knows its end, which may be one of its own (domain 8.1).
  const until = facts.payUntil ?? exam.payEnd
  if (payState === 'overdue' || (payState === 'due' && until !== null && now >= until))
    return missed(
      facts,
      until,
      { zh: '逾期未缴费', en: 'The fee was not paid in time' },
      {
        zh: `缴费已于 ${until ? toWireEnd(until) : ''} 截止，视为放弃本次考试；如有疑问请联系考务`,
        en: `Payment ended at ${until ? toWireEnd(until) : ''}; this counts as giving up the examination. Contact the examination office with questions`,
      },
      payPage,
    )
  if (payState === 'due') {
    if (exam.payBegin && now < exam.payBegin)
      return action('waitPay', `${toWireTime(exam.payBegin)} 起可缴费`, `Pay from ${toWireTime(exam.payBegin)} on`, null, payPage)
    return action('pay', '去缴费', 'Pay', until, payPage)
  }
  if (payState === 'refunding')
    return action('refund', '退费处理中', 'Your refund is under way', null, payPage, {
      zh: '考试名额已取消，费用将原路退回',
      en: 'The place in the examination is gone; the money goes back the way it came',
    })
  if (payState === 'refunded') return none('已退费，不再参加本次考试', 'Refunded; you do not take this examination')
  if (facts.refundWaits === 'own')
    return action('refund', '退费申请待审批', 'Your refund request waits for approval', null, payPage, {
      zh: '申请期间不能打印准考证，批准后考试名额不再保留；审批前可以撤回申请',
      en: 'No ticket while it waits, and the place is lost once it is approved; until then you can take the request back',
    })
  if (facts.refundWaits === 'other')
    return action('refund', '退费处理中', 'A refund is under way', null, payPage, {
      zh: '退费期间不能打印准考证，退费后考试名额不再保留；如有疑问请联系考务',
      en: 'No ticket meanwhile, and the place is lost with the refund; contact the examination office with questions',
    })
  return undefined
}

const ticketAction = ({ now, exam, ticketReleased }: NextActionFacts): NextAction => {
  const begin = exam.ticketBegin && now < exam.ticketBegin ? toWireTime(exam.ticketBegin) : undefined
  if (!ticketReleased)
    return begin === undefined
      ? action('waitTicket', '等待准考证发布', 'Wait for the ticket', null, null)
      : action('waitTicket', `等待准考证，${begin} 起可打印`, `Wait for the ticket, to be printed from ${begin} on`, null, null)
  if (begin !== undefined) return action('waitTicket', `准考证 ${begin} 起可打印`, `The ticket can be printed from ${begin} on`, null, null)
  return exam.ticketEnd === null || now < exam.ticketEnd
    ? action('downloadTicket', '打印准考证', 'Print the ticket', exam.ticketEnd, '/signup/ticket')
    : action('waitScore', '等待成绩', 'Wait for the result', null, null)
}

/** Who has changed a sign-up that waits may hand the changes in until its end, and not while a reviewer reads it. */
export const mayEditWaiting = ({
  now,
  exam,
  state,
  isOpenAtReviewer,
}: Pick<NextActionFacts, 'now' | 'state' | 'isOpenAtReviewer'> & {
  readonly exam: Pick<NextActionFacts['exam'], 'state' | 'signBegin' | 'signEnd'>
}): boolean => state === 'waiting' && exam.state === 'released' && isWithin(now, exam.signBegin, exam.signEnd) && !isOpenAtReviewer

/** Whether the form can be handed in now: where that is the next step, and where changes of what waits may follow. */
export const mayHandIn = (next: NextAction['code'], facts: Parameters<typeof mayEditWaiting>[0]): boolean =>
  ['fill', 'submit', 'fix', 'repost'].includes(next) || mayEditWaiting(facts)

const unsentText = (state: SignupState | undefined, count: number): Label | undefined => {
  const [zh, en] = [`有 ${count} 处改动没有提交`, `${count} change${count === 1 ? ' was' : 's were'} not submitted`]
  if (count === 0 || state === 'disqualified') return undefined
  if (state === 'passed') return { zh: `${zh}，审核通过的是已提交的内容`, en: `${en}; what passed is what you submitted` }
  if (state === 'waiting' || state === 'second')
    return { zh: `${zh}，审核以已提交的内容为准`, en: `${en}; the review goes by what you submitted` }
  return { zh: `${zh}，已为您保留`, en: `${en} and kept for you` }
}

/** The one thing a candidate should do or know next, so that nobody has to guess (domain 4.12, 5.13). */
export const nextActionOf = (facts: NextActionFacts): NextAction => {
  const next = stepOf(facts)
  const unsent = next.code === 'sendEdits' ? undefined : unsentText(facts.state, facts.unsentCount)
  return unsent === undefined ? next : { ...next, unsent }
}

const adjustPage = '/signup/adjust'
const lostPost: Label = { zh: '所报岗位已取消', en: 'Your post is cancelled' }

/** Whose post was cancelled has that to do or to know first (domain 4.4). */
const reductionAction = ({ now, state, reductionState, choiceUntil, payState, refundWaits }: NextActionFacts): NextAction | undefined => {
  if (state === 'disqualified') return undefined
  switch (reductionState) {
    case reductionStates.choosing:
      return choiceUntil !== null && now < choiceUntil
        ? action('choosePost', '选择改报或退费', 'Choose another post or your money back', choiceUntil, adjustPage, {
            zh: '所报岗位已取消；逾期未选，服从调剂且符合第二志愿条件的改报第二志愿，其余退费',
            en: 'Your post is cancelled. Without a choice you go to your second choice if you may, else you get the money back',
          })
        : action('wait', '选择已截止，正在处理', 'The time to choose is over', null, adjustPage, lostPost)
    case reductionStates.inReview:
      return state === 'waiting' || state === 'second'
        ? action('wait', '改报岗位优先审核中', 'Your new post is under review', null, adjustPage)
        : undefined
    case reductionStates.refunded:
    case reductionStates.late:
      if (state !== 'withdrawn') return undefined
      return payState === 'refunding' || payState === 'paid' || refundWaits !== 'none'
        ? action('refund', '退费处理中', 'Your refund is under way', null, payPage, lostPost)
        : none('岗位已取消，已退出本次考试', 'The post was cancelled; you have left the examination')
    default:
      return undefined
  }
}

/** From the re-review on, what only the candidate can do. */
const selectionAction = ({ kind, stage, until }: SelectionStep): NextAction => {
  const page = '/signup/selection'
  const at = stageNames[stage] ?? { zh: '', en: '' }
  if (kind === 'hearing')
    return action('selection', '拟取消您的报名资格，请陈述申辩', 'It is proposed to disqualify you: answer', until, page, {
      zh: '逾期未陈述申辩的，将依法作出决定',
      en: 'Without an answer it is decided all the same',
    })
  if (kind === 'papers') return action('selection', '补充复审材料', 'Hand in more papers for the re-review', null, page)
  if (kind === 'recheck')
    return action('selection', '体检不合格，可申请复检', 'Medical check not passed; you may ask for a second one', until, page)
  return action('selection', `确认是否参加${at.zh}`, `Say whether you take part: ${at.en}`, until, page, {
    zh: until ? '逾期未确认视为放弃' : '确认期限已过，但您的资格仍保留，请尽快确认',
    en: until ? 'Without an answer the place is given up' : 'The time to answer is over, yet your place is kept: please answer soon',
  })
}

const stepOf = (facts: NextActionFacts): NextAction => {
  const reduced = reductionAction(facts)
  if (reduced) return reduced
  const { now, exam, examId, state } = facts
  const form = `/signup/form/${examId}`
  const isOpen = exam.state === 'released' && isWithin(now, exam.signBegin, exam.signEnd)
  switch (state) {
    case undefined:
      return isOpen ? action('fill', '去报名', 'Sign up', exam.signEnd, form) : none('未报名', 'Not signed up')
    case 'draft':
      if (isOpen) return action('submit', '继续填写并提交', 'Complete and submit', exam.signEnd, form)
      return missed(
        facts,
        exam.signEnd && now >= exam.signEnd ? exam.signEnd : null,
        { zh: '报名已截止，草稿未提交', en: 'Sign-up has closed; the draft was not submitted' },
        {
          zh: `报名已于 ${exam.signEnd ? toWireEnd(exam.signEnd) : ''} 截止，没有提交的草稿不算报名`,
          en: `Sign-up ended at ${exam.signEnd ? toWireEnd(exam.signEnd) : ''}; a draft that was not submitted is no sign-up`,
        },
        `/signup/exam/${examId}`,
      )
    case 'waiting':
    case 'second': {
      if (facts.unsentCount > 0 && mayEditWaiting(facts) && moneyAction(facts) === undefined)
        return action(
          'sendEdits',
          `有 ${facts.unsentCount} 处改动没有提交`,
          `${facts.unsentCount} change${facts.unsentCount === 1 ? ' is' : 's are'} not submitted`,
          exam.signEnd,
          `${form}?step=4`,
        )
      if (!facts.hasPromised && mayEditWaiting(facts))
        return action('submit', '已为您报名，请补充材料并确认提交', 'You were signed up: complete and submit it', exam.signEnd, form)
      if (facts.isPostCancelled)
        return action(
          'wait',
          '所报岗位已取消，审核通过后可改报或退费',
          'Your post is cancelled: once reviewed, choose another or your money back',
          null,
          null,
        )
      const waiting = facts.isOpenAtReviewer ? { zh: '正在审核', en: 'Under review now' } : { zh: '等待审核', en: 'Wait for the review' }
      // Where the fee is due with the sign-up, it comes before the wait.
      return (
        moneyAction(facts) ??
        action('wait', waiting.zh, waiting.en, exam.examineEnd && now < exam.examineEnd ? exam.examineEnd : null, null)
      )
    }
    case 'returned': {
      const until = correctionsEnd(exam, facts.extendUntil)
      if (!until || now < until)
        return action(
          'fix',
          `修改 ${facts.adviceCount} 处后重新提交`,
          `Correct ${facts.adviceCount} place${facts.adviceCount === 1 ? '' : 's'} and submit again`,
          until,
          form,
        )
      return missed(
        facts,
        until,
        { zh: '修改时间已过', en: 'The time for corrections is over' },
        {
          zh: `修改已于 ${toWireEnd(until)} 截止，没有重新提交，本次报名未通过；如有疑问请联系考务`,
          en: `Corrections ended at ${toWireEnd(until)} without a new submission, so the sign-up is not approved. Contact the examination office with questions`,
        },
        `/signup/exam/${examId}`,
      )
    }
    case 'refused':
      return refusedAction(facts, exam.allowChangePost && isOpen, form)
    case 'withdrawn':
      return isOpen ? action('fill', '重新报名', 'Sign up again', exam.signEnd, form) : none('已撤回', 'Withdrawn')
    case 'disqualified':
      // It stands on the first page as what was missed does: whoever reads nothing there believes that all is as it was.
      return exam.state === 'released'
        ? action('missed', '报名资格已取消', 'Disqualified', null, '/signup/selection', {
            zh: '决定的理由和救济途径见“复审与聘用”',
            en: 'The reasons and what you can do stand under “Re-review and hire”',
          })
        : none('报名资格已取消', 'Disqualified')
    case 'passed':
      break
  }
  if (facts.selection) return selectionAction(facts.selection)
  const money = moneyAction(facts)
  if (money) return money
  if (facts.scoreInCheck)
    return action('waitScore', '成绩核对中，请稍后查看', 'The results are being checked; please look again later', null, '/signup/score')
  if (facts.scoreReleased) return action('viewScore', '查看成绩', 'View the score', null, '/signup/score')
  return ticketAction(facts)
}
