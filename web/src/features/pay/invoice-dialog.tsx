import { useState } from 'react'
import { api } from '#web/kernel/api.ts'
import { fieldTexts } from '#web/kernel/field-texts.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { useSaid } from '#web/kernel/said.ts'
import { Facts } from '#web/ui/facts.tsx'
import { LabelledInput } from '#web/ui/labelled.tsx'
import { type DueDialogProps, PayDialog } from './pay-dialog.tsx'
import { payTexts } from './texts.ts'

/** The receipt that finance has issued elsewhere, recorded for the candidate (S7.41 `sureInvoice`). */
export const InvoiceDialog = ({ due, onClose, onDone }: DueDialogProps) => {
  const t = useT(payTexts)
  const [invoiceNo, setNo] = useState('')
  const [invoiceUrl, setUrl] = useState('')
  const [wrong, setWrong] = useSaid<Readonly<Record<string, string>>>({})
  const send = async (): Promise<boolean> => {
    const bad = invoiceUrl.trim() !== '' && !/^https:\/\/\S+$/.test(invoiceUrl.trim())
    const problems = {
      ...(invoiceNo.trim() === '' ? { invoiceNo: t('invoice.no.bad') } : {}),
      ...(bad ? { invoiceUrl: t('invoice.url.bad') } : {}),
    }
    setWrong(problems)
    if (Object.keys(problems).length > 0) return false
    try {
      await api.request({
        method: 'POST',
        path: '/blade-exam/examination/sureInvoice',
        body: { ids: due.id, isInvoice: 1, invoiceNo: invoiceNo.trim(), invoiceUrl: invoiceUrl.trim() },
        quiet: 'fields',
      })
    } catch (error) {
      setWrong(fieldTexts(error))
      return false
    }
    notify('success', t('invoice.done'))
    onDone()
    return true
  }
  return (
    <PayDialog title={t('invoice.title')} due={due} onClose={onClose} actions={[{ label: t('action.save'), run: send }]}>
      {due.invoiceTitle ? (
        <Facts
          boxed
          items={[
            { key: 'title', label: t('invoice.for'), value: String(due.invoiceTitle) },
            ...(due.invoiceTaxNo ? [{ key: 'tax', label: t('invoice.tax'), value: String(due.invoiceTaxNo) }] : []),
          ]}
        />
      ) : null}
      <LabelledInput label={t('invoice.no')} error={wrong.invoiceNo} maxLength={40} value={invoiceNo} onChange={setNo} />
      <LabelledInput label={t('invoice.url')} error={wrong.invoiceUrl} type="url" maxLength={300} value={invoiceUrl} onChange={setUrl} />
    </PayDialog>
  )
}
