import type { FitGroup } from '#contract/signup/fit.ts'
import { api } from '#web/kernel/api.ts'
import { serverNow } from '#web/kernel/clock.ts'
import { currentLang } from '#web/kernel/i18n/index.ts'
import { get, type PageOf, quiet } from './ask.ts'
import { takeKeptFacts } from './exam/kept-facts.ts'
import { settled } from './form/saves.ts'
import { toForm } from './to-form.ts'
import type { Page, PostNode, PostRow, ScoreView, TicketItem, TicketNotice, TicketRow } from './wire.ts'

/** The post whose page somebody came from: it stands in the address. */
const wantedPost = async (examId: string): Promise<PostRow | null> => {
  const code = new URLSearchParams(location.search).get('post')
  if (!code || !location.pathname.endsWith(`/form/${examId}`)) return null
  const page = await api
    .call('POST /blade-exam/examination/fitPosts', { examId, keyword: code, facts: {}, current: 1, size: 50 }, { quiet: true })
    .catch(() => null)
  return page?.records.find(post => post.code === code) ?? null
}

/** The reading calls of the other pages: path and the shape of the answer. */
export const laterReads = {
  form: async (of: { examId: string }, signal?: AbortSignal) => {
    await settled(of.examId)
    // Without them the form is emptier, and no more.
    await takeKeptFacts(serverNow()).catch(() => {})
    const form = toForm(await api.call('GET /blade-signup/signup/getExamInfoOrSignUpInfo', of, quiet(signal)), currentLang())
    return { ...form, wanted: await wantedPost(of.examId) }
  },
  signup: (of: { id: string }, signal?: AbortSignal) => api.call('GET /blade-signup/signup/detail', of, quiet(signal)),
  posts: async (
    of: PageOf & { examId: string; keyword?: string; unit?: string; type?: string; group?: FitGroup },
    signal?: AbortSignal,
  ) => {
    await takeKeptFacts(serverNow()).catch(() => {})
    return api.call('POST /blade-exam/examination/fitPosts', of, quiet(signal))
  },
  facts: (of: { examId: string }, signal?: AbortSignal) => api.call('GET /me/facts', of, quiet(signal)),
  postTree: (of: { examId: string }, signal?: AbortSignal) =>
    get<readonly PostNode[]>('/blade-exam/examination/getAllTypeCode', of, signal),
  ticketItems: (of: { examId: string; type?: number }, signal?: AbortSignal) =>
    get<readonly TicketItem[]>('/blade-exam/examination/findTicketItems', of, signal),
  tickets: (of: PageOf & { examId: string }, signal?: AbortSignal) =>
    get<Page<TicketRow>>('/blade-exam/examination/getExamTicketList', of, signal),
  ticketNotice: (of: { examId: string }, signal?: AbortSignal) =>
    get<TicketNotice | null>('/blade-exam/examination/getTicketNotice', of, signal),
  accommodation: (of: { examId: string }, signal?: AbortSignal) => api.call('GET /blade-ticket/accommodation/mine', of, quiet(signal)),
  waivers: (_: Record<never, never>, signal?: AbortSignal) => api.call('GET /blade-feeWaiver/feewaiver/mine', {}, quiet(signal)),
  healthDemands: (of: { examId: string }, signal?: AbortSignal) =>
    api.call('GET /blade-ticketNotice/ticketnotice/getTicketNoticeIsUpload', of, quiet(signal)),
  score: (of: { examId: string }, signal?: AbortSignal) => get<ScoreView>('/blade-signup/score/getExamScore', of, signal),
  reduction: (of: { signupId: string }, signal?: AbortSignal) =>
    api.call('GET /blade-signup/signup/getPostReductionInfo', of, quiet(signal)),
  rechecks: (of: { examId: string }, signal?: AbortSignal) => api.call('GET /blade-signup/score/getRechecks', of, quiet(signal)),
  objections: (_: Record<never, never>, signal?: AbortSignal) => api.call('GET /blade-signup/objection/own', {}, quiet(signal)),
  proposals: (_: Record<never, never>, signal?: AbortSignal) => api.call('GET /blade-signup/selection/ownProposals', {}, quiet(signal)),
  archiveCases: (_: Record<never, never>, signal?: AbortSignal) => api.call('GET /blade-signup/integrity/own', {}, quiet(signal)),
  selections: (_: Record<never, never>, signal?: AbortSignal) => api.call('GET /blade-signup/selection/mine', {}, quiet(signal)),
  notices: (of: PageOf & { noticeType?: number }, signal?: AbortSignal) =>
    api.call('GET /blade-exam/examination/getNoticeList', of, quiet(signal)),
  waitingNotices: (of: PageOf, signal?: AbortSignal) =>
    api.call('GET /blade-exam/examination/getNoticeList', { ...of, waiting: 1 }, quiet(signal)),
  notice: (of: { id: string }, signal?: AbortSignal) => api.call('GET /blade-exam/examination/getNoticeInfo', of, quiet(signal)),
  index: (of: { size: number }, signal?: AbortSignal) => api.call('GET /blade-exam/examination/getIndexNotice', of, quiet(signal)),
  newsList: (of: PageOf, signal?: AbortSignal) => api.call('GET /news/list', of, quiet(signal)),
  newsItem: (of: { id: string }, signal?: AbortSignal) => api.call('GET /news/info', of, quiet(signal)),
  me: (_: Record<never, never>, signal?: AbortSignal) => api.call('GET /blade-system/user/info', {}, quiet(signal)),
  erasures: (_: Record<never, never>, signal?: AbortSignal) => api.call('GET /me/erasures', {}, quiet(signal)),
  accessLog: (of: PageOf, signal?: AbortSignal) => api.call('GET /me/accessLog', of, quiet(signal)),
  verifiedChanges: (of: PageOf, signal?: AbortSignal) => api.call('GET /blade-userupdateinfo/userupdateinfo/list', of, quiet(signal)),
  reminders: (_: Record<never, never>, signal?: AbortSignal) => api.call('GET /me/reminders', {}, quiet(signal)),
  closing: (_: Record<never, never>, signal?: AbortSignal) => api.call('GET /me/closing', {}, quiet(signal)),
  regions: (of: { code: string }, signal?: AbortSignal) =>
    get<readonly { code: string; name: string }[]>('/blade-system/region/select', of, signal),
  schools: (of: { keyword: string }, signal?: AbortSignal) =>
    get<readonly { schoolCode: string; schoolName: string; province: string; city: string; formerName: string | null }[]>(
      '/blade-school/school/list',
      of,
      signal,
    ),
} as const
