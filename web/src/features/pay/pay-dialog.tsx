import { type ReactNode, useState } from 'react'
import { yuanOf } from '#web/kernel/format.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import type { Row } from '#web/resource/fields.ts'
import { Facts } from '#web/ui/facts.tsx'
import { Dialog } from '#web/ui/modal.tsx'
import { payTexts } from './texts.ts'
import './pay.css'

export const fenOfRow = (row: Row, name: string): number => Number(row[name] ?? 0)

/** Whom and what the money is about, on top of every dialog about it. */
export const DueFacts = ({ due }: { readonly due: Row }) => {
  const t = useT(payTexts)
  return (
    <Facts
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

interface Action {
  readonly label: string
  readonly tone?: 'primary' | 'danger'
  /** Answers whether the dialog may close. */
  readonly run: () => Promise<boolean>
}

/** A dialog about money: one send at a time, closes when it went well. */
export const PayDialog = ({
  title,
  lead,
  due,
  actions,
  hasChanges,
  onClose,
  children,
}: {
  readonly title: string
  readonly lead?: string
  readonly due: Row
  readonly actions: readonly Action[]
  readonly hasChanges?: () => boolean
  readonly onClose: () => void
  readonly children?: ReactNode
}) => {
  const t = useT()
  const [busy, setBusy] = useState(false)
  const run = async (action: Action) => {
    if (busy) return
    setBusy(true)
    try {
      if (await action.run()) onClose()
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dialog
      title={title}
      onClose={onClose}
      {...(hasChanges === undefined ? {} : { hasChanges })}
      footer={close => (
        <div className="form-footer">
          <button type="button" className="button" onClick={close}>
            {t('action.cancel')}
          </button>
          {actions.map(action => (
            <button
              key={action.label}
              type="button"
              className={`button ${action.tone === 'danger' ? 'button-danger' : 'button-primary'}`}
              disabled={busy}
              onClick={() => void run(action)}
            >
              {action.label}
            </button>
          ))}
        </div>
      )}
    >
      <div className="pay-form">
        <DueFacts due={due} />
        {lead === undefined ? null : <p className="pay-lead">{lead}</p>}
        {children}
      </div>
    </Dialog>
  )
}
