import { useCallback, useEffect, useState } from 'react'
import { isApiError } from '#web/kernel/api-error.ts'
import { useSaid } from '#web/kernel/said.ts'
import type { OrderState, Qr } from '../wire.ts'
import { writes } from '../writes.ts'
import { isOpen, pollGap } from './polling.ts'

/** Numbers of domain 13.2: another code would be refused for the same reason. */
const notPayable = 2601
const outsideWindow = 2602

interface Failure {
  readonly text: string
  /** Asking again would not help. */
  readonly final: boolean
}

/** Whose codes a way of payment shows. */
export const channelOf = { native: 'wechat', alipay: 'alipay', nontax: 'nontax' } as const
export type Channel = (typeof channelOf)[keyof typeof channelOf]
export const channelsOf = (ways: readonly string[]): readonly Channel[] =>
  (['native', 'alipay', 'nontax'] as const).filter(way => ways.includes(way)).map(way => channelOf[way])

/** The code of one due; `load` asks for another one. */
const useQr = (dueId: string, channel: Channel) => {
  const [qr, setQr] = useState<Qr | null>(null)
  const [failure, setFailure] = useSaid<Failure | null>(null)
  const load = useCallback(async () => {
    setFailure(null)
    setQr(null)
    try {
      setQr(await writes.payQr(dueId, channel))
    } catch (error) {
      const final = isApiError(error) && (error.code === notPayable || error.code === outsideWindow)
      setFailure({ text: isApiError(error) ? error.message : String(error), final })
    }
  }, [dueId, channel, setFailure])
  useEffect(() => void load(), [load])
  return { qr, failure, load }
}

/** Looks at an order again and again until it has ended, at once when the person comes back to the page. */
export const useLooks = (orderNo: string | null, onState: (state: OrderState) => void): void =>
  useEffect(() => {
    if (orderNo === null) return
    const abort = new AbortController()
    const begun = performance.now()
    let timer: ReturnType<typeof setTimeout>
    const look = async () => {
      try {
        const state = await writes.checkOrder(orderNo, abort.signal)
        if (abort.signal.aborted) return
        onState(state)
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
  }, [orderNo, onState])

/** Where one payment stands; what the phone says does not count. */
export type Payment =
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed'; readonly text: string; readonly final: boolean }
  | { readonly kind: 'open' | 'expired'; readonly qr: Qr }
  | { readonly kind: 'paid'; readonly time: string | null | undefined }
  | { readonly kind: 'ended'; readonly isClosed: boolean }

const paidState = 2
const closedState = 3

/** One payment from its code to its end. */
export const useOrder = (dueId: string, first: Channel) => {
  const [channel, setChannel] = useState(first)
  const { qr, failure, load } = useQr(dueId, channel)
  const [order, setOrder] = useState<OrderState | null>(null)
  const [expired, setExpired] = useState(false)
  useLooks(qr?.orderNo ?? null, setOrder)
  const payment: Payment =
    order?.state === paidState
      ? { kind: 'paid', time: order.paidTime }
      : failure !== null
        ? { kind: 'failed', ...failure }
        : order !== null && !isOpen(order.state)
          ? { kind: 'ended', isClosed: order.state === closedState }
          : qr === null
            ? { kind: 'loading' }
            : { kind: expired ? 'expired' : 'open', qr }
  return {
    payment,
    amount: qr?.amount,
    channel,
    /** The server closes the order of the other provider before it makes one. */
    change: useCallback((next: Channel) => {
      setOrder(null)
      setExpired(false)
      setChannel(next)
    }, []),
    again: () => {
      setOrder(null)
      setExpired(false)
      void load()
    },
    expire: useCallback(() => setExpired(true), []),
    /** @returns whether the order is closed; if not, `payment` tells what it is instead. */
    close: async (): Promise<boolean> => {
      if (qr === null) return false
      try {
        await writes.closeOrder(qr.orderNo)
        return true
      } catch {
        setOrder(await writes.checkOrder(qr.orderNo).catch(() => null))
        return false
      }
    },
  }
}
