import { lazy, Suspense, useState } from 'react'
import { fromWireTime } from '#contract/kernel/when.ts'
import { api } from '#web/kernel/api.ts'
import { serverNow } from '#web/kernel/clock.ts'
import { fieldTexts } from '#web/kernel/field-texts.ts'
import { epochOf, fenOf, sizeOf, yuanOf } from '#web/kernel/format.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { useSaid } from '#web/kernel/said.ts'
import { sendAsking } from '#web/ui/ask-doubts.ts'
import { Labelled, LabelledInput, LabelledSelect } from '#web/ui/labelled.tsx'
import { FileDrop } from '#web/ui/uploader.tsx'
import { fenOfRow } from './due-rules.ts'
import { type DueDialogProps, PayDialog } from './pay-dialog.tsx'
import { payTexts } from './texts.ts'

const DateInput = lazy(async () => ({ default: (await import('#web/resource/date-input.tsx')).DateInput }))
const limits = { types: ['jpg', 'png', 'pdf'], maxBytes: 10 * 1024 * 1024 } as const
const ways = [2, 3, 4] as const

/** A payment that came by another way than the provider, with the voucher that proves it (domain 5.4 `handleUp`). */
export const HandUpDialog = ({ due, onClose, onDone }: DueDialogProps) => {
  const t = useT(payTexts)
  const posted = { name: String(due.postedName ?? ''), time: String(due.postedTime ?? ''), amount: yuanOf(fenOfRow(due, 'postedAmount')) }
  const lead = fenOfRow(due, 'postedAmount') === 0 ? t('hand.lead') : t('hand.lead.confirm', posted)
  const owed = fenOfRow(due, 'amount') - fenOfRow(due, 'paidAmount')
  const [way, setWay] = useState<2 | 3 | 4>(2)
  const [amount, setAmount] = useState(yuanOf(owed))
  const [paidTime, setPaidTime] = useState('')
  const [voucherNo, setVoucherNo] = useState('')
  const [voucher, setVoucher] = useState<File | null>(null)
  const [remark, setRemark] = useState('')
  const [wrong, setWrong] = useSaid<Readonly<Record<string, string>>>({})
  const send = async (): Promise<boolean> => {
    const fen = fenOf(amount)
    const problems: Record<string, string> = {}
    if (fen === null) problems.amount = t('hand.amount.bad')
    else if (fen !== owed) problems.amount = t('hand.amount.differs', { amount: yuanOf(owed) })
    if (fromWireTime(paidTime) === undefined) problems.paidTime = t('hand.time.bad')
    else if (epochOf(paidTime) > serverNow()) problems.paidTime = t('hand.time.future')
    if (voucherNo.trim() === '') problems.voucherNo = t('hand.voucherNo.bad')
    setWrong(problems)
    if (fen === null || Object.keys(problems).length > 0) return false
    const body = new FormData()
    for (const [name, value] of Object.entries({ payId: due.id, payWay: way, amount: fen, paidTime, voucherNo: voucherNo.trim() }))
      body.set(name, String(value))
    if (remark.trim() !== '') body.set('remark', remark.trim())
    if (voucher !== null) body.set('voucher', voucher, voucher.name)
    try {
      const answer = await sendAsking(({ sure }, options) => {
        if (sure !== undefined) body.set('sure', sure)
        return api.request<{ readonly waitsForSecondPerson?: boolean }>({
          ...{ method: 'POST', path: '/blade-exam/examination/handleUp', body },
          ...options,
        })
      })
      notify(answer.waitsForSecondPerson ? 'info' : 'success', t(answer.waitsForSecondPerson ? 'hand.second' : 'hand.done'))
      onDone()
      return true
    } catch (error) {
      setWrong(fieldTexts(error))
      return false
    }
  }
  return (
    <PayDialog
      title={t('hand.title')}
      lead={lead}
      due={due}
      onClose={onClose}
      hasChanges={() => voucherNo !== '' || paidTime !== '' || voucher !== null}
      actions={[{ label: t('hand.save'), run: send }]}
    >
      <LabelledSelect
        label={t('hand.way')}
        value={way}
        options={ways.map(value => ({ value, label: t(`hand.way.${value}`) }))}
        onChange={setWay}
      />
      <LabelledInput label={t('hand.amount')} error={wrong.amount} inputMode="decimal" value={amount} onChange={setAmount} />
      <Labelled label={t('hand.time')} error={wrong.paidTime}>
        {id => (
          <Suspense fallback={<span className="input" />}>
            <DateInput id={id} withTime value={paidTime} onChange={next => setPaidTime(typeof next === 'string' ? next : '')} />
          </Suspense>
        )}
      </Labelled>
      <LabelledInput label={t('hand.voucherNo')} error={wrong.voucherNo} maxLength={64} value={voucherNo} onChange={setVoucherNo} />
      <div className="labelled">
        <span>{t('hand.voucher')}</span>
        {voucher === null ? (
          <FileDrop limits={limits} onFile={setVoucher} />
        ) : (
          <div className="pay-file">
            {t('hand.file', { name: voucher.name, size: sizeOf(voucher.size) })}
            <button type="button" className="link-button" onClick={() => setVoucher(null)}>
              {t('action.remove')}
            </button>
          </div>
        )}
      </div>
      <LabelledInput label={t('hand.remark')} maxLength={200} value={remark} onChange={setRemark} />
    </PayDialog>
  )
}
