import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import { invoiceStates, orderMachine } from '#contract/pay/order.state.ts'
import { payOrder } from '#contract/pay/pay.resources.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { listKey } from '#web/resource/crud-page.tsx'
import { useExamOptions } from '#web/resource/exams.ts'
import type { Row } from '#web/resource/fields.ts'
import { ResourcePage } from '#web/resource/resource-page.tsx'
import { NavLink } from '#web/shell/nav-link.tsx'
import { StateTag } from '#web/ui/state-tag.tsx'
import { arranged, withExamCode } from './arranged.ts'
import { moneyCell } from './cells.tsx'
import { useExamColumn } from './exam-column.tsx'
import { Closing, ExceptionTag, useOrderActions, useTradeText } from './order-actions.tsx'
import { openOrder, orderPath } from './paths.ts'
import { RefundReason } from './refund-reason.tsx'
import { payTexts } from './texts.ts'
import './pay.css'

const orders = withExamCode(
  arranged(
    payOrder,
    [
      'orderNo',
      'name',
      'examName',
      'idCardTail',
      'amount',
      'state',
      'exceptionType',
      'askedAmount',
      'paidAmount',
      'successTime',
      'expireTime',
      'payName',
    ],
    ['orderNo', 'state', 'name', 'exceptionType', 'examId', 'idCardTail', 'payCode', 'transactionId', 'successTime'],
  ),
)

const hiddenOfAll = ['expireTime', 'payName', 'idCardTail']
const hiddenOfOne = ['expireTime', 'payName', 'examName']

/** Orders at the payment provider, the unusual ones to be settled by hand. */
export const Page = () => {
  const t = useT(payTexts)
  const client = useQueryClient()
  const tradeText = useTradeText()
  const refresh = useCallback(() => void client.invalidateQueries({ queryKey: listKey(payOrder.name) }), [client])
  const { actions, dialog } = useOrderActions(refresh)
  const exam = useExamColumn()
  const cells = useMemo(
    () => ({
      examName: exam.cell,
      orderNo: (row: Row) => <NavLink to={orderPath(row)}>{String(row.orderNo)}</NavLink>,
      amount: moneyCell('amount'),
      paidAmount: moneyCell('paidAmount'),
      askedAmount: moneyCell('askedAmount'),
      askedReason: (row: Row) => <RefundReason due={row} />,
      isInvoice: (row: Row) => <StateTag of={invoiceStates} wire={Number(row.isInvoice)} />,
      state: (row: Row) => <StateTag of={orderMachine} wire={Number(row.state)} />,
      tradeState: (row: Row) => tradeText(row.tradeState),
      closeReason: (row: Row) => <Closing reason={row.closeReason} />,
      exceptionType: (row: Row) => <ExceptionTag row={row} />,
    }),
    [tradeText, exam.cell],
  )
  const exams = useExamOptions(true)
  const exceptions = ([1, 2, 3, 4, 5] as const).map(type => ({ value: String(type), label: t(`order.exception.${type}`) }))
  return (
    <>
      <ResourcePage
        resource={orders}
        hidden={exam.isShown ? hiddenOfAll : hiddenOfOne}
        cells={cells}
        searchOptions={{ examId: exams ?? [], exceptionType: exceptions }}
        rowActions={actions}
        onView={openOrder}
        without={['add', 'edit', 'delete']}
        empty={t('order.empty')}
      />
      {dialog}
    </>
  )
}
