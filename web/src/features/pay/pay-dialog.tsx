import type { ReactNode } from 'react'
import { yuanOf } from '#web/kernel/format.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import type { Row } from '#web/resource/fields.ts'
import { ActionDialog } from '#web/ui/action-dialog.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { fenOfRow } from './due-rules.ts'
import { payTexts } from './texts.ts'
import './pay.css'

/** Whom and what the money is about, on top of every dialog about it. */
const DueFacts = ({ due }: { readonly due: Row }) => {
  const t = useT(payTexts)
  return (
    <Facts
      boxed
      items={[
        { key: 'person', label: t('due.person'), value: `${due.name ?? ''} ${due.idCardTail ?? ''}`.trim() },
        { key: 'fee', label: t('due.fee'), value: String(due.payName ?? '') },
        { key: 'amount', label: t('due.amount'), value: <span className="pay-amount">{yuanOf(fenOfRow(due, 'amount'))}</span> },
        ...(fenOfRow(due, 'paidAmount') > 0
          ? [{ key: 'paid', label: t('due.paid'), value: <span className="pay-amount">{yuanOf(fenOfRow(due, 'paidAmount'))}</span> }]
          : []),
        ...(fenOfRow(due, 'refundAmount') > 0
          ? [{ key: 'back', label: t('due.refunded'), value: <span className="pay-amount">{yuanOf(fenOfRow(due, 'refundAmount'))}</span> }]
          : []),
      ]}
    />
  )
}

/** What every dialog about one due is given. */
export interface DueDialogProps {
  readonly due: Row
  readonly onClose: () => void
  /** Asks for the rows anew. */
  readonly onDone: () => void
}

/** A dialog about money: whom and what it is about stands on top. */
export const PayDialog = ({
  lead,
  due,
  children,
  ...rest
}: Omit<Parameters<typeof ActionDialog>[0], 'children'> & {
  readonly lead?: string
  readonly due: Row
  readonly children?: ReactNode
}) => (
  <ActionDialog {...rest}>
    <DueFacts due={due} />
    {lead === undefined ? null : <p className="dialog-lead">{lead}</p>}
    {children}
  </ActionDialog>
)
