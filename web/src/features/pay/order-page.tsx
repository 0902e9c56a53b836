import { orderMachine } from '#contract/pay/order.state.ts'
import { payOrder } from '#contract/pay/pay.resources.ts'
import { payRefund } from '#contract/pay/refund.resource.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { useCan } from '#web/kernel/permission.ts'
import type { Row } from '#web/resource/fields.ts'
import { RowFacts } from '#web/resource/row-facts.tsx'
import { NavLink } from '#web/shell/nav-link.tsx'
import { usePage, useTabTitle } from '#web/shell/page-context.tsx'
import { ActionButtons } from '#web/ui/action-buttons.tsx'
import { ObjectPage } from '#web/ui/object-page.tsx'
import { StateTag } from '#web/ui/state-tag.tsx'
import { Loaded } from '#web/ui/states.tsx'
import { ofOrder, ofRefund, sorted } from './money-course.ts'
import { Course, useMoneyRow, useMoneyRows, useRefreshMoney, Yuan } from './object-parts.tsx'
import { objectTexts } from './object-texts.ts'
import { Closing, ExceptionTag, useOrderActions, useTradeText } from './order-actions.tsx'
import { duePath } from './paths.ts'
import { RefundReason } from './refund-reason.tsx'
import './pay.css'

const Whole = ({ order }: { readonly order: Row }) => {
  const t = useT(objectTexts)
  const can = useCan()
  const tradeText = useTradeText()
  const refresh = useRefreshMoney()
  const { actions, dialog } = useOrderActions(refresh)
  const payId = String(order.payId)
  const refunds = useMoneyRows(payRefund, payId, can('payrefund_view')).filter(refund => refund.orderNo === order.orderNo)
  const orderNo = String(order.orderNo)
  useTabTitle({ zh: `订单 ${orderNo}`, en: `Order ${orderNo}` })
  return (
    <ObjectPage
      title={orderNo}
      state={<StateTag of={orderMachine} wire={Number(order.state)} />}
      actions={
        <>
          <ActionButtons actions={actions(order)} />
          {can('exampay_view') ? (
            <NavLink className="button" to={duePath({ id: payId })}>
              {t('due.due')}
            </NavLink>
          ) : null}
        </>
      }
      courseTitle={t('course')}
      course={<Course lines={sorted([...ofOrder(order), ...refunds.flatMap(ofRefund)])} />}
    >
      <section className="card">
        <RowFacts
          resource={payOrder}
          row={order}
          names={[
            'amount',
            'paidAmount',
            'exceptionType',
            'askedAmount',
            'askedReason',
            'name',
            'idCardTail',
            'examName',
            'payName',
            'expireTime',
            'tradeState',
            'transactionId',
            'closeReason',
            'mchid',
          ]}
          cells={{
            amount: row => <Yuan row={row} name="amount" />,
            paidAmount: row => <Yuan row={row} name="paidAmount" />,
            askedAmount: row => <Yuan row={row} name="askedAmount" />,
            askedReason: row => <RefundReason due={row} />,
            exceptionType: row => <ExceptionTag row={row} />,
            tradeState: row => tradeText(row.tradeState),
            closeReason: row => <Closing reason={row.closeReason} />,
          }}
        />
      </section>
      {dialog}
    </ObjectPage>
  )
}

/** One order at the provider: amount, state, what happened to it, and what may be done. */
export const Page = () => {
  const { params } = usePage()
  const order = useMoneyRow(payOrder, params.id ?? '0')
  return <Loaded query={order}>{row => <Whole order={row} />}</Loaded>
}
