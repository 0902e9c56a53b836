import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type ApiOutput, api } from '#web/kernel/api.ts'
import { yuanOf } from '#web/kernel/format.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { useCan } from '#web/kernel/permission.ts'
import { callKey, useCall } from '#web/kernel/query.ts'
import { ActionDialog } from '#web/ui/action-dialog.tsx'
import { confirm } from '#web/ui/dialog.tsx'
import { LabelledInput } from '#web/ui/labelled.tsx'
import { Dialog } from '#web/ui/modal.tsx'
import { EmptyState, Loaded } from '#web/ui/states.tsx'
import { sendTexts } from './texts.ts'
import './message.css'
import { useSaid } from '#web/kernel/said.ts'

const packagesRoute = 'GET /blade-send/send/getSendPackages'
const pendingRoute = 'GET /blade-sendPay/sendpay/pending'
type Shop = ApiOutput<typeof packagesRoute>
type Package = Shop['packages'][number]
type Waiting = Shop['waiting'][number]
const pollMs = 3_000
const paid = 2

/** The code that is scanned; it watches the order until the parts are there. */
const BuyDialog = ({
  packagesId,
  onPaid,
  onClose,
}: {
  readonly packagesId: string
  readonly onPaid: () => void
  readonly onClose: () => void
}) => {
  const t = useT(sendTexts)
  const code = useCall('GET /blade-send/send/getSendPayQrcode', { packagesId }, { staleTimeMs: Number.POSITIVE_INFINITY })
  const orderNo = code.data?.orderNo
  const [ended, setEnded] = useState(false)
  const order = useCall(
    'GET /blade-send/send/checkOrder',
    { orderNo: orderNo ?? '' },
    { enabled: orderNo !== undefined, quiet: true, refetchEveryMs: ended ? false : pollMs },
  )
  const state = order.data?.state ?? 1
  if (state > 1 && !ended) {
    setEnded(true)
    if (state === paid) onPaid()
  }
  return (
    <Dialog title={t('qr.title')} size="one" onClose={onClose}>
      <Loaded query={code} skeletonRows={5}>
        {of => (
          <div className="send-qr">
            <strong>{t('qr.amount', { amount: yuanOf(of.amount) })}</strong>
            {state <= 1 ? <img src={`data:image/svg+xml;base64,${of.qr}`} alt={t('qr.alt')} /> : null}
            <p role="status">
              {state === paid
                ? t('qr.paid', { balance: order.data?.balance ?? 0 })
                : state > paid
                  ? t('qr.closed')
                  : t('qr.until', { time: of.expireTime })}
            </p>
            {state <= 1 ? <small>{t('qr.later')}</small> : null}
            <small>{t('qr.order', { orderNo: of.orderNo })}</small>
            {of.demoPayUrl ? (
              <a href={of.demoPayUrl} target="_blank" rel="noreferrer">
                {t('qr.demo')}
              </a>
            ) : null}
          </div>
        )}
      </Loaded>
    </Dialog>
  )
}

const TransferDialog = ({ pack, payee, onClose }: { readonly pack: Package; readonly payee: string; readonly onClose: () => void }) => {
  const t = useT(sendTexts)
  const [voucher, setVoucher] = useState('')
  const [remark, setRemark] = useState('')
  const [wrong, setWrong] = useSaid<string | undefined>(undefined)
  const run = async (): Promise<boolean> => {
    const text = voucher.trim()
    setWrong(text === '' ? t('balance.voucher.missing') : undefined)
    if (text === '') return false
    try {
      await api.call('POST /blade-sendPay/sendpay/submit', { packagesId: pack.id, voucher: text, remark: remark.trim() })
    } catch {
      return false // The api client has said why.
    }
    notify('success', t('balance.transfer.done'))
    return true
  }
  return (
    <ActionDialog
      title={t('balance.transfer')}
      actions={[{ label: t('balance.submit'), run }]}
      hasChanges={() => voucher !== '' || remark !== ''}
      onClose={onClose}
    >
      <p>{t('balance.transfer.lead', { name: pack.packageName, price: yuanOf(pack.price) })}</p>
      <div className="send-payee">
        <strong>{t('balance.payee')}</strong>
        <p>{payee === '' ? t('balance.payee.none') : payee}</p>
      </div>
      <p>{t('balance.transfer.who')}</p>
      <LabelledInput label={t('balance.voucher')} error={wrong} maxLength={64} value={voucher} onChange={setVoucher} />
      <LabelledInput label={t('balance.remark')} maxLength={200} value={remark} onChange={setRemark} />
    </ActionDialog>
  )
}

/** Transfers of all tenants, for whoever runs the platform. */
const Pending = () => {
  const t = useT(sendTexts)
  const client = useQueryClient()
  const pending = useCall(pendingRoute, {}, { quiet: true })
  const decide = async (row: ApiOutput<typeof pendingRoute>[number], pass: 0 | 1) => {
    const words = { tenant: row.tenantName, price: yuanOf(row.price), voucher: row.voucher, count: row.count }
    const ok = t(pass === 1 ? 'balance.confirm' : 'balance.refuse')
    const text = t(pass === 1 ? 'balance.confirm.ask' : 'balance.refuse.ask', words)
    if (!(await confirm({ title: ok, text, ok, danger: pass === 0 }))) return
    try {
      await api.call('POST /blade-sendPay/sendpay/sureSendPay', { id: row.id, voucher: row.voucher, pass })
    } catch {
      return // The api client has said why.
    }
    notify('success', t('balance.confirmed'))
    await client.invalidateQueries({ queryKey: callKey(pendingRoute) })
  }
  return (
    <section>
      <h2>{t('balance.pending')}</h2>
      <Loaded query={pending}>
        {rows =>
          rows.length === 0 ? (
            <p>{t('balance.pending.none')}</p>
          ) : (
            <ul className="send-preview">
              {rows.map(row => (
                <li key={row.id} className="card">
                  <p>
                    {t('balance.pending.row', {
                      tenant: row.tenantName,
                      name: row.packageName,
                      count: row.count,
                      price: yuanOf(row.price),
                      voucher: row.voucher,
                    })}
                  </p>
                  <div className="send-bar">
                    <button type="button" className="button button-primary button-small" onClick={() => void decide(row, 1)}>
                      {t('balance.confirm')}
                    </button>
                    <button type="button" className="button button-small" onClick={() => void decide(row, 0)}>
                      {t('balance.refuse')}
                    </button>
                  </div>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </section>
  )
}

/** Codes that were shown and not paid: opened again, or given up. */
const WaitingCodes = ({ rows, onOpen }: { readonly rows: readonly Waiting[]; readonly onOpen: (packagesId: string) => void }) => {
  const t = useT(sendTexts)
  const client = useQueryClient()
  const cancel = async (row: Waiting) => {
    const text = t('waiting.cancel.ask', { name: row.packageName, amount: yuanOf(row.amount) })
    if (!(await confirm({ title: t('waiting.cancel'), text, ok: t('waiting.cancel'), danger: true }))) return
    try {
      const { state } = await api.call('POST /blade-send/send/cancelOrder', { orderNo: row.orderNo })
      notify('success', t(state === paid ? 'waiting.paid' : 'waiting.cancelled'))
    } catch {
      // The api client has said why.
    }
    await client.invalidateQueries({ queryKey: callKey(packagesRoute) })
  }
  if (rows.length === 0) return null
  return (
    <section>
      <h2>{t('waiting.title')}</h2>
      <ul className="send-preview">
        {rows.map(row => (
          <li key={row.orderNo} className="card">
            <p>{t('waiting.row', { name: row.packageName, amount: yuanOf(row.amount), time: row.expireTime })}</p>
            <div className="send-bar">
              <button type="button" className="button button-primary button-small" onClick={() => onOpen(row.packagesId)}>
                {t('waiting.open')}
              </button>
              <button type="button" className="button button-small" onClick={() => void cancel(row)}>
                {t('waiting.cancel')}
              </button>
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** What is left, and what may be bought. */
export const Page = () => {
  const t = useT(sendTexts)
  const can = useCan()
  const client = useQueryClient()
  const [bought, setBought] = useState<string | null>(null)
  const [transferred, setTransferred] = useState<Package | null>(null)
  const shop = useCall(packagesRoute, {})
  const mayBuy = can('sendbalance_pay')
  return (
    <div className="send-page">
      <div className="page-head">
        <h1>{t('balance.title')}</h1>
      </div>
      <Loaded query={shop}>
        {({ balance, frozen, packages, runningOut, waiting }) => (
          <>
            <section className="card">
              <h2>{t('balance.now')}</h2>
              <p>
                <strong>{t('balance.free', { count: balance - frozen })}</strong>
              </p>
              <p>{t('balance.frozen', { count: frozen })}</p>
              {runningOut.map(({ parts, expireTime }) => (
                <p key={expireTime}>{t('balance.runsOut', { count: parts, day: expireTime.slice(0, 10) })}</p>
              ))}
            </section>
            {mayBuy ? <WaitingCodes rows={waiting} onOpen={setBought} /> : null}
            <section>
              <h2>{t('balance.packages')}</h2>
              {packages.length === 0 ? (
                <EmptyState text={t('balance.none')} />
              ) : (
                <ul className="send-packages">
                  {packages.map(pack => (
                    <li key={pack.id} className="card">
                      <h3>{pack.packageName}</h3>
                      <p>{t('balance.count', { count: pack.count })}</p>
                      <p>{t('qr.amount', { amount: yuanOf(pack.price) })}</p>
                      {pack.validDays === null ? null : <p>{t('balance.valid', { days: pack.validDays })}</p>}
                      {mayBuy ? (
                        <div className="send-bar">
                          <button
                            type="button"
                            className="button button-primary button-small"
                            aria-label={`${t('balance.buy')} ${pack.packageName}`}
                            onClick={() => setBought(pack.id)}
                          >
                            {t('balance.buy')}
                          </button>
                          <button
                            type="button"
                            className="button button-small"
                            aria-label={`${t('balance.transfer')} ${pack.packageName}`}
                            onClick={() => setTransferred(pack)}
                          >
                            {t('balance.transfer')}
                          </button>
                        </div>
                      ) : null}
                    </li>
                  ))}
                </ul>
              )}
            </section>
          </>
        )}
      </Loaded>
      {can('sendpackages_edit') ? <Pending /> : null}
      {bought === null ? null : (
        <BuyDialog
          packagesId={bought}
          onPaid={() => void client.invalidateQueries({ queryKey: callKey(packagesRoute) })}
          onClose={() => {
            client.removeQueries({ queryKey: callKey('GET /blade-send/send/getSendPayQrcode') })
            setBought(null)
            void client.invalidateQueries({ queryKey: callKey(packagesRoute) })
          }}
        />
      )}
      {transferred === null ? null : (
        <TransferDialog pack={transferred} payee={shop.data?.payee ?? ''} onClose={() => setTransferred(null)} />
      )}
    </div>
  )
}
