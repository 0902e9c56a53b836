import type { ReactNode } from 'react'
import { dueMachine, invoiceStates, orderMachine } from '#contract/pay/order.state.ts'
import { examPay, payOrder } from '#contract/pay/pay.resources.ts'
import { payRefund } from '#contract/pay/refund.resource.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { useCan } from '#web/kernel/permission.ts'
import type { Row } from '#web/resource/fields.ts'
import { useReason } from '#web/resource/own-reason.ts'
import { RowFacts } from '#web/resource/row-facts.tsx'
import { NavLink } from '#web/shell/nav-link.tsx'
import { usePage, useTabTitle } from '#web/shell/page-context.tsx'
import { ActionButtons } from '#web/ui/action-buttons.tsx'
import { ObjectPage } from '#web/ui/object-page.tsx'
import { StateTag } from '#web/ui/state-tag.tsx'
import { Loaded } from '#web/ui/states.tsx'
import { WaitsCell } from './cells.tsx'
import { useDueActions } from './due-actions.tsx'
import { fenOfRow } from './due-rules.ts'
import { courseOf } from './money-course.ts'
import { Course, RefundState, useMoneyRow, useMoneyRows, useRefreshMoney, Yuan } from './object-parts.tsx'
import { objectTexts } from './object-texts.ts'
import { orderPath, refundPath } from './paths.ts'
import { RefundReason } from './refund-reason.tsx'
import './pay.css'

const Links = ({
  rows,
  to,
  name,
  state,
}: {
  rows: readonly Row[]
  to: (row: Row) => string
  name: string
  state: (row: Row) => ReactNode
}) => (
  <ul className="money-links">
    {rows.map(row => (
      <li key={row.id}>
        <NavLink to={to(row)}>{String(row[name] ?? '')}</NavLink> <Yuan row={row} name="amount" /> {state(row)}
      </li>
    ))}
  </ul>
)

const Whole = ({ due }: { readonly due: Row }) => {
  const t = useT(objectTexts)
  const can = useCan()
  const reason = useReason()
  const refresh = useRefreshMoney()
  const { actions, dialog } = useDueActions(refresh)
  const orders = useMoneyRows(payOrder, due.id, can('payorder_view'))
  const refunds = useMoneyRows(payRefund, due.id, can('payrefund_view'))
  const name = String(due.name ?? '')
  useTabTitle(name === '' ? null : { zh: `应缴 ${name}`, en: `Due of ${name}` })
  const money = (field: string) => (row: Row) => <Yuan row={row} name={field} />
  const entered = due.enteredName ? ['enteredName', 'enteredTime'] : []
  const hasReceipt = Number(due.isInvoice) !== 0
  const amounts = ['paidAmount', 'refundAmount', 'askedAmount', 'failedAmount', 'postedAmount'].filter(field => fenOfRow(due, field) > 0)
  return (
    <ObjectPage
      title={[name, String(due.payName ?? '')].filter(Boolean).join(' · ')}
      state={<StateTag of={dueMachine} wire={Number(due.state)} />}
      actions={
        <>
          <ActionButtons actions={actions(due)} />
          {/* Finance sees what is owed and paid, not the sign-up (domain 2.2). */}
          {can('signup_view') || can('examine_view') ? (
            <NavLink className="button" to={`/examine/signup/${String(due.signupId)}`}>
              {t('due.signup')}
            </NavLink>
          ) : null}
        </>
      }
      courseTitle={t('course')}
      course={<Course lines={courseOf(due, orders, refunds)} />}
    >
      <section className="card">
        <h2>{t('due.money')}</h2>
        <RowFacts
          resource={examPay}
          row={due}
          names={[
            'amount',
            ...amounts,
            'waitsFor',
            'askedReason',
            'askedTime',
            'deadline',
            'payWay',
            'paidTime',
            'voucherNo',
            ...entered,
            'remark',
          ]}
          cells={{
            ...Object.fromEntries(['amount', ...amounts].map(field => [field, money(field)])),
            waitsFor: row => <WaitsCell value={row.waitsFor} />,
            askedReason: row => <RefundReason due={row} />,
            remark: row => reason(row.remark),
          }}
        />
      </section>
      <section className="card">
        <h2>{t('due.person')}</h2>
        <RowFacts resource={examPay} row={due} names={['name', 'idCardTail', 'signNo', 'examName', 'itemName', 'unit', 'code']} />
      </section>
      {hasReceipt ? (
        <section className="card">
          <h2>{t('due.receipt')}</h2>
          <RowFacts
            resource={examPay}
            row={due}
            names={['isInvoice', 'invoiceTitle', 'invoiceTaxNo', 'invoiceNo']}
            cells={{ isInvoice: row => <StateTag of={invoiceStates} wire={Number(row.isInvoice)} /> }}
          />
        </section>
      ) : null}
      {orders.length === 0 ? null : (
        <section className="card">
          <h2>{t('due.orders')}</h2>
          <Links rows={orders} to={orderPath} name="orderNo" state={row => <StateTag of={orderMachine} wire={Number(row.state)} />} />
        </section>
      )}
      {refunds.length === 0 ? null : (
        <section className="card">
          <h2>{t('due.refunds')}</h2>
          <Links rows={refunds} to={refundPath} name="refundNo" state={row => <RefundState row={row} />} />
        </section>
      )}
      {dialog}
    </ObjectPage>
  )
}

/** One due: amount, state, everything that happened to it, its orders and refunds, and what may be done. */
export const Page = () => {
  const { params } = usePage()
  const due = useMoneyRow(examPay, params.id ?? '0')
  return <Loaded query={due}>{row => <Whole due={row} />}</Loaded>
}
