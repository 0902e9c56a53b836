import { Suspense, useState } from 'react'
import { payRefund } from '#contract/pay/refund.resource.ts'
import { yuanOf } from '#web/kernel/format.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { useCan } from '#web/kernel/permission.ts'
import type { Row } from '#web/resource/fields.ts'
import { RowFacts } from '#web/resource/row-facts.tsx'
import { NavLink } from '#web/shell/nav-link.tsx'
import { usePage, useTabTitle } from '#web/shell/page-context.tsx'
import { confirm } from '#web/ui/dialog.tsx'
import { ObjectPage } from '#web/ui/object-page.tsx'
import { Loaded } from '#web/ui/states.tsx'
import { fenOfRow } from './due-rules.ts'
import { ofRefund, sorted } from './money-course.ts'
import { Course, RefundState, useMoneyRow, useRefreshMoney, Yuan } from './object-parts.tsx'
import { objectTexts } from './object-texts.ts'
import { duePath } from './paths.ts'
import { decideRefunds, isToApprove, RefuseDialog } from './refund-decision.tsx'
import './pay.css'

const Whole = ({ refund }: { readonly refund: Row }) => {
  const t = useT(objectTexts)
  const can = useCan()
  const refresh = useRefreshMoney()
  const [refusing, setRefusing] = useState(false)
  const name = String(refund.name ?? '')
  const amount = yuanOf(fenOfRow(refund, 'amount'))
  useTabTitle({ zh: `退费 ${name}`, en: `Refund to ${name}` })
  const approve = async () => {
    const title = t('refund.approve')
    if (!(await confirm({ title, text: t('refund.approve.ask', { name, amount }), ok: title }))) return
    const answer = await decideRefunds({ ids: refund.id, approve: 1 }).catch(() => null)
    if (answer === null) return
    const [problem] = answer.failed
    notify(problem === undefined ? 'success' : 'error', problem?.reason ?? t('refund.approved'))
    refresh()
  }
  const waits = Number(refund.waitsFor ?? 0)
  const mayDecide = can('payrefund_approve') && isToApprove(refund)
  return (
    <ObjectPage
      title={[name, String(refund.payName ?? '')].filter(Boolean).join(' · ')}
      state={<RefundState row={refund} />}
      actions={
        <>
          {mayDecide ? (
            <>
              <button type="button" className="button button-primary" onClick={() => void approve()}>
                {t('refund.approve')}
              </button>
              <button type="button" className="button button-danger" onClick={() => setRefusing(true)}>
                {t('event.refused')}
              </button>
            </>
          ) : null}
          {can('exampay_view') ? (
            <NavLink className={waits > 1 ? 'button button-primary' : 'button'} to={duePath({ id: String(refund.payId) })}>
              {t(waits > 1 ? 'refund.elsewhere' : 'due.due')}
            </NavLink>
          ) : null}
        </>
      }
      courseTitle={t('course')}
      course={<Course lines={sorted(ofRefund(refund))} />}
    >
      <section className="card">
        <RowFacts
          resource={payRefund}
          row={refund}
          names={[
            'amount',
            'waitsFor',
            'reason',
            'remark',
            'decisionRemark',
            'name',
            'idCardTail',
            'signNo',
            'examId',
            'payName',
            'refundNo',
            'orderNo',
            'providerRefundId',
            'voucherNo',
          ]}
          cells={{ amount: row => <Yuan row={row} name="amount" /> }}
        />
      </section>
      {refusing ? (
        <Suspense>
          <RefuseDialog refund={refund} onClose={() => setRefusing(false)} onDone={refresh} />
        </Suspense>
      ) : null}
    </ObjectPage>
  )
}

/** One refund: amount, state, each of its steps with who did it, and the second person's word. */
export const Page = () => {
  const { params } = usePage()
  const refund = useMoneyRow(payRefund, params.id ?? '0')
  return <Loaded query={refund}>{row => <Whole refund={row} />}</Loaded>
}
