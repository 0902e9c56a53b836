import { fromWireTime } from '#contract/kernel/when.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type RawBuilder, sql } from '#kernel/db/sql.ts'
import { relativeInfoWhen } from '../../seed/base/library.ts'

/** Whoever can run statements as the system of one tenant: `TestTenant`, or a scope of one's own. */
export interface TenantRunner {
  db<T>(work: (db: TenantDb) => Promise<T>): Promise<T>
}

export interface PostSpec {
  readonly code: string
  readonly codeName: string
  readonly unit: string
  readonly unitName: string
  readonly type: string
  readonly typeName: string
  readonly planNum: number
  readonly bornFrom?: string
  readonly sex?: 0 | 1 | 2
  readonly educations?: { readonly min: string } | null
  readonly maxSign?: number
  readonly feeFen?: number
  readonly itemCodes?: readonly string[]
}
export interface PaperSpec {
  readonly itemCode: string
  readonly itemName: string
  readonly itemType?: 1 | 2 | 3 | 4
  /** Wire time. */
  readonly startTime: string
  readonly endTime: string
  readonly fullScore?: string
  readonly rooms?: readonly object[]
  readonly seatGroup?: string
  readonly feeFen?: number
}
export interface ExamOverrides {
  /** Columns of `examination` in snake case; times as wire text. */
  readonly exam?: Readonly<Record<string, unknown>>
  readonly posts?: readonly PostSpec[]
  readonly papers?: readonly PaperSpec[]
  /** Keys of the library with 1 for required. */
  readonly items?: Readonly<Record<string, 0 | 1>>
  readonly files?: Readonly<Record<string, 0 | 1>>
}
export interface BuiltExam {
  readonly examId: string
  readonly examCode: string
  /** Post code → id of the post. */
  readonly posts: Readonly<Record<string, string>>
  /** Paper code → id of the paper. */
  readonly papers: Readonly<Record<string, string>>
  readonly signItems: Readonly<Record<string, string>>
  readonly signFiles: Readonly<Record<string, string>>
}

/** The examination of domain 11, its windows as written there. */
export const exampleExam = {
  exam_name: '2026年区卫生健康系统事业单位公开招聘',
  exam_code: 'HZ2026A',
  exam_no: 3,
  year: 2026,
  exam_type: 1,
  state: 'released',
  organizer: '区卫生健康局',
  contact_phone: '0571-88880000',
  description: '<p>招聘公告</p>',
  promise: '本人承诺所填信息真实、准确、完整。',
  sign_begin: '2026-03-16 09:00:00',
  sign_end: '2026-03-20 17:00:00',
  modify_end: '2026-03-21 12:00:00',
  examine_begin: '2026-03-16 09:00:00',
  examine_end: '2026-03-21 17:00:00',
  appeal_end: '2026-03-21 17:00:00',
  pay_begin: '2026-03-16 09:00:00',
  pay_end: '2026-03-22 17:00:00',
  ticket_begin: '2026-03-24 09:00:00',
  ticket_end: '2026-03-28 09:00:00',
  fee_mode: 1,
  fee_fen: 10_000,
  pay_when: 1,
  allow_second: true,
  allow_change_post: true,
  examine_levels: 2,
  open_ratio: 3,
  ratio_basis: 2,
} as const

export const examplePosts: readonly PostSpec[] = [
  {
    code: 'A001',
    codeName: '内科医师',
    unit: 'H01',
    unitName: '区人民医院',
    type: 'A',
    typeName: '医疗',
    planNum: 2,
    bornFrom: '1990-03-16',
    educations: { min: '20' },
  },
  { code: 'B001', codeName: '护士', unit: 'H01', unitName: '区人民医院', type: 'B', typeName: '护理', planNum: 4 },
  { code: 'A002', codeName: '全科医师', unit: 'H02', unitName: '社区卫生服务中心', type: 'A', typeName: '医疗', planNum: 1 },
]

const examplePapers: readonly PaperSpec[] = [
  { itemCode: '01', itemName: '综合基础知识', startTime: '2026-03-28 09:00:00', endTime: '2026-03-28 10:30:00' },
]

const exampleItems: Readonly<Record<string, 0 | 1>> = {
  name: 1,
  idCardType: 1,
  idCard: 1,
  sex: 1,
  birthday: 1,
  nation: 1,
  political: 1,
  phone: 1,
  education: 1,
  degree: 1,
  educationType: 0,
  school: 1,
  schoolCode: 0,
  major: 1,
  majorCode: 0,
  graduateDate: 1,
  certName: 0,
  certNo: 0,
  adjust: 0,
  hasRelative: 1,
  relativeInfo: 1,
  resume: 0,
}
const exampleFiles: Readonly<Record<string, 0 | 1>> = { photo: 1, idFront: 1, idBack: 1, diploma: 1 }

const groupOf = (key: string): string =>
  /^(education|degree|school|major|graduate|diploma)/.test(key)
    ? '学历信息'
    : /^(cert|adjust|hasRelative|relative|resume)/.test(key)
      ? '其他信息'
      : '基本信息'

const insert = async (db: TenantDb, table: string, row: Readonly<Record<string, unknown>>): Promise<string> => {
  const values = Object.values(row).map(value =>
    typeof value === 'string' && /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(value)
      ? fromWireTime(value)
      : typeof value === 'object' && value !== null && !(value instanceof Date)
        ? JSON.stringify(value)
        : value,
  )
  const { id } = await db.one(
    sql<{ id: string }>`insert into ${sql.table(table)} (tenant_id, ${sql.join(Object.keys(row).map(name => sql.ref(name)))})
      values (${db.actor.tenantId}, ${sql.join(values)}) returning id::text as id`,
  )
  return id
}

const byKey = (rows: readonly { key: string; id: string }[]): Record<string, string> =>
  Object.fromEntries(rows.map(row => [row.key, row.id]))

/** Copies library rows into an examination, as the form designer does. */
const copyLibrary = async (db: TenantDb, examId: string, wanted: Readonly<Record<string, 0 | 1>>, copy: RawBuilder<unknown>) => {
  const keys = Object.keys(wanted)
  const rows = await db.all(sql<{ key: string; id: string }>`
    with wanted as (select * from unnest(${keys}::text[], ${keys.map(key => wanted[key] ?? 0)}::int[], ${keys.map(groupOf)}::text[]) with ordinality as w(key, required, group_name, sort))
    ${copy}`)
  if (rows.length !== keys.length) throw new Error(`the library of the tenant lacks a key of ${keys.join(', ')} (exam ${examId})`)
  return byKey(rows)
}

/**
 * A released examination in the tenant's database: HZ2026A of domain 11 (fee 100 yuan per person, two review levels, posts A001,
 * B001, A002, one written paper 01), with what `overrides` changes. Needs the tenant's library (every seeded tenant has it).
 */
export const buildExam = (tenant: TenantRunner, overrides: ExamOverrides = {}): Promise<BuiltExam> =>
  tenant.db(async db => {
    const hasInterview = (overrides.papers ?? examplePapers).some(({ itemType = 1 }) => itemType !== 1)
    const weights = hasInterview ? {} : { written_weight: 100, interview_weight: 0 }
    const exam = { ...exampleExam, ...weights, release_at: db.now, ...overrides.exam }
    const examId = await insert(db, 'examination', exam)
    await db.run(sql`insert into exam_counter (tenant_id, exam_id) values (${db.actor.tenantId}, ${examId})`)
    const posts: Record<string, string> = {}
    for (const [at, post] of (overrides.posts ?? examplePosts).entries()) {
      await db.run(sql`
        insert into user_code (tenant_id, code, name, code_kind) values (${db.actor.tenantId}, ${post.unit}, ${post.unitName}, 1)
        on conflict (tenant_id, code) where not is_deleted do nothing`)
      posts[post.code] = await insert(db, 'type_code', {
        exam_id: examId,
        unit: post.unit,
        unit_name: post.unitName,
        type: post.type,
        type_name: post.typeName,
        code: post.code,
        code_name: post.codeName,
        plan_num: post.planNum,
        cur_num: post.planNum,
        born_from: post.bornFrom ?? null,
        sex: post.sex ?? 0,
        educations: post.educations ?? null,
        max_sign: post.maxSign ?? 0,
        fee_fen: post.feeFen ?? 0,
        item_codes: post.itemCodes ?? [],
        sort: at + 1,
      })
    }
    const papers: Record<string, string> = {}
    for (const [at, paper] of (overrides.papers ?? examplePapers).entries()) {
      papers[paper.itemCode] = await insert(db, 'exam_item', {
        exam_id: examId,
        item_name: paper.itemName,
        item_code: paper.itemCode,
        item_type: paper.itemType ?? 1,
        start_time: paper.startTime,
        end_time: paper.endTime,
        full_score: paper.fullScore ?? '100',
        fee_fen: paper.feeFen ?? 0,
        rooms: paper.rooms ?? [],
        seat_group: paper.seatGroup ?? null,
        sort: at + 1,
      })
    }
    const signItems = await copyLibrary(
      db,
      examId,
      overrides.items ?? exampleItems,
      sql`
      insert into sign_item (tenant_id, exam_id, items_id, item_key, item_label, item_label_en, field_type, dict_code, columns, max_rows, max_len, pattern, help, help_en, sensitive,
        required, group_name, visible_when, sort)
      select ${db.actor.tenantId}, ${examId}, i.id, i.item_key, i.item_label, i.item_label_en, i.field_type, i.dict_code, i.columns, i.max_rows, i.max_len, i.pattern, i.help, i.help_en, i.sensitive,
        w.required, w.group_name, case when i.item_key = 'relativeInfo' then ${JSON.stringify(relativeInfoWhen)}::jsonb end, w.sort
      from wanted w join item i on i.item_key = w.key and not i.is_deleted
      returning item_key as key, id::text as id`,
    )
    const signFiles = await copyLibrary(
      db,
      examId,
      overrides.files ?? exampleFiles,
      sql`
      insert into sign_file (tenant_id, exam_id, files_id, file_key, file_label, file_label_en, kind, accept, max_kb, min_kb, max_count, pixel, help, help_en, required, sort)
      select ${db.actor.tenantId}, ${examId}, f.id, f.file_key, f.file_label, f.file_label_en, f.kind, f.accept, f.max_kb, f.min_kb, f.max_count, f.pixel, f.help, f.help_en, w.required, w.sort
      from wanted w join file_kind f on f.file_key = w.key and not f.is_deleted
      returning file_key as key, id::text as id`,
    )
    return { examId, examCode: String(exam.exam_code), posts, papers, signItems, signFiles }
  })

/** A department of the tenant, at the top or below another one. @returns its id */
export const makeDept = (tenant: TenantRunner, name: string, parentId = '0'): Promise<string> =>
  tenant.db(async db => {
    const { id } = await db.one(sql<{ id: string }>`
      insert into dept (tenant_id, parent_id, ancestor_ids, dept_name, full_name, dept_category, sort)
      select ${db.actor.tenantId}, ${parentId}, coalesce((select ancestor_ids || id from dept where id = ${parentId}), '{}'), ${name}, ${name}, 1, 1
      returning id::text as id`)
    return id
  })
