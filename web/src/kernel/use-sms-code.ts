import { useEffect, useState } from 'react'
import { foldMobile } from '#contract/person/mobile.ts'
import { api } from './api.ts'
import { isApiError } from './api-error.ts'
import { encrypt } from './cipher.ts'
import { defineTexts, useT } from './i18n/index.ts'
import { notify } from './notify.ts'
import { useSaid } from './said.ts'
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

const texts = defineTexts(
  {
    send: '获取验证码',
    'again.s': '{n} 秒后重新获取',
    'again.min': '{n} 分钟后重新获取',
    'again.h': '{n} 小时后重新获取',
    sent: '验证码已发送',
    'note.sent': '验证码已发往所填手机号，号码填错就收不到。1 分钟内未收到：请核对号码，查看被拦截的短信，再重新获取。',
    'note.login': '仍收不到的，可改用密码登录。',
    'note.person': '手机号与证件号码是否相符，提交后才核对；手机号已不用的，请选择“手机号不用了”。',
    'note.mend': '验证码没有发送：请先改正标出的内容，再获取验证码。',
    first: '请先在本页获取短信验证码：在别处获取的不能用在这里，5 分钟后失效',
  },
  {
    send: 'Send code',
    'again.s': 'Again in {n} s',
    'again.min': 'Again in {n} min',
    'again.h': 'Again in {n} h',
    sent: 'Code sent',
    'note.sent':
      'A code was sent to the number you typed; if that is wrong, none arrives. None after a minute? Check the number and blocked messages, then ask again.',
    'note.login': 'If it still does not come, log in by password.',
    'note.person':
      'Whether phone and id number belong together is checked when you send the form. If you no longer have the phone, choose “I no longer have this phone”.',
    'note.mend': 'No code was sent: mend what is marked first, then ask for the code.',
    first: 'Please ask for an SMS code on this page first: one from elsewhere is not valid here, and none is after 5 minutes',
  },
)
/** What else to do, by where the code is asked for. */
const otherWays = { login: 'note.login', person: 'note.person' } as const

/** The seconds that a refusal of one more SMS names. */
const secondsOf = (error: unknown): number | undefined => {
  const seconds = isApiError(error) ? (error.data as { seconds?: unknown } | null | undefined)?.seconds : undefined
  return typeof seconds === 'number' ? seconds : undefined
}

/**
 * The code that proves a phone. What was sent is known to all pages of this tab and outlives a reload: whoever goes to the app with the
 * messages often comes back to a page that the phone has loaded anew.
 * @param person - of a registration: no code is sent for a number that cannot be one
 * @param otherWay - what is said of other ways in, where there are any
 * @returns what the button says (`label`), what stands below the code after it was pressed (`note`: what was sent, or why nothing was) and what is wrong with a code
 *   that was typed without asking for it here (`first`)
 */
export const useSmsCode = (
  typed: string,
  {
    person,
    otherWay,
  }: {
    readonly person?: { readonly idCard: string; readonly idCardType?: string | undefined }
    readonly otherWay?: keyof typeof otherWays
  } = {},
) => {
  const t = useT(texts)
  const phone = foldMobile(typed)
  const [sent, setSent] = useState(() => readTab<Sent>(name))
  const [sending, setSending] = useState(false)
  const [note, setNote] = useSaid<string>()
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
      notify('success', t('sent'))
      setNote([t('note.sent'), ...(otherWay === undefined ? [] : [t(otherWays[otherWay])])].join(' '))
      return true
    } catch (error) {
      const seconds = secondsOf(error)
      const atMs = Date.now()
      setNote(isApiError(error) ? error.message : undefined)
      if (seconds !== undefined) keep({ phone, id: own?.id ?? null, atMs: own?.atMs ?? atMs, freeAtMs: atMs + seconds * 1_000 })
      return false
    } finally {
      setSending(false)
    }
  }
  const isGood = own !== null && nowMs - own.atMs < goodMs
  const label =
    wait <= 0
      ? t('send')
      : wait < 120
        ? t('again.s', { n: wait })
        : wait < 7_200
          ? t('again.min', { n: Math.ceil(wait / 60) })
          : t('again.h', { n: Math.ceil(wait / 3_600) })
  /** What has to be mended before is marked in the form. */
  const refuse = () => setNote(t('note.mend'))
  return { smsId: isGood ? own.id : null, isWaiting: wait > 0, label, note, first: t('first'), sending, send, refuse }
}
