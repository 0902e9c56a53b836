import { refuse } from '#contract/kernel/errors.ts'
import { markOf, nounOf } from '#contract/kernel/field-rule.ts'
import type { InputOf } from '#contract/kernel/route.ts'
import { toWireTime } from '#contract/kernel/when.ts'
import type { newsCalls } from '#contract/news/news.routes.ts'
import { notice } from '#contract/news/notice.resource.ts'
import { userNoun } from '#contract/organisation/user.noun.ts'
import { type ExportColumn, planSheet } from '#kernel/crud/export.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type Ctx, type ExportPlan, Refused } from '#kernel/http/context.ts'
import { listedUserScope } from '#modules/access/index.ts'
import { findTextVersion } from '../data/notice.repo.ts'
import {
  countNoticeReads,
  countNotifyReads,
  listNoticeReads,
  listNotifyReads,
  type NoticeReadRow,
  type NoticeReadSearch,
  type NotifyReadRow,
  type NotifyReadSearch,
} from '../data/read.repo.ts'

const batch = 2_000

const timeOf = (at: Date | null): string => (at === null ? '' : toWireTime(at))
type Person = Pick<NoticeReadRow, 'account' | 'realName' | 'phone' | 'readAt' | 'sureAt'>
const personColumns = <R extends Person>(): readonly ExportColumn<R>[] => [
  { name: 'account', label: { zh: '账号', en: 'Account' }, value: row => row.account },
  { name: 'realName', label: { zh: '姓名', en: 'Name' }, value: row => row.realName, field: markOf(userNoun, 'realName') },
  { name: 'phone', label: { zh: '手机号', en: 'Mobile phone' }, value: row => row.phone, field: markOf(userNoun, 'phone') },
  { name: 'readTime', label: { zh: '阅读时间', en: 'Read at' }, value: row => timeOf(row.readAt) },
  { name: 'sureTime', label: { zh: '确认时间', en: 'Confirmed at' }, value: row => timeOf(row.sureAt) },
]

/** Readers of the present text or of a former one, as far as the caller's data scopes reach; undefined where the notice is not theirs to see. */
export const noticeReadSearch = async (
  ctx: Ctx,
  db: TenantDb,
  { textVersion, ...of }: Omit<InputOf<typeof newsCalls.exportNoticeReads>, never>,
): Promise<NoticeReadSearch | undefined> => {
  const present = await findTextVersion(db, of.noticeId)
  return present === undefined
    ? undefined
    : { ...of, formerVersion: textVersion === present ? undefined : textVersion, people: listedUserScope(ctx.session) }
}

/** Who has read a notice, or has not, as a workbook. */
export const planNoticeReads = async (ctx: Ctx, input: InputOf<typeof newsCalls.exportNoticeReads>): Promise<ExportPlan> => {
  const { of, total } = await ctx.tx(async db => {
    const of = await noticeReadSearch(ctx, db, input)
    if (!of) throw new Refused(refuse('kernel/not-found', {}))
    return { of, total: await countNoticeReads(db, of) }
  })
  async function* rows(): AsyncGenerator<NoticeReadRow> {
    for (let after: string | undefined; ; ) {
      const page = await ctx.tx(db => listNoticeReads(db, of, { size: batch, offset: 0, after }))
      yield* page
      if (page.length < batch) return
      after = page.at(-1)?.id
    }
  }
  return planSheet(ctx, {
    label: { zh: '公告阅读情况', en: 'Who has read a notice' },
    action: 'notice-read.exported',
    entity: 'notice',
    filter: input,
    total,
    columns: [
      { name: 'title', label: { zh: '公告', en: 'Notice' }, value: row => row.title, field: markOf(nounOf(notice), 'title') },
      { name: 'textVersion', label: { zh: '内容版本', en: 'Version of the text' }, value: row => String(row.textVersion) },
      ...personColumns<NoticeReadRow>(),
    ],
    rows: rows(),
  })
}

export const notifySearch = ({
  notifyId,
  needSure,
  ...of
}: Pick<InputOf<typeof newsCalls.exportNotifyReads>, keyof InputOf<typeof newsCalls.exportNotifyReads>>): NotifyReadSearch => ({
  ...of,
  ids: notifyId === undefined ? undefined : [notifyId],
  needSure: needSure === undefined ? undefined : needSure === 1,
})

/** Who has read their messages, or has not. */
export const planNotifyReads = async (ctx: Ctx, input: InputOf<typeof newsCalls.exportNotifyReads>): Promise<ExportPlan> => {
  const of = { ...notifySearch(input), people: listedUserScope(ctx.session) }
  const total = await ctx.tx(db => countNotifyReads(db, of))
  async function* rows(): AsyncGenerator<NotifyReadRow> {
    for (let before: string | undefined; ; ) {
      const page = await ctx.tx(db => listNotifyReads(db, of, { size: batch, offset: 0, before }))
      yield* page
      if (page.length < batch) return
      before = page.at(-1)?.id
    }
  }
  return planSheet(ctx, {
    label: { zh: '消息阅读情况', en: 'Who has read messages' },
    action: 'notify-read.exported',
    entity: 'notify',
    filter: input,
    total,
    columns: [
      { name: 'title', label: { zh: '消息', en: 'Message' }, value: row => ctx.say({ zh: row.titleZh, en: row.titleEn }) },
      { name: 'createTime', label: { zh: '发送时间', en: 'Sent at' }, value: row => toWireTime(row.createdAt) },
      ...personColumns<NotifyReadRow>(),
    ],
    rows: rows(),
  })
}
