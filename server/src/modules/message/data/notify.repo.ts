import type { Label, Language } from '#contract/kernel/label.ts'
import type { SceneKey } from '#contract/message/scenes.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { allOf, type RawBuilder, sql } from '#kernel/db/sql.ts'

/** A personal notice. */
export interface NotifyRow {
  readonly id: string
  readonly examId: string | null
  readonly kind: number
  readonly titleZh: string
  readonly titleEn: string
  readonly contentZh: string
  readonly contentEn: string
  readonly link: string
  readonly needSure: boolean
  readonly sureAt: Date | null
  readonly readAt: Date | null
  readonly createdAt: Date
}

/** What a tenant's words may name; a label is said in the language of the text. */
type Params = Readonly<Record<string, string | Label>>

export interface Notice {
  readonly userId: string
  readonly examId: string | null
  /** 1 examine result, 2 pay, 3 ticket, 4 score, 5 post change, 6 re-review, 7 system. */
  readonly kind: 1 | 2 | 3 | 4 | 5 | 6 | 7
  readonly title: { readonly zh: string; readonly en: string }
  readonly content: { readonly zh: string; readonly en: string }
  /** The event of which it tells, where a tenant may have words of its own for it (send_template), and what they may name. */
  readonly words?: { readonly scene: SceneKey; readonly params: Params }
  readonly link: string
  readonly needSure?: boolean
  /** Names the event: a second notice with the same key is not written. */
  readonly eventKey: string
}

/**
 * A template's text with its variables replaced, as `fillWording` does it: by the database, so that a notice stays one statement. One variable is
 * replaced after another, so what somebody typed must not look like the next one.
 */
const filled = (text: RawBuilder<unknown>, params: Params, language: Language): RawBuilder<unknown> =>
  Object.entries(params).reduce((inner, [name, value]) => {
    const said = typeof value === 'string' ? value : value[language]
    return sql`replace(${inner}, ${`\${${name}}`}, ${said.replaceAll('${', '$ {')})`
  }, text)

/**
 * The four texts of a notice and the table they come from: the product's own, or the tenant's where its template of the event is in use and has a title
 * for messages in the application. Without English words of its own a tenant shows its Chinese ones, as the form of templates says.
 */
const wordsOf = ({ title, content, words }: Pick<Notice, 'title' | 'content' | 'words'>) => {
  if (words === undefined) return { texts: sql`${title.zh}, ${title.en}, ${content.zh}, ${content.en}`, from: sql`(select 1) own` }
  // What a variable holds can be as long as a remark: the end of a text that has no room is lost, the notice is not.
  const own = (chinese: RawBuilder<unknown>, english: RawBuilder<unknown>, product: Notice['title'], most: readonly [number, number]) =>
    sql`coalesce(left(${filled(chinese, words.params, 'zh')}, ${most[0]}), ${product.zh}), coalesce(left(${filled(english, words.params, 'en')}, ${most[1]}), ${product.en})`
  return {
    texts: sql.join([
      own(sql`t.title`, sql`coalesce(nullif(t.title_en, ''), t.title)`, title, [120, 200]),
      own(sql`t.content`, sql`coalesce(nullif(t.content_en, ''), t.content)`, content, [500, 800]),
    ]),
    from: sql`(select 1) own left join send_template t on t.scene = ${words.scene} and t.title <> '' and t.status = 1 and not t.is_deleted`,
  }
}

/** Writes a personal notice. @returns false when the event was noticed already */
export const insertNotice = async (db: TenantDb, { userId, ...notice }: Notice): Promise<boolean> =>
  (await insertNotices(db, [userId], notice)) === 1

/** The same to many people. @returns how many had not been told of the event */
export const insertNotices = (db: TenantDb, userIds: readonly string[], { eventKey, ...notice }: Omit<Notice, 'userId'>): Promise<number> =>
  insertNoticesOfEach(
    db,
    userIds.map(userId => ({ userId, eventKey })),
    notice,
  )

/** The same where each of them has an event of their own. */
export const insertNoticesOfEach = (
  db: TenantDb,
  to: readonly Pick<Notice, 'userId' | 'eventKey'>[],
  notice: Omit<Notice, 'userId' | 'eventKey'>,
): Promise<number> => {
  const { texts, from } = wordsOf(notice)
  return db.run(sql`
    insert into notify (tenant_id, user_id, exam_id, kind, title_zh, title_en, content_zh, content_en, link, need_sure, event_key)
    select ${db.actor.tenantId}, u, ${notice.examId}, ${notice.kind}, ${texts}, ${notice.link}, ${notice.needSure ?? false}, k
    from ${from} cross join unnest(${to.map(one => one.userId)}::bigint[], ${to.map(one => one.eventKey)}::text[]) as g(u, k)
    on conflict (tenant_id, user_id, event_key) do nothing`)
}

/** The same where nobody asks whether the event was noticed already: it goes with the statement behind it. */
export const sendNotice = (db: TenantDb, notice: Notice): void => db.leave(insertNotice(db, notice))

export const notifyTabs = ['mail', 'messages'] as const
export type NotifyTab = (typeof notifyTabs)[number]
/** Which tab of the popover a notice stands in. */
const tabOf = sql`case when kind = 7 then 'mail' else 'messages' end`
const notifyColumns = sql`
  id::text as id, exam_id::text as "examId", kind, title_zh as "titleZh", title_en as "titleEn", content_zh as "contentZh", content_en as "contentEn", link,
  need_sure as "needSure", sure_at as "sureAt", read_at as "readAt", created_at as "createdAt"`

/** Notices that the actor has not read. */
export const countUnread = async (db: TenantDb): Promise<number> =>
  (await db.one(sql<{ n: number }>`select count(*)::int as n from notify where user_id = ${db.actor.userId} and read_at is null`)).n

/** The actor's notices: what waits to be confirmed first, then the newest. */
export const pageNotices = async (
  db: TenantDb,
  of: { readonly kind?: number | undefined; readonly isUnread: boolean },
  size: number,
  offset: number,
): Promise<{ rows: NotifyRow[]; total: number }> => {
  const where = allOf([
    sql`user_id = ${db.actor.userId}`,
    of.kind !== undefined && sql`kind = ${of.kind}`,
    of.isUnread && sql`read_at is null`,
  ])
  const rows = await db.all(sql<NotifyRow>`
    select ${notifyColumns} from notify where ${where} order by (need_sure and sure_at is null) desc, id desc limit ${size} offset ${offset}`)
  const { total } = await db.one(sql<{ total: number }>`select count(*)::int as total from notify where ${where}`)
  return { rows, total }
}

/** The first notices of each tab, in the same order, each with the numbers of its tab. */
export const listLatest = (db: TenantDb, perTab: number): Promise<(NotifyRow & { tab: NotifyTab; total: number; unread: number })[]> =>
  db.all(sql<NotifyRow & { tab: NotifyTab; total: number; unread: number }>`
    select * from (
      select ${notifyColumns}, ${tabOf} as tab, count(*) over (partition by ${tabOf})::int as total,
        count(*) filter (where read_at is null) over (partition by ${tabOf})::int as unread,
        row_number() over (partition by ${tabOf} order by (need_sure and sure_at is null) desc, id desc) as place
      from notify where user_id = ${db.actor.userId}) n
    where place <= ${perTab} order by place`)

/** Marks the actor's unread notices as read: those named, or all, of one tab where one is given. */
export const markRead = async (db: TenantDb, ids: readonly string[] | undefined, tab: NotifyTab | undefined): Promise<void> => {
  await db.run(sql`
    update notify set read_at = app_now()
    where ${allOf([
      sql`user_id = ${db.actor.userId}`,
      sql`read_at is null`,
      ids && sql`id = any(${[...ids]}::bigint[])`,
      tab !== undefined && sql`${tabOf} = ${tab}`,
    ])}`)
}

/** @returns when the actor confirmed the notice, now or before; undefined where there is none of theirs to confirm */
export const confirmNotice = async (db: TenantDb, id: string): Promise<Date | undefined> => {
  const row = await db.maybe(sql<{ sureAt: Date }>`
    update notify set sure_at = coalesce(sure_at, app_now()), read_at = coalesce(read_at, app_now()) where id = ${id} and user_id = ${db.actor.userId} and need_sure
    returning sure_at as "sureAt"`)
  return row?.sureAt
}
