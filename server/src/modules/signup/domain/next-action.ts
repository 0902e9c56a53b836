import type { Label } from '#contract/kernel/label.ts'
import { toWireTime } from '#contract/kernel/when.ts'
import type { PayState } from '#contract/pay/order.state.ts'
import type { SignupState } from '#contract/signup/signup.state.ts'
import { correctionsEnd, isWithin } from './windows.ts'

export interface NextActionFacts {
  readonly now: Date
  readonly examId: string
  readonly exam: {
    readonly state: string
    readonly signBegin: Date | null
    readonly signEnd: Date | null
    readonly modifyEnd: Date | null
    readonly examineEnd: Date | null
    readonly payEnd: Date | null
    readonly ticketBegin: Date | null
    readonly ticketEnd: Date | null
    readonly allowChangePost: boolean
  }
  /** Undefined: not begun. */
  readonly state: SignupState | undefined
  readonly payState: PayState
  readonly extendUntil: Date | null
  readonly adviceCount: number
  readonly ticketReleased: boolean
  readonly scoreReleased: boolean
}

export interface NextAction {
  readonly code:
    | 'fill'
    | 'submit'
    | 'wait'
    | 'fix'
    | 'repost'
    | 'pay'
    | 'downloadTicket'
    | 'waitTicket'
    | 'attend'
    | 'waitScore'
    | 'viewScore'
    | 'none'
  readonly text: Label
  readonly deadline: string | null
  readonly link: string | null
}

const action = (code: NextAction['code'], zh: string, en: string, deadline: Date | null, link: string | null): NextAction => ({
  code,
  text: { zh, en },
  deadline: deadline && toWireTime(deadline),
  link,
})

/** The one thing a candidate should do next, so that nobody has to guess (domain 4.12, 5.13). */
export const nextActionOf = (facts: NextActionFacts): NextAction => {
  const { now, exam, examId, state, payState } = facts
  const form = `/signup/form/${examId}`
  const none = (zh: string, en: string): NextAction => action('none', zh, en, null, null)
  const isOpen = exam.state === 'released' && isWithin(now, exam.signBegin, exam.signEnd)
  switch (state) {
    case undefined:
      return isOpen ? action('fill', '去报名', 'Sign up', exam.signEnd, form) : none('未报名', 'Not signed up')
    case 'draft':
      return isOpen
        ? action('submit', '继续填写并提交', 'Complete and submit', exam.signEnd, form)
        : none('报名已截止，草稿未提交', 'Sign-up has closed; the draft was not submitted')
    case 'waiting':
    case 'second':
      return action('wait', '等待审核', 'Wait for the review', exam.examineEnd, null)
    case 'returned': {
      const until = correctionsEnd(exam, facts.extendUntil)
      return until && now >= until
        ? none('修改时间已过', 'The time for corrections is over')
        : action('fix', `修改 ${facts.adviceCount} 处后重新提交`, `Correct ${facts.adviceCount} places and submit again`, until, form)
    }
    case 'refused':
      return exam.allowChangePost && isOpen
        ? action('repost', '改报其他岗位', 'Choose another post', exam.signEnd, form)
        : none('审核未通过', 'Refused')
    case 'withdrawn':
      return isOpen ? action('fill', '重新报名', 'Sign up again', exam.signEnd, form) : none('已撤回', 'Withdrawn')
    case 'disqualified':
      return none('已取消资格', 'Disqualified')
    case 'passed':
      break
  }
  if (payState === 'due') return action('pay', '去缴费', 'Pay', exam.payEnd, '/signup/examPay')
  if (payState === 'overdue') return none('逾期未缴费', 'The fee was not paid in time')
  if (payState === 'refunding' || payState === 'refunded') return none('已申请退费', 'Refunded')
  if (facts.scoreReleased) return action('viewScore', '查看成绩', 'View the score', null, '/signup/score')
  if (facts.ticketReleased) {
    return exam.ticketEnd === null || now < exam.ticketEnd
      ? action('downloadTicket', '打印准考证', 'Print the ticket', exam.ticketEnd, '/signup/ticket')
      : action('waitScore', '等待成绩', 'Wait for the result', null, null)
  }
  return action('waitTicket', '等待准考证发布', 'Wait for the ticket', exam.ticketBegin, null)
}
