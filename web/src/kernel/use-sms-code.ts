import { useEffect, useState } from 'react'
import { foldMobile } from '#contract/person/mobile.ts'
import { api } from './api.ts'
import { isApiError } from './api-error.ts'
import { encrypt } from './cipher.ts'
import { readTab, writeTab } from './tab-storage.ts'

/** Decision 4.7: one SMS a minute to a phone, whatever page asks. */
const gapMs = 60_000
/** How long the server takes the code. */
const goodMs = 5 * 60_000

interface Sent {
  readonly phone: string
  /** Under which the code is checked; null where none was sent from here. */
  readonly id: string | null
  readonly atMs: number
  /** When the next one may be asked for. */
  readonly freeAtMs: number
}
const name = 'sms'

/** The seconds that a refusal of one more SMS names. */
const secondsOf = (error: unknown): number | undefined => {
  const seconds = isApiError(error) ? (error.data as { seconds?: unknown } | null | undefined)?.seconds : undefined
  return typeof seconds === 'number' ? seconds : undefined
}

/**
 * The code that proves a phone. What was sent is known to all pages of this tab and outlives a reload: whoever goes to the app with the
 * messages often comes back to a page that the phone has loaded anew.
 * @param person - of a registration: no code is sent for a number that cannot be one
 */
export const useSmsCode = (typed: string, person?: { readonly idCard: string; readonly idCardType?: string | undefined }) => {
  const phone = foldMobile(typed)
  const [sent, setSent] = useState(() => readTab<Sent>(name))
  const [sending, setSending] = useState(false)
  const [nowMs, setNowMs] = useState(() => Date.now())
  const own = sent?.phone === phone ? sent : null
  const wait = own === null ? 0 : Math.max(0, Math.ceil((own.freeAtMs - nowMs) / 1_000))
  useEffect(() => {
    if (wait <= 0) return
    const timer = setTimeout(() => setNowMs(Date.now()), 1_000 - ((Date.now() - nowMs) % 1_000))
    return () => clearTimeout(timer)
  }, [wait, nowMs])
  const keep = (next: Sent) => {
    writeTab(name, next)
    setSent(next)
    setNowMs(Date.now())
  }
  /** @returns whether a code is on its way; why not was said */
  const send = async (): Promise<boolean> => {
    setSending(true)
    try {
      const { id } = await api.call('POST /blade-auth/oauth/sms/send-validate', async () => ({
        phone: await encrypt(phone),
        ...(person?.idCard
          ? { idCard: await encrypt(person.idCard), ...(person.idCardType === undefined ? {} : { idCardType: person.idCardType }) }
          : {}),
      }))
      const atMs = Date.now()
      keep({ phone, id, atMs, freeAtMs: atMs + gapMs })
      return true
    } catch (error) {
      const seconds = secondsOf(error)
      const atMs = Date.now()
      if (seconds !== undefined) keep({ phone, id: own?.id ?? null, atMs: own?.atMs ?? atMs, freeAtMs: atMs + seconds * 1_000 })
      return false
    } finally {
      setSending(false)
    }
  }
  const isGood = own !== null && nowMs - own.atMs < goodMs
  return { smsId: isGood ? own.id : null, wait, sending, send }
}
