import { fromWireTime, toWireDay } from '#contract/kernel/when.ts'
import { lastWorkingDay } from '#contract/news/periods.ts'
import { publicityNotice } from '#contract/news/publicity.ts'
import { noticeScope, noticeType } from '#contract/news/words.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'

interface NoticeSeed {
  readonly title: string
  readonly type: number
  readonly scope: number
  readonly content: string
  /** Days before the start of the demo. */
  readonly daysAgo: number
  readonly endTime?: Date | undefined
  readonly isTop?: boolean
  readonly needSure?: boolean
  readonly ofExam?: boolean
}
interface NewsSeed {
  readonly title: string
  readonly summary: string
  readonly content: string
  readonly source: string
  readonly daysAgo: number
}

const { everybody, loggedIn, signedUp, staff } = noticeScope

const announcement = (
  office: string,
): string => `<p>为加强卫生健康人才队伍建设，${office}面向社会公开招聘工作人员，现将有关事项公告如下。</p>
<h3>一、招聘原则</h3><p>坚持公开、平等、竞争、择优，按岗位条件考试、考察，择优聘用。</p>
<h3>二、时间安排</h3>
<table><thead><tr><th>环节</th><th>时间</th></tr></thead><tbody><tr><td>网上报名</td><td>以报名页显示的起止时间为准</td></tr><tr><td>资格初审</td><td>报名次日起，24 小时内</td></tr><tr><td>缴费确认</td><td>审核通过后至缴费截止</td></tr><tr><td>打印准考证</td><td>笔试前 3 天</td></tr></tbody></table>
<h3>三、报名方式</h3><p>登录本平台，选择考试和岗位，如实填写信息并上传材料。一人限报一个岗位，<strong>逾期未缴费视为自动放弃</strong>。</p>
<h3>四、注意事项</h3><ol><li>本次考试不指定辅导用书，不举办也不委托任何机构举办辅导班。</li><li>报名材料不实的，取消资格。</li></ol>`

const noticesOf = (office: string): readonly NoticeSeed[] => [
  {
    title: `${office}公开招聘工作人员公告`,
    type: noticeType.recruitment,
    scope: everybody,
    content: announcement(office),
    daysAgo: 12,
    isTop: true,
    ofExam: true,
  },
  {
    title: '证件照上传要求',
    type: noticeType.notice,
    scope: everybody,
    content:
      '<p>请上传近期正面免冠证件照：</p><ul><li>白色或蓝色背景，五官清晰；</li><li>至少 295×413 像素，不超过 500 KB，jpg 或 png 格式；</li><li>不要使用美颜、滤镜，不要翻拍纸质照片。</li></ul><p>上传时可直接裁剪，不合格的会当场提示。</p>',
    daysAgo: 10,
  },
  {
    title: '报名费减免办理说明',
    type: noticeType.policy,
    scope: everybody,
    content:
      '<p>享受最低生活保障的家庭和残疾人考生，可申请减免报名费。请在缴费截止前上传证明材料，由财务核实后办理。</p><p>咨询电话见考试详情页。</p>',
    daysAgo: 9,
  },
  {
    title: '关于缴费和打印准考证的提醒',
    type: noticeType.notice,
    scope: signedUp,
    content:
      '<p>请已报名的考生注意：</p><ol><li>审核通过后，请在缴费截止前完成缴费；<strong>已扣款请勿重复缴费</strong>，可在缴费页查询。</li><li>准考证开放打印后请核对姓名、考点、座位号。</li></ol><p>请阅读后点击确认。</p>',
    daysAgo: 2,
    needSure: true,
    ofExam: true,
  },
  {
    title: '考务人员培训安排',
    type: noticeType.notice,
    scope: staff,
    content: '<p>本周三 14:00 在三楼会议室举行考务培训，请监考和考点管理人员准时参加，并确认已阅读。</p>',
    daysAgo: 1,
    needSure: true,
  },
]

/** People of nobody: the list shows what one looks like. */
const listed = [
  ['区人民医院', 'B001', '护士', '陈晓', '250301010017', '83.50', '86.20', '84.85', '1'],
  ['区人民医院', 'B001', '护士', '林一诺', '250301010042', '81.00', '85.40', '83.20', '2'],
  ['区妇幼保健院', 'A002', '产科医师', '欧阳宁', '250301020009', '79.50', '88.00', '83.75', '1'],
] as const

const newsOf = (office: string): readonly NewsSeed[] => [
  {
    title: `${office}举办公开招聘政策宣讲会`,
    summary: '面向医学院校毕业生解读岗位条件、报名流程和待遇政策。',
    content: '<p>近日，宣讲会在区卫生健康局举行，工作人员介绍了岗位条件、报名流程和引进人才的待遇政策，并现场解答提问。</p>',
    source: office,
    daysAgo: 6,
  },
  {
    title: '网上报名平台启用手机端',
    summary: '报名、缴费、打印准考证都可以在手机上完成。',
    content: '<p>即日起，考生可在手机浏览器中完成报名、缴费、查看公告和成绩。填到一半离线也不会丢失。</p>',
    source: office,
    daysAgo: 4,
  },
]

const dayMs = 86_400_000

/** Announcements, a publicity list and news of a demo tenant, each addressed to the people there are. */
export const writeNotices = async (db: TenantDb, now: Date, of: { readonly office: string; readonly isFirst: boolean }): Promise<void> => {
  const exam = await db.maybe(sql<{ id: string }>`
    select id::text as id from examination where state = 'released' and not is_deleted order by sign_begin desc, id desc limit 1`)
  const author = await db.maybe(sql<{ id: string }>`
    select a.id::text as id from account a join account_role h on h.user_id = a.id join role r on r.id = h.role_id
    where r.role_alias = 'exam_admin' and a.user_type = 1 order by a.id limit 1`)
  const by = author?.id ?? '0'
  const at = (days: number): Date => new Date(now.getTime() + days * dayMs)
  const publicized = at(-3)
  const until = lastWorkingDay(publicized, 5, { holidays: new Set(), workdays: new Set() })
  const publicity = publicityNotice({
    examName: '上一年度公开招聘',
    list: 2,
    office: of.office,
    department: of.office,
    contactPhone: '',
    days: 5,
    from: toWireDay(publicized),
    until,
    people: listed.map(([unitName, code, codeName, name, ticketNo, written, interview, total, rank]) => ({
      ...{ unitName, code, codeName, name, ticketNo, written, interview, total, rank },
    })),
  })
  const all: readonly NoticeSeed[] = [
    ...noticesOf(of.office).filter(({ scope }) => of.isFirst || scope === everybody),
    { ...publicity, type: noticeType.publicity, scope: everybody, daysAgo: 3, endTime: fromWireTime(`${until} 24:00:00`) },
    ...(of.isFirst
      ? [
          {
            title: '平台夜间维护通知',
            type: noticeType.notice,
            scope: loggedIn,
            content: '<p>周六 22:00 至 23:00 平台维护，期间暂停服务，已保存的报名信息不受影响。</p>',
            daysAgo: 1,
          },
        ]
      : []),
  ]
  for (const seed of all) {
    const { id } = await db.one(sql<{ id: string }>`
      insert into notice (tenant_id, title, notice_type, content, exam_id, scope, is_top, need_sure, release_time, end_time, state, created_by, updated_by, created_at)
      values (${db.actor.tenantId}, ${seed.title}, ${seed.type}, ${seed.content}, ${seed.ofExam ? (exam?.id ?? null) : null}, ${exam || seed.scope !== signedUp ? seed.scope : loggedIn},
        ${seed.isTop ?? false}, ${seed.needSure ?? false}, ${at(-seed.daysAgo)}, ${seed.endTime ?? null}, 1, ${by}, ${by}, ${at(-seed.daysAgo)})
      returning id::text as id`)
    if (seed.scope !== everybody)
      await db.run(sql`
        insert into notice_read (tenant_id, notice_id, user_id)
        select ${db.actor.tenantId}, ${id}, a.id from account a
        where a.status in (1, 4) and not a.is_deleted and a.user_type = ${seed.scope === staff ? 1 : 2}
          and (${seed.scope !== signedUp} or exists (select 1 from signup s where s.exam_id = ${exam?.id ?? null} and s.user_id = a.id and s.examine not in ('draft', 'withdrawn') and not s.is_deleted))`)
  }
  for (const seed of newsOf(of.office))
    await db.run(sql`
      insert into news (tenant_id, title, summary, content, source, release_time, state, created_by, updated_by, created_at)
      values (${db.actor.tenantId}, ${seed.title}, ${seed.summary}, ${seed.content}, ${seed.source}, ${at(-seed.daysAgo)}, 1, ${by}, ${by}, ${at(-seed.daysAgo)})`)
}
