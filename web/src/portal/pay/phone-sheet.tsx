import { useCallback, useEffect, useRef, useState } from 'react'
import { isApiError } from '#web/kernel/api-error.ts'
import { yuanOf } from '#web/kernel/format.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { useSaid } from '#web/kernel/said.ts'
import { isInApp } from '../kit/in-app.ts'
import { Callout } from '../kit/page-ui.tsx'
import { Sheet } from '../kit/sheet.tsx'
import { Button } from '../kit/ui.tsx'
import { laterTexts } from '../later-texts.ts'
import type { OrderState, PayRow } from '../wire.ts'
import { writes } from '../writes.ts'
import { isWechat, keepState, payInWechat } from './phone.ts'
import { phoneTexts } from './phone-texts.ts'
import { isOpen } from './polling.ts'
import { type Channel, channelsOf, useLooks } from './use-order.ts'

type Ways = Awaited<ReturnType<typeof writes.payWays>>
type Order = Awaited<ReturnType<typeof writes.prepay>>
const paidState = 2

/** How this phone can pay by itself; null where only another device can scan a code. */
const wayOf = ({ ways }: Ways): 'jsapi' | 'h5' | null => {
  const wanted = isWechat ? 'jsapi' : 'h5'
  return ways.includes(wanted) ? wanted : null
}

/** Whose code is shown where this phone has no way of its own: Alipay opens from a browser, not inside WeChat. */
const firstCode = ({ ways }: Ways): Channel => {
  const codes = channelsOf(ways).filter(of => of !== 'alipay' || !isWechat)
  return codes.find(of => of !== 'wechat') ?? 'wechat'
}

/** One payment on the phone it is made on; what the phone says of it does not count, the order is looked at until it has ended. */
export const PhoneSheet = ({
  due,
  code,
  onOtherDevice,
  onClose,
}: {
  readonly due: PayRow
  /** WeChat has said who pays. */
  readonly code: string | null
  /** By a code, of WeChat for another device or of Alipay for its own app. */
  readonly onOtherDevice: (channel: Channel) => void
  readonly onClose: (paid: boolean) => void
}) => {
  const t = useT(phoneTexts)
  const p = useT(laterTexts)
  const [ways, setWays] = useState<Ways | null>(null)
  const [order, setOrder] = useState<Order | null>(null)
  const [problem, setProblem] = useSaid<string | null>(null)
  const [busy, setBusy] = useState(false)
  const [state, setState] = useState<OrderState | null>(null)
  const other = useRef(onOtherDevice)
  other.current = onOtherDevice
  const done = useRef(onClose)
  done.current = onClose
  useLooks(order?.orderNo ?? null, setState)
  useEffect(() => {
    if (state === null || isOpen(state.state)) return
    done.current(state.state === paidState)
  }, [state])

  const open = useCallback(
    async (made: Order) => {
      if (made.bridge !== null) {
        const said = await payInWechat(made.bridge)
        if (said === 'cancel') setProblem(t('phone.cancelled'))
        if (said === 'failed') setProblem(t('phone.failed'))
      } else if (made.h5Url !== null && made.demoPayUrl === null) location.assign(made.h5Url)
    },
    [t, setProblem],
  )
  const begin = useCallback(
    async (input: { readonly way: 'jsapi'; readonly code: string } | { readonly way: 'h5' }) => {
      setBusy(true)
      setProblem(null)
      try {
        const made = await writes.prepay({ payId: due.id, ...input })
        setOrder(made)
        await open(made)
      } catch (error) {
        setProblem(isApiError(error) ? error.message : String(error))
      }
      setBusy(false)
    },
    [due.id, open, setProblem],
  )
  const begun = useRef(false)
  useEffect(() => {
    if (begun.current) return
    begun.current = true
    if (code !== null) void begin({ way: 'jsapi', code })
    writes.payWays(due.id).then(
      answer => (wayOf(answer) === null ? other.current(firstCode(answer)) : setWays(answer)),
      (error: unknown) => setProblem(isApiError(error) ? error.message : String(error)),
    )
  }, [begin, code, due.id, setProblem])

  const way = ways === null ? null : wayOf(ways)
  const pay = async () => {
    if (way === 'h5') return begin({ way })
    if (ways?.authorizeUrl == null || ways.state === null) return
    keepState(ways.state)
    location.assign(ways.authorizeUrl)
  }
  return (
    <Sheet
      title={t('phone.title')}
      firm
      onClose={() => onClose(false)}
      foot={
        <Button look="primary" busy={busy} disabled={way === null} onClick={() => void (order === null ? pay() : open(order))}>
          {t(order === null ? 'phone.pay' : 'phone.open')}
        </Button>
      }
    >
      <div className="p-stack p-center" style={{ justifyItems: 'center' }}>
        <p>
          <span className="p-small p-soft">
            {due.examName} · {due.payName}
          </span>
          <br />
          <span className="p-big p-num">{p('money.yuan', { amount: yuanOf(due.amount) })}</span>
        </p>
        <div role="status" className="p-stack">
          {problem === null ? null : <Callout tone="warning">{problem}</Callout>}
          {order === null ? way !== null && <p className="p-small p-soft">{t(`phone.lead.${way}`)}</p> : <p>{t('phone.wait')}</p>}
        </div>
        {order?.demoPayUrl && (
          <a href={order.demoPayUrl} {...(isInApp ? {} : { target: '_blank', rel: 'noreferrer' })}>
            {t('phone.open')}
          </a>
        )}
        {ways?.ways.includes('nontax') ? (
          <Button look="text" onClick={() => onOtherDevice('nontax')}>
            {t('phone.nontax')}
          </Button>
        ) : null}
        {isWechat ? null : (
          <>
            {ways?.ways.includes('alipay') ? (
              <Button look="text" onClick={() => onOtherDevice('alipay')}>
                {t('phone.alipay')}
              </Button>
            ) : null}
            <Button look="text" onClick={() => onOtherDevice('wechat')}>
              {t('phone.other')}
            </Button>
          </>
        )}
      </div>
    </Sheet>
  )
}
