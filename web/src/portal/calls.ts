import { useQuery } from '@tanstack/react-query'
import { type ApiInput, api, type Query } from '#web/kernel/api.ts'
import { isApiError } from '#web/kernel/api-error.ts'
import { currentLang, useLang } from '#web/kernel/i18n/index.ts'
import { toForm } from './to-form.ts'
import type { NotifyRow, OrderState, Page, PayRow, PostNode, PostRow, Qr, ScoreView, TicketItem, TicketNotice, TicketRow } from './wire.ts'

const exam = '/blade-exam/examination'
const signup = '/blade-signup/signup'

const get = <T>(path: string, query?: Query, signal?: AbortSignal): Promise<T> =>
  api.request<T>({ method: 'GET', path, query, quiet: true, ...(signal === undefined ? {} : { signal }) })

const quiet = (signal: AbortSignal | undefined) => ({ quiet: true, ...(signal === undefined ? {} : { signal }) })

interface PageOf {
  readonly current?: number
  readonly size?: number
}

/** Reading calls: path and the shape of the answer. Failures are drawn by the page, so the client stays quiet. */
const reads = {
  examList: (of: PageOf & { keyword?: string }, signal?: AbortSignal) => api.call('GET /blade-signup/signup/examList', of, quiet(signal)),
  myExamList: (of: PageOf, signal?: AbortSignal) => api.call('GET /blade-signup/signup/myExamList', of, quiet(signal)),
  form: async (of: { examId: string }, signal?: AbortSignal) =>
    toForm(await api.call('GET /blade-signup/signup/getExamInfoOrSignUpInfo', of, quiet(signal)), currentLang()),
  signup: (of: { id: string }, signal?: AbortSignal) => api.call('GET /blade-signup/signup/detail', of, quiet(signal)),
  posts: (of: PageOf & { examId: string; keyword?: string; unit?: string; type?: string; fit?: 1 }, signal?: AbortSignal) =>
    get<Page<PostRow>>(`${exam}/getTypeCodeList`, of, signal),
  postTree: (of: { examId: string }, signal?: AbortSignal) => get<readonly PostNode[]>(`${exam}/getAllTypeCode`, of, signal),
  dues: (of: { examId?: string; state?: number }, signal?: AbortSignal) => get<readonly PayRow[]>(`${exam}/getMyPayList`, of, signal),
  ticketItems: (of: { examId: string; type?: number }, signal?: AbortSignal) =>
    get<readonly TicketItem[]>(`${exam}/findTicketItems`, of, signal),
  tickets: (of: PageOf & { examId: string }, signal?: AbortSignal) => get<Page<TicketRow>>(`${exam}/getExamTicketList`, of, signal),
  ticketNotice: (of: { examId: string }, signal?: AbortSignal) => get<TicketNotice | null>(`${exam}/getTicketNotice`, of, signal),
  score: (of: { examId: string }, signal?: AbortSignal) => get<ScoreView>('/blade-signup/score/getExamScore', of, signal),
  messages: (of: PageOf, signal?: AbortSignal) => get<Page<NotifyRow>>(`${exam}/getNoticeList`, { ...of, type: 'notify' }, signal),
  me: (_: Record<never, never>, signal?: AbortSignal) => api.call('GET /blade-system/user/info', {}, quiet(signal)),
  regions: (of: { code: string }, signal?: AbortSignal) =>
    get<readonly { code: string; name: string }[]>('/blade-system/region/select', of, signal),
  schools: (of: { keyword: string }, signal?: AbortSignal) =>
    get<readonly { schoolCode: string; schoolName: string; province: string }[]>('/blade-school/school/list', of, signal),
} as const

export type Reads = typeof reads
export type ReadName = keyof Reads
type ReadInput<N extends ReadName> = Parameters<Reads[N]>[0]
export type ReadOutput<N extends ReadName> = Awaited<ReturnType<Reads[N]>>

export const read = <N extends ReadName>(name: N, of: ReadInput<N>, signal?: AbortSignal): Promise<ReadOutput<N>> =>
  (reads[name] as (of: ReadInput<N>, signal?: AbortSignal) => Promise<ReadOutput<N>>)(of, signal)

export interface ReadOptions {
  readonly enabled?: boolean
  readonly refetchEveryMs?: number | false
  readonly staleMs?: number
  /** Keeps the former answer on screen while the next one loads. */
  readonly keep?: boolean
}

/** `useRead('examList', { current: 1 })`. The answer holds texts of the server, so the language is part of the key. */
export const useRead = <N extends ReadName>(name: N, of: ReadInput<N>, options: ReadOptions = {}) => {
  const lang = useLang()
  return useQuery<ReadOutput<N>>({
    queryKey: [name, of, lang],
    queryFn: ({ signal }) => read(name, of, signal),
    enabled: options.enabled ?? true,
    refetchInterval: options.refetchEveryMs ?? false,
    retry: (count, error) => isApiError(error) && error.isOffline && count < 1,
    ...(options.staleMs === undefined ? {} : { staleTime: options.staleMs }),
    ...(options.keep ? { placeholderData: (former: ReadOutput<N> | undefined) => former as never } : {}),
  })
}

const post = <T>(path: string, body: unknown, quiet: boolean | 'fields' = false): Promise<T> =>
  api.request<T>({ method: 'POST', path, body, quiet })

export type SubmitInput = ApiInput<'POST /blade-signup/signup/submit'>

export const writes = {
  /** The form shows what is wrong itself. `idempotencyKey` is the same for each try of one submit. */
  submit: (input: SubmitInput, idempotencyKey?: string) =>
    api.call('POST /blade-signup/signup/submit', input, { quiet: true, ...(idempotencyKey === undefined ? {} : { idempotencyKey }) }),
  withdraw: (ids: string) => api.call('POST /blade-signup/signup/remove', { ids }),
  payQr: (payId: string) => get<Qr>(`${exam}/getPayQrcode`, { payId }),
  checkOrder: (orderNo: string, signal?: AbortSignal) => get<OrderState>(`${exam}/checkOrder`, { orderNo }, signal),
  closeOrder: (orderNo: string) => post(`${exam}/closePayOrder`, { orderNo }),
  askRefund: (payId: string, reason: string) => post(`${exam}/backPay`, { payId, reason }),
  readNotify: (of: { id: string } | { all: 1 }) => post(`${exam}/readNotify`, of, true),
  sureNotify: (id: string) => post(`${exam}/sureNotify`, { id }),
  /** The rules on the ticket have been read; the server asks for it before it gives the PDF. */
  readTicketNotice: (examId: string) => api.call('POST /blade-ticketNotice/ticketnotice/readTicketNotice', { examId }, { quiet: true }),
  ticketPdf: (id: string, type: number) =>
    api.blob({ method: 'GET', path: `${signup}/exportTicket`, query: { id, type }, timeoutMs: 120_000 }),
  noteTicketDown: (eid: string, itemId: string, type: number) =>
    post('/blade-ticketNotice/ticketnotice/saveTicketDownInfo', { eid, itemId, type }, true),
  sendSms: async (phone: string, tenantId: string) => {
    const { encrypt } = await import('#web/kernel/cipher.ts')
    return api.call('POST /blade-auth/oauth/sms/send-validate', async () => ({ tenantId, phone: await encrypt(phone) }))
  },
  changePassword: async (oldPassword: string, newPassword: string) => {
    const { encrypt } = await import('#web/kernel/cipher.ts')
    return api.call(
      'POST /blade-system/user/update-password',
      async () => ({
        oldPassword: await encrypt(oldPassword),
        newPassword: await encrypt(newPassword),
        newPassword1: await encrypt(newPassword),
      }),
      { quiet: 'fields' },
    )
  },
} as const
