import { signupMachine } from '#contract/signup/signup.state.ts'
import { minuteOf } from '#web/kernel/format.ts'
import { defineTexts, useT } from '#web/kernel/i18n/index.ts'
import { useCan } from '#web/kernel/permission.ts'
import { NavLink } from '#web/shell/nav-link.tsx'
import { type ExamineInfo, isWaiting } from '../show.ts'
import { reviewTexts } from '../texts.ts'
import { entryOf } from './entry-of.ts'

const disqualifyTexts = defineTexts(
  { propose: '发现问题？提议取消资格', not: '取消资格须由有更正权限的人员提议，您的角色不能提议' },
  {
    propose: 'Something is wrong? Propose to disqualify',
    not: 'To disqualify, ask who holds the right to correct sign-ups: your role cannot propose it',
  },
)
const passed = signupMachine.wire.passed

/** What was decided last: by whom, when and why. Nothing where the sign-up was handed in again since, which waits anew. */
export const Decided = ({ info }: { readonly info: ExamineInfo }) => {
  const t = useT(reviewTexts)
  const d = useT(disqualifyTexts)
  const can = useCan()
  const { records, examine } = info.signup
  const last = records.at(-1)
  if (last === undefined || isWaiting(examine)) return null
  // Whoever finds something wrong with what has passed looks here for the way.
  const disqualify = can('examine_correct') ? (
    <NavLink to={`/examine/signup/${info.signup.id}`}>{d('propose')}</NavLink>
  ) : (
    <span>{d('not')}</span>
  )
  const reason = [last.remark, ...last.advisementList.map(advice => `${advice.label ?? advice.key}：${advice.advice}`)].filter(Boolean)
  return (
    <div className="work-banner work-decided" data-tone={last.result === 3 ? 'refused' : last.result === 2 ? 'waiting' : 'closed'}>
      <strong>{entryOf(t, last)}</strong>
      <time>{minuteOf(last.examineTime)}</time>
      <span>{reason.length === 0 ? t('work.noReason') : reason.join('；')}</span>
      {examine === passed && disqualify}
    </div>
  )
}
