import type { TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'
import { type PostInput, readPostSheet } from '#modules/exam/domain/post-sheet.ts'
import type { RoomSpec } from '#modules/exam/index.ts'
import { relativeInfoWhen } from '../base/library.ts'
import type { Dictionaries } from './people.ts'
import type { Row, RowBook } from './rows.ts'
import type { DemoSources } from './sources.ts'

/** Form fields of the demo's examinations in the order of the form, 1 for required ones. */
const formItems: Readonly<Record<string, readonly (readonly [key: string, required: 0 | 1])[]>> = {
  基本信息: [
    ['name', 1],
    ['idCardType', 1],
    ['idCard', 1],
    ['sex', 1],
    ['birthday', 1],
    ['nation', 1],
    ['political', 1],
    ['phone', 1],
    ['hukouAddress', 0],
    ['address', 0],
  ],
  学历信息: [
    ['education', 1],
    ['degree', 1],
    ['educationType', 1],
    ['school', 1],
    ['schoolCode', 0],
    ['major', 1],
    ['majorCode', 0],
    ['graduateDate', 1],
    ['fresh', 0],
  ],
  其他信息: [
    ['certName', 0],
    ['title', 0],
    ['workUnit', 0],
    ['firstWorkDate', 0],
    ['resume', 0],
    ['adjust', 0],
    ['hasRelative', 1],
    ['relativeInfo', 1],
  ],
}
const formFiles: readonly (readonly [key: string, required: 0 | 1])[] = [
  ['photo', 1],
  ['idFront', 1],
  ['idBack', 1],
  ['diploma', 1],
  ['degreeCert', 0],
  ['licence', 0],
  ['agreeLetter', 0],
]
/** The employer's consent is asked from people who name an employer. */
const fileVisibleWhen: Readonly<Record<string, object>> = { agreeLetter: { key: 'workUnit', op: 'notEmpty', value: '' } }

/** The posts of `posts.csv`, read as an uploaded table is. */
export const readPosts = (sources: DemoSources, dictionaries: ReadonlyMap<string, ReadonlyMap<string, string>>): readonly PostInput[] => {
  const labels = (code: string) => dictionaries.get(code) ?? new Map<string, string>()
  const sheet = readPostSheet(sources.postSheet.header, sources.postSheet.rows, {
    units: new Map(sources.units.map(unit => [unit['单位代码'] ?? '', unit['单位名称'] ?? ''])),
    types: new Map([...labels('post_type')].map(([label, key]) => [key, label])),
    posts: new Set(),
    itemCodes: new Set(sources.papers.map(paper => paper['科目代码'] ?? '')),
    majors: sources.majorsByCode,
    political: labels('political'),
    certs: new Set(labels('cert').values()),
    chargesByPost: true,
  })
  const [problem] = [...sheet.fileErrors, ...sheet.errors]
  if (problem) throw new Error(`the demo's post table has an error: ${JSON.stringify(problem)}`)
  return sheet.rows.map(({ value }) => value)
}

/** Rows × columns of 30 seats, two of them kept free, at the demo's two sites. */
const room = (site: 1 | 2, number: number): RoomSpec => ({
  siteCode: `0${site}`,
  siteName: site === 1 ? '区第一中学' : '区卫生学校',
  siteAddress: site === 1 ? '人民路 100 号' : '文昌路 66 号',
  roomNo: String(number).padStart(3, '0'),
  roomName: `${site === 1 ? '博学楼' : '厚德楼'} ${Math.ceil(number / 4)}0${((number - 1) % 4) + 1} 教室`,
  floor: Math.ceil(number / 4),
  rows: 6,
  cols: 5,
  layout: 'S',
  disabled: [],
  accessible: number === 1,
  spare: 2,
})
export const roomsOf = (count: number): RoomSpec[] =>
  Array.from({ length: count }, (_, i) => (i < Math.ceil(count / 2) ? room(1, i + 1) : room(2, i + 1 - Math.ceil(count / 2))))

const sites = [
  { code: '01', name: '区第一中学', address: '人民路 100 号' },
  { code: '02', name: '区卫生学校', address: '文昌路 66 号' },
] as const

export interface PaperWish {
  readonly code: string
  readonly startTime: Date
  readonly minutes: number
  readonly rooms: readonly RoomSpec[]
  readonly weight?: number
  readonly seatGroup?: string
  /** More columns of `exam_item`, which may depend on the id. */
  readonly more?: (id: string) => Row
}

/** Adds an examination with its papers and posts. */
export const addExam = (
  book: RowBook,
  nextId: () => string,
  sources: DemoSources,
  wish: {
    readonly exam: Row
    readonly papers: readonly PaperWish[]
    readonly posts: readonly PostInput[]
    readonly created: { readonly by: string; readonly at: Date }
  },
): { readonly examId: string; readonly paperIds: ReadonlyMap<string, string>; readonly postIds: ReadonlyMap<string, string> } => {
  const { posts, papers } = wish
  const stamp = { created_by: wish.created.by, created_at: wish.created.at, updated_by: wish.created.by, updated_at: wish.created.at }
  const examId = nextId()
  book.add('examination', { id: examId, ...wish.exam, ...stamp })
  const paperIds = new Map(
    papers.map((paper, index) => {
      const source = sources.papers.find(one => one['科目代码'] === paper.code)
      const id = nextId()
      const itemType = Number((source?.['科目类型'] ?? '1').charAt(0))
      book.add('exam_item', {
        id,
        exam_id: examId,
        item_name: source?.['科目名称'] ?? paper.code,
        item_code: paper.code,
        item_type: itemType,
        start_time: paper.startTime,
        end_time: new Date(paper.startTime.getTime() + paper.minutes * 60_000),
        report_time: new Date(paper.startTime.getTime() - 30 * 60_000),
        late_minutes: itemType === 1 ? 15 : 0,
        full_score: source?.['满分'] ?? '100',
        weight: paper.weight ?? 100,
        type_codes: [],
        seat_group: paper.seatGroup ?? null,
        rooms: paper.rooms,
        rules: itemType === 1 ? '考试开始 15 分钟后不得入场，开考 30 分钟后方可交卷离场。' : '按抽签顺序进入面试室。',
        tools: itemType === 1 ? '黑色签字笔、2B 铅笔、橡皮' : null,
        sort: index + 1,
        ...paper.more?.(id),
        ...stamp,
      })
      return [paper.code, id] as const
    }),
  )
  const postIds = new Map(posts.map(post => [post.code, nextId()]))
  return { examId, paperIds, postIds }
}

/** Adds the posts, when it is known how many live sign-ups each has. */
export const addPosts = (
  book: RowBook,
  of: { readonly examId: string; readonly postIds: ReadonlyMap<string, string>; readonly by: string; readonly at: Date },
  posts: readonly PostInput[],
  usedSign: ReadonlyMap<string, number>,
): void => {
  for (const post of posts)
    book.add('type_code', {
      id: of.postIds.get(post.code),
      exam_id: of.examId,
      unit: post.unit,
      unit_name: post.unitName,
      type: post.type,
      type_name: post.typeName,
      code: post.code,
      code_name: post.codeName,
      competent_dept: post.competentDept || null,
      post_level: post.postLevel || null,
      plan_num: post.planNum,
      cur_num: post.planNum,
      open_ratio: post.openRatio,
      max_sign: post.maxSign,
      used_sign: usedSign.get(post.code) ?? 0,
      born_from: post.bornFrom,
      born_to: post.bornTo,
      age_text: post.ageText || null,
      sex: post.sex,
      educations: post.educations,
      degrees: post.degrees,
      majors: post.majors,
      major_text: post.majorText || null,
      fresh: post.fresh,
      political: post.political,
      hukou: post.hukou,
      cert: post.cert,
      title: post.title,
      min_work_years: post.minWorkYears,
      other_text: post.otherText || null,
      item_codes: post.itemCodes,
      fee_fen: post.feeFen ?? 0,
      phone: post.phone || null,
      sort: post.sort,
      remark: post.remark || null,
      created_by: of.by,
      created_at: of.at,
      updated_by: of.by,
      updated_at: of.at,
    })
}

const groupsInEnglish: Readonly<Record<string, string>> = { 基本信息: 'About you', 学历信息: 'Education', 其他信息: 'Other details' }

/** Copies the fields and files of the demo's form from the tenant's library into an examination, as the form designer does. */
export const copyForm = async (db: TenantDb, examId: string): Promise<void> => {
  const items = Object.entries(formItems).flatMap(([group, list]) => list.map(([key, required]) => ({ group, key, required })))
  const copied = await db.run(sql`
    insert into sign_item (tenant_id, exam_id, items_id, item_key, item_label, item_label_en, field_type, dict_code, columns, max_rows, max_len, pattern, min_value, max_value,
      placeholder, help, help_en, sensitive, required, group_name, group_name_en, visible_when, use_in_ticket, sort)
    select ${db.actor.tenantId}, ${examId}, i.id, i.item_key, i.item_label, i.item_label_en, i.field_type, i.dict_code, i.columns, i.max_rows, i.max_len, i.pattern, i.min_value,
      i.max_value, i.placeholder, i.help, i.help_en, i.sensitive, w.required, w.group_name, w.group_name_en,
      case when i.item_key = 'relativeInfo' then ${JSON.stringify(relativeInfoWhen)}::jsonb end, case when i.item_key = 'education' then 1 else 0 end, w.sort
    from unnest(${items.map(item => item.key)}::text[], ${items.map(item => item.required)}::int[], ${items.map(item => item.group)}::text[],
      ${items.map(item => groupsInEnglish[item.group] ?? null)}::text[]) with ordinality as w(key, required, group_name, group_name_en, sort)
    join item i on i.item_key = w.key and not i.is_deleted`)
  if (copied !== items.length) throw new Error(`the library has ${copied} of the ${items.length} fields of the demo's form`)
  const files = await db.run(sql`
    insert into sign_file (tenant_id, exam_id, files_id, file_key, file_label, file_label_en, kind, accept, max_kb, min_kb, max_count, pixel, help, help_en, required, visible_when, sort)
    select ${db.actor.tenantId}, ${examId}, f.id, f.file_key, f.file_label, f.file_label_en, f.kind, f.accept, f.max_kb, f.min_kb, f.max_count, f.pixel, f.help, f.help_en, w.required,
      ${JSON.stringify(fileVisibleWhen)}::jsonb -> f.file_key, w.sort
    from unnest(${formFiles.map(([key]) => key)}::text[], ${formFiles.map(([, required]) => required)}::int[]) with ordinality as w(key, required, sort)
    join file_kind f on f.file_key = w.key and not f.is_deleted`)
  if (files !== formFiles.length) throw new Error(`the library has ${files} of the ${formFiles.length} files of the demo's form`)
}

/** The tenant's business dictionaries: label → key by code, and both ways for the people of the demo. */
export const readDictionaries = async (
  db: TenantDb,
): Promise<{ readonly byLabel: ReadonlyMap<string, ReadonlyMap<string, string>>; readonly dictionaries: Dictionaries }> => {
  const rows = await db.all(sql<{ code: string; key: string; zh: string; en: string }>`
    select code, dict_key as key, dict_value as zh, case when dict_value_en = '' then dict_value else dict_value_en end as en
    from dict_biz where dict_key <> '-1' and not is_deleted order by code, sort, id`)
  const byLabel = new Map<string, Map<string, string>>()
  const labels = new Map<string, { zh: string; en: string }>()
  for (const { code, key, zh, en } of rows) {
    byLabel.set(code, (byLabel.get(code) ?? new Map<string, string>()).set(zh, key))
    labels.set(`${code}|${key}`, { zh, en })
  }
  return {
    byLabel,
    dictionaries: { key: (code, label) => byLabel.get(code)?.get(label), label: (code, key) => labels.get(`${code}|${key}`) },
  }
}

/** Units, and the codes that narrow the people of a site and of a school. */
export const addCodes = (book: RowBook, nextId: () => string, sources: DemoSources, posts: readonly PostInput[], at: Date): void => {
  const stamp = { created_at: at, updated_at: at }
  const used = new Set(posts.map(post => post.unit))
  const units = sources.units.filter(unit => used.has(unit['单位代码'] ?? ''))
  for (const [index, unit] of units.entries())
    book.add('user_code', {
      id: nextId(),
      code: unit['单位代码'],
      name: unit['单位名称'],
      code_kind: 1,
      phone: unit['咨询电话'],
      sort: index + 1,
      ...stamp,
    })
  for (const [index, site] of sites.entries())
    book.add('user_code', {
      id: nextId(),
      code: site.code,
      name: site.name,
      code_kind: 2,
      address: site.address,
      sort: 100 + index,
      ...stamp,
    })
  const school = sources.schools.find(one => one['院校标识码'] === '4133010343')
  if (school) book.add('user_code', { id: nextId(), code: '4133010343', name: school['院校名称'], code_kind: 3, sort: 200, ...stamp })
}
