import { useCallback, useState } from 'react'
import { fieldTexts } from '#web/kernel/field-texts.ts'
import { minuteOf, yuanOf } from '#web/kernel/format.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { useRead } from '../calls.ts'
import { refresh } from '../data/answers.ts'
import { Empty, SectionHead } from '../kit/blocks.tsx'
import { TextField } from '../kit/field.tsx'
import { Load } from '../kit/load.tsx'
import { CheckIcon } from '../kit/page-icons.tsx'
import { Callout, Facts, PageTitle } from '../kit/page-ui.tsx'
import { Button, ButtonLink } from '../kit/ui.tsx'
import { laterTexts } from '../later-texts.ts'
import type { OrderState, PayRow } from '../wire.ts'
import { writes } from '../writes.ts'
import { phoneTexts } from './phone-texts.ts'
import { isOpen } from './polling.ts'
import { payTexts } from './texts.ts'
import { useLooks } from './use-order.ts'
import './paid.css'
import { useSaid } from '#web/kernel/said.ts'

const paid = 2
const refunding = 3
const refunded = 4
/** By the number of the non-tax platform, which makes its receipts by itself. */
const nontaxWay = 6

const Receipt = ({ due }: { readonly due: PayRow }) => {
  const t = useT(phoneTexts)
  const [title, setTitle] = useState(due.payerName)
  const [tax, setTax] = useState('')
  const [wrong, setWrong] = useSaid<Readonly<Record<string, string>>>({})
  const [busy, setBusy] = useState(false)
  if (due.isInvoice === 1)
    return (
      <>
        <p>{t('paid.receiptNo', { no: due.invoiceNo ?? '' })}</p>
        {due.invoiceUrl && (
          <a href={due.invoiceUrl} target="_blank" rel="noreferrer">
            {t('paid.receiptLink')}
          </a>
        )}
      </>
    )
  if (due.payWay === nontaxWay) return <p>{t('paid.receiptComes')}</p>
  if (due.isInvoice === 2) return <p>{t('paid.receiptWait')}</p>
  const send = async () => {
    if (title.trim() === '') {
      setWrong({ invoiceTitle: t('paid.receiptNeed') })
      return
    }
    setBusy(true)
    try {
      await writes.askInvoice(due.id, title.trim(), tax.trim())
      notify('success', t('paid.receiptSent'))
      await refresh()
    } catch (error) {
      setWrong(fieldTexts(error))
    }
    setBusy(false)
  }
  return (
    <>
      <p className="p-small p-soft">{t('paid.receiptLead')}</p>
      <TextField
        label={t('paid.receiptTitle')}
        required
        maxLength={60}
        value={title}
        error={wrong.invoiceTitle ?? null}
        onChange={event => setTitle(event.target.value)}
      />
      <TextField
        label={t('paid.receiptTax')}
        maxLength={40}
        value={tax}
        error={wrong.invoiceTaxNo ?? null}
        onChange={event => setTax(event.target.value)}
      />
      <div>
        <Button busy={busy} onClick={() => void send()}>
          {t('paid.receiptSend')}
        </Button>
      </div>
    </>
  )
}

/** Each step with its time, as a bank shows a transfer; what is still to come says so. */
const Steps = ({ refund }: { readonly refund: NonNullable<PayRow['refund']> }) => {
  const t = useT(phoneTexts)
  const ends = { 3: 'paid.step.closed', 4: 'paid.step.abnormal', 5: 'paid.step.rejected' } as const
  const end = refund.state === 3 || refund.state === 4 || refund.state === 5 ? ends[refund.state] : null
  const steps: readonly { readonly text: string; readonly time: string | null; readonly hint?: string }[] = [
    { text: t('paid.step.asked'), time: refund.applyTime },
    ...(end !== null && refund.approveTime === null ? [] : [{ text: t('paid.step.approved'), time: refund.approveTime }]),
    ...(end !== null && refund.submitTime === null ? [] : [{ text: t('paid.step.sent'), time: refund.submitTime }]),
    end === null
      ? { text: t('paid.step.done'), time: refund.successTime, hint: t('paid.step.bank') }
      : { text: t(end), time: refund.time, hint: refund.rejection },
  ]
  return (
    <ol className="p-refund-steps">
      {steps.map(step => (
        <li key={step.text} aria-current={step.time === null ? undefined : 'step'}>
          <span className={step.time === null ? 'p-dim' : 'p-strong'}>{step.text}</span>
          <br />
          <span className="p-small p-dim p-num">
            {step.time === null ? t('paid.step.coming') : minuteOf(step.time)}
            {step.hint === undefined || step.hint === '' || (step.time !== null && end === null) ? '' : ` · ${step.hint}`}
          </span>
        </li>
      ))}
    </ol>
  )
}

/** Looks after an order that is still open: the person has come back from paying. */
const Waiting = ({ due }: { readonly due: PayRow }) => {
  const t = useT(phoneTexts)
  const seen = useCallback((state: OrderState) => void (isOpen(state.state) || refresh()), [])
  const isAsked = due.orderNo !== null && due.orderState !== null && isOpen(due.orderState)
  useLooks(isAsked ? due.orderNo : null, seen)
  return (
    <Callout tone="active" live>
      {t('paid.wait')}
      <br />
      {t('paid.waitHint')}
    </Callout>
  )
}

const Paid = ({ due }: { readonly due: PayRow }) => {
  const t = useT(phoneTexts)
  const p = useT(laterTexts)
  const has = due.state === paid || due.state === refunding || due.state === refunded
  const head = due.state === refunded ? 'paid.back' : due.state === refunding ? 'paid.refunding' : 'paid.done'
  return (
    <div className="p-stack">
      {has ? (
        <section className="p-card p-stack p-center" style={{ justifyItems: 'center' }}>
          <span className="p-done-mark">
            <CheckIcon size={40} />
          </span>
          <p className="p-strong">{t(head)}</p>
          <p className="p-big p-num">{p('money.yuan', { amount: yuanOf(due.paidAmount) })}</p>
        </section>
      ) : (
        <Waiting due={due} />
      )}
      <section className="p-card">
        <Facts
          facts={[
            { name: t('paid.exam'), value: due.examName },
            { name: t('paid.fee'), value: [due.payName, due.itemName].filter(Boolean).join(' · ') },
            { name: t('paid.amount'), value: p('money.yuan', { amount: yuanOf(due.amount) }) },
            { name: t('paid.no'), value: due.orderNo && <span className="p-num">{due.orderNo}</span> },
            due.refundAmount > 0 && { name: t('paid.refunded'), value: p('money.yuan', { amount: yuanOf(due.refundAmount) }) },
            due.refundAmount > 0 && { name: t('paid.net'), value: p('money.yuan', { amount: yuanOf(due.paidAmount - due.refundAmount) }) },
            { name: t('paid.time'), value: due.paidTime && minuteOf(due.paidTime) },
          ]}
        />
      </section>
      {due.refund === null ? null : (
        <section className="p-card p-stack">
          <SectionHead title={t('paid.steps')} />
          <p>
            {p('money.yuan', { amount: yuanOf(due.refund.amount) })} · {due.refund.reason}
          </p>
          <Steps refund={due.refund} />
        </section>
      )}
      {due.state === paid && (
        <>
          <section className="p-card p-stack">
            <SectionHead title={t('paid.next')} />
            <p>{t('paid.nextText')}</p>
            <ButtonLink to="/signup/myExam">{t('paid.toMine')}</ButtonLink>
          </section>
          <section className="p-card p-stack">
            <SectionHead title={t('paid.receipt')} />
            <Receipt due={due} />
          </section>
        </>
      )}
    </div>
  )
}

/** One payment: number, time, what comes next, its receipt, and how a refund of it goes. */
export const PaidPage = ({ payId }: { readonly payId: string }) => {
  const t = useT(phoneTexts)
  const texts = useT(payTexts)
  const dues = useRead('dues', {}, { staleMs: 0 })
  return (
    <>
      <PageTitle back="/signup/examPay" title={t('paid.title')} />
      <Load query={dues} skeleton={[160, 140]}>
        {rows => {
          const due = rows.find(row => row.id === payId)
          return due === undefined ? <Empty text={texts('pay.none')} hint={texts('pay.noneHint')} /> : <Paid due={due} />
        }}
      </Load>
    </>
  )
}
