import { useCallback, useEffect, useRef, useState } from 'react'
import { isApiError } from '#web/kernel/api-error.ts'
import { epochOf, minuteOf, yuanOf } from '#web/kernel/format.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { saveFile } from '#web/kernel/save-file.ts'
import { isInApp } from '../kit/in-app.ts'
import { CheckIcon } from '../kit/page-icons.tsx'
import { Callout } from '../kit/page-ui.tsx'
import { Sheet } from '../kit/sheet.tsx'
import { useDuration, useServerNow } from '../kit/time.tsx'
import { Button } from '../kit/ui.tsx'
import { laterTexts } from '../later-texts.ts'
import type { OrderState, PayRow, Qr } from '../wire.ts'
import { writes } from '../writes.ts'
import { isOpen, pollGap } from './polling.ts'
import { payTexts } from './texts.ts'

/** Numbers of domain 13.2: another code would be refused for the same reason. */
const notPayable = 2601
const outsideWindow = 2602

const addressOf = (qr: Qr): string => (qr.qr.startsWith('data:') ? qr.qr : `data:image/svg+xml;base64,${qr.qr}`)

/** The code as a PNG with a white rim: phones put pictures, not drawings, into their album. */
const drawPng = async (qr: Qr): Promise<HTMLCanvasElement | null> => {
  const image = new Image()
  image.src = addressOf(qr)
  await image.decode()
  const canvas = document.createElement('canvas')
  canvas.width = 720
  canvas.height = 720
  const context = canvas.getContext('2d')
  if (context === null) return null
  context.fillStyle = '#fff'
  context.fillRect(0, 0, 720, 720)
  context.imageSmoothingEnabled = false
  context.drawImage(image, 40, 40, 640, 640)
  return canvas
}
const savePng = async (qr: Qr): Promise<void> => {
  const canvas = await drawPng(qr)
  const blob = await new Promise<Blob | null>(resolve => (canvas === null ? resolve(null) : canvas.toBlob(resolve, 'image/png')))
  if (blob !== null) saveFile(blob, `${qr.orderNo}.png`)
}

/** Where a page can save nothing, a long press can: what it presses on is the picture that would have been saved. */
const Code = ({ qr, isFaint }: { readonly qr: Qr; readonly isFaint: boolean }) => {
  const t = useT(payTexts)
  const [src, setSrc] = useState(addressOf(qr))
  useEffect(() => {
    if (!isInApp) return
    drawPng(qr)
      .then(canvas => canvas !== null && setSrc(canvas.toDataURL('image/png')))
      .catch(() => {}) // The drawing stays.
  }, [qr])
  return <img className="p-qr" src={src} alt={t('pay.qr.alt')} width={240} height={240} style={isFaint ? { opacity: 0.15 } : undefined} />
}

const Left = ({ until, onOver }: { readonly until: string; readonly onOver: () => void }) => {
  const t = useT(payTexts)
  const duration = useDuration()
  const left = epochOf(until) - useServerNow()
  useEffect(() => {
    if (left <= 0) onOver()
  }, [left, onOver])
  return <p className="p-small p-dim p-num">{left > 0 ? t('pay.qr.left', { time: duration(left) }) : t('pay.qr.expired')}</p>
}

/**
 * One payment: the code, what is left of its life, and a look at the order every few seconds. It closes by itself once the server
 * says paid; what the phone says does not count.
 */
export const QrSheet = ({
  due,
  onNews,
  onClose,
}: {
  readonly due: PayRow
  /** The due may have changed behind the sheet: somebody else has closed the order or paid. */
  readonly onNews: () => void
  readonly onClose: (paid: boolean) => void
}) => {
  const t = useT(payTexts)
  const p = useT(laterTexts)
  const [qr, setQr] = useState<Qr | null>(null)
  const [order, setOrder] = useState<OrderState | null>(null)
  const [failure, setFailure] = useState<{ readonly text: string; readonly final: boolean } | null>(null)
  const [expired, setExpired] = useState(false)
  const [closing, setClosing] = useState(false)
  const done = useRef(onClose)
  done.current = onClose
  const news = useRef(onNews)
  news.current = onNews

  const load = useCallback(async () => {
    setFailure(null)
    setQr(null)
    setOrder(null)
    setExpired(false)
    try {
      setQr(await writes.payQr(due.id))
    } catch (error) {
      const final = isApiError(error) && (error.code === notPayable || error.code === outsideWindow)
      setFailure({ text: isApiError(error) ? error.message : String(error), final })
    }
  }, [due.id])
  useEffect(() => void load(), [load])

  const orderNo = qr?.orderNo ?? null
  useEffect(() => {
    if (orderNo === null) return
    const abort = new AbortController()
    const begun = performance.now()
    let timer: ReturnType<typeof setTimeout>
    const look = async () => {
      try {
        const state = await writes.checkOrder(orderNo, abort.signal)
        if (abort.signal.aborted) return
        setOrder(state)
        if (!isOpen(state.state)) return
      } catch {
        // A lost connection: the next look tells.
      }
      if (!abort.signal.aborted) timer = setTimeout(() => void look(), pollGap(performance.now() - begun))
    }
    timer = setTimeout(() => void look(), pollGap(0))
    const soon = () => {
      if (document.visibilityState === 'visible') {
        clearTimeout(timer)
        void look()
      }
    }
    document.addEventListener('visibilitychange', soon)
    return () => {
      abort.abort()
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', soon)
    }
  }, [orderNo])

  const paid = order?.state === 2
  useEffect(() => {
    if (!paid) return
    const timer = setTimeout(() => done.current(true), 2_500)
    return () => clearTimeout(timer)
  }, [paid])

  const ended = order !== null && !isOpen(order.state)
  const final = failure?.final === true
  useEffect(() => {
    if (ended || final) news.current()
  }, [ended, final])

  const cancel = async () => {
    if (orderNo === null) return
    setClosing(true)
    try {
      await writes.closeOrder(orderNo)
      onClose(false)
    } catch {
      setOrder(await writes.checkOrder(orderNo).catch(() => null))
    } finally {
      setClosing(false)
    }
  }
  return (
    <Sheet
      title={t('pay.qr.title')}
      firm
      onClose={() => onClose(paid)}
      foot={
        paid ? (
          <Button look="primary" onClick={() => onClose(true)}>
            {t('pay.qr.done')}
          </Button>
        ) : final ? (
          <Button look="primary" onClick={() => onClose(false)}>
            {t('pay.qr.close')}
          </Button>
        ) : ended || expired || failure !== null ? (
          <Button look="primary" onClick={() => void load()}>
            {t('pay.qr.again')}
          </Button>
        ) : (
          <>
            <Button busy={closing} disabled={qr === null} onClick={() => void cancel()}>
              {t('pay.qr.cancel')}
            </Button>
            {isInApp ? null : (
              <Button
                look="primary"
                disabled={qr === null}
                onClick={() => qr !== null && void savePng(qr).catch(() => notify('error', t('error.system')))}
              >
                {t('pay.qr.save')}
              </Button>
            )}
          </>
        )
      }
    >
      <div className="p-stack p-center" style={{ justifyItems: 'center' }}>
        <p>
          <span className="p-small p-soft">
            {due.examName} · {due.payName}
          </span>
          <br />
          <span className="p-big p-num">{p('money.yuan', { amount: yuanOf(qr?.amount ?? due.amount) })}</span>
        </p>
        <div role="status" className="p-stack" style={{ justifyItems: 'center' }}>
          {paid ? (
            <>
              <span className="p-done-mark">
                <CheckIcon size={40} />
              </span>
              <p className="p-strong">{t('pay.qr.paid')}</p>
              {order.paidTime && <p className="p-small p-dim">{t('pay.qr.paidHint', { time: minuteOf(order.paidTime) })}</p>}
            </>
          ) : failure !== null ? (
            <Callout tone={final ? 'warning' : 'danger'}>{failure.text}</Callout>
          ) : ended ? (
            <Callout tone="warning">{t(order.state === 3 ? 'pay.qr.closed' : 'pay.qr.refunding')}</Callout>
          ) : qr === null ? (
            <>
              <div className="p-skel" style={{ width: 240, height: 240 }} />
              <p className="p-small p-dim">{t('pay.qr.wait')}</p>
            </>
          ) : (
            <>
              <Code qr={qr} isFaint={expired} />
              <Left until={qr.expireTime} onOver={() => setExpired(true)} />
            </>
          )}
        </div>
        {!paid && !ended && qr !== null && !expired && (
          <>
            <p className="p-small p-soft">{t(isInApp ? 'pay.qr.hold' : 'pay.qr.scan')}</p>
            <p className="p-small p-dim">{t('pay.qr.checking')}</p>
            {qr.demoPayUrl && (
              <a href={qr.demoPayUrl} target="_blank" rel="noreferrer">
                {t('pay.qr.demo')}
              </a>
            )}
          </>
        )}
        <Callout tone="active">{t('pay.truth')}</Callout>
      </div>
    </Sheet>
  )
}
