import { lazy, Suspense, useState } from 'react'
import { api } from '#web/kernel/api.ts'
import { isApiError } from '#web/kernel/api-error.ts'
import { serverNow } from '#web/kernel/clock.ts'
import { epochOf, fenOf, sizeOf, yuanOf } from '#web/kernel/format.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import type { Row } from '#web/resource/fields.ts'
import { Labelled } from '#web/ui/labelled.tsx'
import { FileDrop } from '#web/ui/uploader.tsx'
import { fenOfRow, PayDialog } from './pay-dialog.tsx'
import { payTexts } from './texts.ts'

const DateInput = lazy(async () => ({ default: (await import('#web/resource/date-input.tsx')).DateInput }))
const limits = { types: ['jpg', 'png', 'pdf'], maxBytes: 10 * 1024 * 1024 } as const
const ways = [2, 3, 4] as const

/** A payment that came by another way than the provider, with the voucher that proves it (domain 5.4 `handleUp`). */
export const HandUpDialog = ({
  due,
  onClose,
  onDone,
}: {
  readonly due: Row
  readonly onClose: () => void
  readonly onDone: () => void
}) => {
  const t = useT(payTexts)
  const owed = fenOfRow(due, 'amount') - fenOfRow(due, 'paidAmount')
  const [way, setWay] = useState<2 | 3 | 4>(2)
  const [amount, setAmount] = useState(yuanOf(owed))
  const [paidTime, setPaidTime] = useState('')
  const [voucherNo, setVoucherNo] = useState('')
  const [voucher, setVoucher] = useState<File | null>(null)
  const [remark, setRemark] = useState('')
  const [wrong, setWrong] = useState<Readonly<Record<string, string>>>({})
  const send = async (): Promise<boolean> => {
    const fen = fenOf(amount)
    const problems: Record<string, string> = {}
    if (fen === null) problems.amount = t('hand.amount.bad')
    else if (fen !== owed) problems.amount = t('hand.amount.differs', { amount: yuanOf(owed) })
    if (paidTime === '') problems.paidTime = t('hand.time.bad')
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
      const answer = await api.request<{ readonly waitsForSecondPerson?: boolean }>({
        method: 'POST',
        path: '/blade-exam/examination/handleUp',
        body,
        quiet: 'fields',
      })
      notify(answer.waitsForSecondPerson ? 'info' : 'success', t(answer.waitsForSecondPerson ? 'hand.second' : 'hand.done'))
      onDone()
      return true
    } catch (error) {
      if (isApiError(error)) setWrong(Object.fromEntries(error.fields.map(problem => [problem.field, problem.msg])))
      return false
    }
  }
  return (
    <PayDialog
      title={t('hand.title')}
      lead={t('hand.lead')}
      due={due}
      onClose={onClose}
      hasChanges={() => voucherNo !== '' || paidTime !== '' || voucher !== null}
      actions={[{ label: t('hand.save'), run: send }]}
    >
      <Labelled label={t('hand.way')}>
        {id => (
          <select id={id} className="input" value={way} onChange={event => setWay(Number(event.target.value) as 2 | 3 | 4)}>
            {ways.map(each => (
              <option key={each} value={each}>
                {t(`hand.way.${each}`)}
              </option>
            ))}
          </select>
        )}
      </Labelled>
      <Labelled label={t('hand.amount')} error={wrong.amount}>
        {id => (
          <input
            id={id}
            className="input"
            inputMode="decimal"
            aria-invalid={wrong.amount !== undefined}
            value={amount}
            onChange={event => setAmount(event.target.value)}
          />
        )}
      </Labelled>
      <Labelled label={t('hand.time')} error={wrong.paidTime}>
        {id => (
          <Suspense fallback={<span className="input" />}>
            <DateInput id={id} withTime value={paidTime} onChange={next => setPaidTime(typeof next === 'string' ? next : '')} />
          </Suspense>
        )}
      </Labelled>
      <Labelled label={t('hand.voucherNo')} error={wrong.voucherNo}>
        {id => (
          <input
            id={id}
            className="input"
            maxLength={64}
            autoComplete="off"
            aria-invalid={wrong.voucherNo !== undefined}
            value={voucherNo}
            onChange={event => setVoucherNo(event.target.value)}
          />
        )}
      </Labelled>
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
      <Labelled label={t('hand.remark')}>
        {id => <input id={id} className="input" maxLength={200} value={remark} onChange={event => setRemark(event.target.value)} />}
      </Labelled>
    </PayDialog>
  )
}
