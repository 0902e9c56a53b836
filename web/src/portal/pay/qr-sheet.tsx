import { useEffect, useRef, useState } from 'react'
import { endMinuteOf, epochOf, minuteOf, yuanOf } from '#web/kernel/format.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { CheckIcon } from '../kit/page-icons.tsx'
import { Callout } from '../kit/page-ui.tsx'
import { Sheet } from '../kit/sheet.tsx'
import { useDuration, useServerNow } from '../kit/time.tsx'
import { Button, buttonClass } from '../kit/ui.tsx'
import { laterTexts } from '../later-texts.ts'
import type { PayRow } from '../wire.ts'
import { writes } from '../writes.ts'
import { isPhone } from './phone.ts'
import { QrCode } from './qr-code.tsx'
import { payTexts } from './texts.ts'
import { type Channel, channelsOf, type Payment, useOrder } from './use-order.ts'

/** A payment is read for so long before its sheet shuts by itself. */
const paidMs = 2_500

/** As narrow as a phone, whatever the browser says it is: a code cannot be scanned by the screen that shows it. */
const isNarrow = matchMedia('(max-width: 767px)').matches

const Left = ({ until, onOver }: { readonly until: string; readonly onOver: () => void }) => {
  const t = useT(payTexts)
  const duration = useDuration()
  const left = epochOf(until) - useServerNow()
  useEffect(() => {
    if (left <= 0) onOver()
  }, [left, onOver])
  return <p className="p-small p-dim p-num">{left > 0 ? t('pay.qr.left', { time: duration(left) }) : t('pay.qr.expired')}</p>
}

/** The code, or what became of it. */
const Shown = ({ payment, onExpired }: { readonly payment: Payment; readonly onExpired: () => void }) => {
  const t = useT(payTexts)
  switch (payment.kind) {
    case 'paid':
      return (
        <>
          <span className="p-done-mark">
            <CheckIcon size={40} />
          </span>
          <p className="p-strong">{t('pay.qr.paid')}</p>
          {payment.time && <p className="p-small p-dim">{t('pay.qr.paidHint', { time: minuteOf(payment.time) })}</p>}
        </>
      )
    case 'failed':
      return <Callout tone={payment.final ? 'warning' : 'danger'}>{payment.text}</Callout>
    case 'ended':
      return <Callout tone="warning">{t(payment.isClosed ? 'pay.qr.closed' : 'pay.qr.refunding')}</Callout>
    case 'loading':
      return (
        <>
          <div className="p-skel" style={{ width: 240, height: 240 }} />
          <p className="p-small p-dim">{t('pay.qr.wait')}</p>
        </>
      )
    default:
      return (
        <>
          <QrCode qr={payment.qr} isFaint={payment.kind === 'expired'} />
          {payment.qr.payCode === null ? <Left until={payment.qr.expireTime} onOver={onExpired} /> : null}
        </>
      )
  }
}

/** The number of the non-tax platform: read out at a counter, typed into an app of a bank. */
const PayCode = ({ code, until }: { readonly code: string; readonly until: string }) => {
  const t = useT(payTexts)
  return (
    <p>
      <span className="p-small p-soft">{t('pay.qr.number')}</span>
      <br />
      <span className="p-strong p-num">{code.match(/.{1,4}/g)?.join(' ')}</span>
      <br />
      <span className="p-small p-soft">{t('pay.qr.numberUntil', { time: minuteOf(until) })}</span>
    </p>
  )
}

/** What can be done next; giving up closes the order first. */
const Foot = ({
  payment,
  onAgain,
  onGiveUp,
  onClose,
}: {
  readonly payment: Payment
  readonly onAgain: () => void
  readonly onGiveUp: () => Promise<void>
  readonly onClose: () => void
}) => {
  const t = useT(payTexts)
  const [busy, setBusy] = useState(false)
  const { kind } = payment
  if (kind === 'paid' || (kind === 'failed' && payment.final))
    return (
      <Button look="primary" onClick={onClose}>
        {t(kind === 'paid' ? 'pay.qr.done' : 'pay.qr.close')}
      </Button>
    )
  if (kind === 'failed' || kind === 'ended' || kind === 'expired')
    return (
      <Button look="primary" onClick={onAgain}>
        {t('pay.qr.again')}
      </Button>
    )
  const giveUp = async () => {
    setBusy(true)
    await onGiveUp()
    setBusy(false)
  }
  return (
    <Button busy={busy} disabled={kind === 'loading'} onClick={() => void giveUp()}>
      {t('pay.qr.cancel')}
    </Button>
  )
}

/**
 * One payment: the code, what is left of its life, and a look at the order every few seconds. It closes by itself once the server
 * says paid.
 */
export const QrSheet = ({
  due,
  first,
  onNews,
  onThisDevice,
  onClose,
}: {
  readonly due: PayRow
  /** Whose code is shown first. */
  readonly first: Channel
  /** The due may have changed behind the sheet: somebody else has closed the order or paid. */
  readonly onNews: () => void
  /** The same payment on the device in the hand. */
  readonly onThisDevice: () => void
  readonly onClose: (paid: boolean) => void
}) => {
  const t = useT(payTexts)
  const p = useT(laterTexts)
  const { payment, amount, channel, change, again, expire, close } = useOrder(due.id, first)
  const [ways, setWays] = useState<readonly string[]>([])
  useEffect(() => {
    writes.payWays(due.id).then(
      answer => {
        setWays(answer.ways)
        const [only] = channelsOf(answer.ways)
        if (only !== undefined && only !== 'wechat' && !answer.ways.includes('native')) change(first === 'wechat' ? only : first)
      },
      // Without the answer the code of WeChat is what there is.
      () => undefined,
    )
  }, [due.id, change, first])
  const others = payment.kind === 'paid' || payment.kind === 'loading' ? [] : channelsOf(ways).filter(of => of !== channel)
  const done = useRef(onClose)
  done.current = onClose
  const news = useRef(onNews)
  news.current = onNews

  const paid = payment.kind === 'paid'
  useEffect(() => {
    if (!paid) return
    const timer = setTimeout(() => done.current(true), paidMs)
    return () => clearTimeout(timer)
  }, [paid])
  const isNews = paid || payment.kind === 'ended' || (payment.kind === 'failed' && payment.final)
  useEffect(() => {
    if (isNews) news.current()
  }, [isNews])
  // On a phone the code was asked for, for another device; in a narrow window that does not say what it is, paying here comes first.
  const here = isNarrow && ways.includes('h5') && channel === 'wechat' && payment.kind === 'open' && (
    <Button look="primary" onClick={onThisDevice}>
      {t('pay.qr.here')}
    </Button>
  )
  return (
    <Sheet
      title={t(`pay.qr.title.${channel}`)}
      firm
      onClose={() => onClose(paid)}
      foot={
        <Foot
          payment={payment}
          onAgain={again}
          onGiveUp={async () => {
            if (!(await close())) return
            notify('success', t('pay.qr.cancelled', { until: endMinuteOf(due.deadline) }))
            onClose(false)
          }}
          onClose={() => onClose(paid)}
        />
      }
    >
      <div className="p-stack p-center" style={{ justifyItems: 'center' }}>
        <p>
          <span className="p-small p-soft">
            {due.examName} · {due.payName}
          </span>
          <br />
          <span className="p-big p-num">{p('money.yuan', { amount: yuanOf(amount ?? due.amount) })}</span>
        </p>
        {!isPhone && here}
        <div role="status" className="p-stack" style={{ justifyItems: 'center' }}>
          <Shown payment={payment} onExpired={expire} />
        </div>
        {payment.kind === 'open' && (
          <>
            {payment.qr.payCode === null ? null : <PayCode code={payment.qr.payCode} until={payment.qr.expireTime} />}
            {channel !== 'wechat' && isPhone ? (
              <a className={buttonClass({ look: 'primary' })} href={payment.qr.codeUrl}>
                {t(`pay.qr.open.${channel}`)}
              </a>
            ) : null}
            {channel === 'alipay' && isPhone ? null : <p className="p-small p-soft">{t(`pay.qr.scan.${channel}`)}</p>}
            <p className="p-small p-dim">{t('pay.qr.checking')}</p>
            {payment.qr.demoPayUrl && (
              <a href={payment.qr.demoPayUrl} target="_blank" rel="noreferrer">
                {t('pay.qr.demo')}
              </a>
            )}
          </>
        )}
        {isPhone && here}
        {others.map(other => (
          <Button key={other} look="text" onClick={() => (other === 'wechat' && isPhone ? onThisDevice() : change(other))}>
            {t(`pay.qr.other.${other}`)}
          </Button>
        ))}
        <Callout tone="active">{t('pay.truth')}</Callout>
      </div>
    </Sheet>
  )
}
