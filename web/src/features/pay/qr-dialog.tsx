import { useQuery } from '@tanstack/react-query'
import { api } from '#web/kernel/api.ts'
import { yuanOf } from '#web/kernel/format.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { Dialog } from '#web/ui/modal.tsx'
import { Loaded } from '#web/ui/states.tsx'
import { payTexts } from './texts.ts'
import './pay.css'

interface Qr {
  readonly orderNo: string
  readonly amount: number
  /** SVG, base64. */
  readonly qr: string
  readonly expireTime: string
  readonly demoPayUrl?: string | null
}
const pollMs = 3_000
const paid = 2

/** The code a person at the desk scans; it watches the order until it is paid. */
export const QrDialog = ({
  payId,
  onClose,
  onPaid,
}: {
  readonly payId: string
  readonly onClose: () => void
  readonly onPaid: () => void
}) => {
  const t = useT(payTexts)
  const qr = useQuery({
    queryKey: ['pay-qr', payId],
    queryFn: ({ signal }) => api.request<Qr>({ method: 'GET', path: '/blade-exam/examination/getPayQrcode', query: { payId }, signal }),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const orderNo = qr.data?.orderNo
  const order = useQuery({
    queryKey: ['pay-order-state', orderNo],
    queryFn: async ({ signal }) => {
      const answer = await api.request<{ readonly state: number }>({
        method: 'GET',
        path: '/blade-exam/examination/checkOrder',
        query: { orderNo },
        signal,
        quiet: true,
      })
      if (answer.state === paid) onPaid()
      return answer
    },
    enabled: orderNo !== undefined,
    refetchInterval: query => ((query.state.data?.state ?? 1) > 1 ? false : pollMs),
    gcTime: 0,
  })
  const state = order.data?.state ?? 1
  return (
    <Dialog title={t('qr.title')} size="one" onClose={onClose}>
      <Loaded query={qr} skeletonRows={5}>
        {of => (
          <div className="pay-qr">
            <strong>{t('qr.amount', { amount: yuanOf(of.amount) })}</strong>
            {state <= 1 ? <img src={`data:image/svg+xml;base64,${of.qr}`} alt={t('qr.alt')} /> : null}
            <p role="status">{state === paid ? t('qr.paid') : state > paid ? t('qr.closed') : t('qr.until', { time: of.expireTime })}</p>
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
