import { useState } from 'react'
import { api } from '#web/kernel/api.ts'
import { fieldTexts } from '#web/kernel/field-texts.ts'
import { fenOf, minuteOf, yuanOf } from '#web/kernel/format.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { useSaid } from '#web/kernel/said.ts'
import { confirm } from '#web/ui/dialog.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { Check, LabelledInput, LabelledSelect } from '#web/ui/labelled.tsx'
import { cameByHand, fenOfRow, refundableFen } from './due-rules.ts'
import { type DueDialogProps, PayDialog } from './pay-dialog.tsx'
import { RefundReason, refundReasons } from './refund-reason.tsx'
import { payTexts } from './texts.ts'

interface Props extends DueDialogProps {
  /** Another order of the due than the one that paid it: money that belongs to nothing. */
  readonly orderNo?: string
  /** The most that can go back, in fen. */
  readonly most?: number
}

const backPay = (body: object) => api.request({ method: 'POST', path: '/blade-exam/examination/backPay', body, quiet: 'fields' })

export const RefundDialog = ({ due, orderNo, most = refundableFen(due), onClose, onDone }: Props) => {
  const t = useT(payTexts)
  const [amount, setAmount] = useState(yuanOf(most))
  const [reason, setReason] = useState<(typeof refundReasons)[number]>('mistake')
  const [remark, setRemark] = useState('')
  const [wrong, setWrong] = useSaid<Readonly<Record<string, string>>>({})
  const send = async (): Promise<boolean> => {
    const fen = fenOf(amount)
    const problems: Record<string, string> = {}
    if (fen === null || fen < 1 || fen > most) problems.amount = t('refund.amount.bad', { most: yuanOf(most) })
    if (reason === 'other' && remark.trim() === '') problems.reason = t('refund.remark.bad')
    setWrong(problems)
    if (Object.keys(problems).length > 0) return false
    try {
      await backPay({
        payId: due.id,
        ...(orderNo === undefined ? {} : { orderNo }),
        amount: fen,
        reason: reason === 'other' ? remark.trim() : reason,
      })
      notify('success', t('refund.done'))
      onDone()
      return true
    } catch (error) {
      setWrong(fieldTexts(error))
      return false
    }
  }
  return (
    <PayDialog
      title={t('refund.title')}
      lead={t(orderNo === undefined && cameByHand(due) ? 'refund.lead.byHand' : 'refund.lead')}
      due={due}
      onClose={onClose}
      actions={[{ label: t('refund.send'), run: send }]}
    >
      <LabelledInput label={t('refund.amount')} error={wrong.amount} inputMode="decimal" value={amount} onChange={setAmount} />
      <LabelledSelect
        label={t('refund.reason')}
        value={reason}
        options={refundReasons.map(value => ({ value, label: t(`reason.${value}`) }))}
        onChange={setReason}
      />
      {reason === 'other' ? (
        <LabelledInput label={t('refund.remark')} error={wrong.reason} maxLength={200} value={remark} onChange={setRemark} />
      ) : null}
    </PayDialog>
  )
}

/**
 * The second person's word on a refund (2608 when it is the applicant's). What came by hand has been transferred back when they say yes,
 * and the voucher says so.
 */
export const ApproveDialog = ({ due, orderNo, onClose, onDone }: Props) => {
  const t = useT(payTexts)
  const byHand = Number(due.askedByHand) === 1
  const issued = Number(due.isInvoice) === 1
  const [remark, setRemark] = useState('')
  const [voucherNo, setVoucherNo] = useState('')
  const [reversed, setReversed] = useState(false)
  const [wrong, setWrong] = useSaid<Readonly<Record<string, string>>>({})
  const decide = (approve: 1 | 2) => async (): Promise<boolean> => {
    const problems: Record<string, string> = {}
    if (approve === 2 && remark.trim() === '') problems.reason = t('refund.remark.bad')
    if (approve === 1 && byHand && voucherNo.trim() === '') problems.voucherNo = t('hand.voucherNo.bad')
    setWrong(problems)
    if (Object.keys(problems).length > 0) return false
    // Money that has left does not come back.
    const sure = {
      title: t('approve.title'),
      text: t('approve.sure', { who: String(due.name ?? ''), amount: yuanOf(fenOfRow(due, 'askedAmount')) }),
      ok: t(byHand ? 'settle.send' : 'approve.yes'),
    }
    if (approve === 1 && !(await confirm(sure))) return false
    try {
      await backPay({
        payId: due.id,
        approve,
        ...(orderNo === undefined ? {} : { orderNo }),
        ...(remark.trim() === '' ? {} : { reason: remark.trim() }),
        ...(approve === 1 && byHand ? { voucherNo: voucherNo.trim() } : {}),
        ...(issued ? { invoiceReversed: reversed ? 1 : 0 } : {}),
      })
    } catch (error) {
      setWrong(fieldTexts(error))
      return false
    }
    notify('success', t(approve === 1 && byHand ? 'settle.done' : `approve.done.${approve}`))
    onDone()
    return true
  }
  return (
    <PayDialog
      title={t('approve.title')}
      lead={t(byHand ? 'approve.lead.byHand' : 'approve.lead')}
      due={due}
      onClose={onClose}
      actions={[
        { label: t('approve.no'), tone: 'danger', run: decide(2) },
        { label: t(byHand ? 'settle.send' : 'approve.yes'), run: decide(1) },
      ]}
    >
      <Facts
        boxed
        items={[
          {
            key: 'asked',
            label: t('approve.amount'),
            value: <span className="pay-amount">{yuanOf(fenOfRow(due, 'askedAmount'))}</span>,
          },
          { key: 'why', label: t('refund.reason'), value: <RefundReason due={due} /> },
          { key: 'exam', label: t('approve.exam'), value: String(due.examName ?? '') },
          { key: 'post', label: t('approve.post'), value: String(due.code ?? '') || '-' },
          { key: 'when', label: t('approve.when'), value: minuteOf(typeof due.askedTime === 'string' ? due.askedTime : null) || '-' },
          { key: 'earlier', label: t('approve.earlier'), value: t('approve.times', { count: Number(due.askedBefore ?? 0) }) },
        ]}
      />
      {byHand ? (
        <LabelledInput label={t('settle.voucherNo')} error={wrong.voucherNo} maxLength={64} value={voucherNo} onChange={setVoucherNo} />
      ) : null}
      {issued ? <Check label={t('refund.reversed')} on={reversed} onChange={setReversed} /> : null}
      <LabelledInput label={t('approve.remark')} error={wrong.reason} maxLength={200} value={remark} onChange={setRemark} />
    </PayDialog>
  )
}

/** A refund the bank could not carry out, transferred by hand: the voucher settles it. */
export const SettleDialog = ({ due, onClose, onDone }: Props) => {
  const t = useT(payTexts)
  const [voucherNo, setVoucherNo] = useState('')
  const [wrong, setWrong] = useSaid<string | undefined>(undefined)
  const send = async (): Promise<boolean> => {
    if (voucherNo.trim() === '') {
      setWrong(t('hand.voucherNo.bad'))
      return false
    }
    try {
      await backPay({ payId: due.id, approve: 1, voucherNo: voucherNo.trim() })
    } catch (error) {
      setWrong(Object.values(fieldTexts(error))[0])
      return false
    }
    notify('success', t('settle.done'))
    onDone()
    return true
  }
  return (
    <PayDialog
      title={t('due.settle')}
      lead={t('settle.lead', { amount: yuanOf(fenOfRow(due, 'failedAmount')) })}
      due={due}
      onClose={onClose}
      actions={[{ label: t('settle.send'), run: send }]}
    >
      <LabelledInput label={t('settle.voucherNo')} error={wrong} maxLength={64} value={voucherNo} onChange={setVoucherNo} />
    </PayDialog>
  )
}
