import type pg from 'pg'
import { type Fact, factOf } from '#contract/kernel/fact.ts'
import type { Field } from '#contract/kernel/field.ts'
import { isOfTenants, type Resource } from '#contract/kernel/resource.ts'
import type { Route } from '#contract/kernel/route.ts'
import { plainResources, resources } from '#contract/nouns.ts'
import { allRoutes } from '#contract/registry.ts'
import { sql } from '#kernel/db/sql.ts'
import { snakeCase } from '#kernel/names.ts'
import type { Person, TestApp, TestTenant } from './app.ts'
import { buildExam } from './factories.ts'
import { answersOf, submit, uploadAll } from './signing.ts'

/** Stands in every text of the tenant whose data must not leave it. */
export const canary = '金丝雀CANARY'
export const canaryIdCard = '330106199806301023'
export const canaryTicketNo = '260301012173'
const idCard = canaryIdCard

export interface Victim {
  readonly tenant: TestTenant
  readonly candidate: Person
  /** Every id of its rows that a caller could guess, by the names parameters have. */
  readonly known: Readonly<Record<string, readonly string[]>>
}

const codesOf = (route: Route): readonly string[] =>
  'staff' in route.access ? (typeof route.access.staff === 'string' ? [route.access.staff] : route.access.staff) : []

/**
 * Gives one role of a tenant every menu and button there is, and menus made by hand under the names of the platform's rights: what is the
 * platform's must be closed by more than the absence of a name.
 */
export const everyRight = (tenant: TestTenant) =>
  tenant.db(async db => {
    const codes = [...new Set(allRoutes().flatMap(codesOf))]
    await db.run(sql`
      insert into menu (tenant_id, code, name, name_en, category) select ${tenant.tenantId}, c, c, c, 2 from unnest(${codes}::text[]) c
      where not exists (select 1 from menu where code = c)`)
    await db.run(
      sql`insert into role_menu (tenant_id, role_id, menu_id) select ${tenant.tenantId}, r.id, m.id from role r cross join menu m where r.role_alias = 'exam_admin' on conflict do nothing`,
    )
  })

const plainValue = (field: Field, text: string, ofFacts: PlantedFacts): string | number | boolean => {
  const fact = factOf(field)
  if (field.kind === 'text') return ((fact && ofFacts[fact]) ?? text).slice(0, field.max)
  if (field.kind === 'bool') return false
  if (field.kind === 'json') return '[]'
  if (field.kind === 'date' || field.kind === 'instant') return '2026-01-01'
  return field.min ?? 1
}
/** Values of facts about people, for the fields that hold one; the others get the text. */
export type PlantedFacts = { readonly [F in Fact]?: string }
/** One row of every noun that is a declaration and no more, the text in each of its texts. @returns their ids */
export const plantPlainRows = async (
  tenant: TestTenant,
  text: string,
  examId: string,
  nouns: readonly Resource[] = plainResources,
  ofFacts: PlantedFacts = {},
): Promise<string[]> => {
  const ids: string[] = []
  for (const { table, fields } of nouns)
    await tenant.db(async db => {
      const names = Object.keys(fields)
      const values = Object.values(fields).map(field => sql`${field.ref === 'examination' ? examId : plainValue(field, text, ofFacts)}`)
      const { id } = await db.one(sql<{ id: string }>`
        insert into ${sql.table(table)} (tenant_id, ${sql.join(names.map(name => sql.ref(snakeCase(name))))})
        values (${tenant.tenantId}, ${sql.join(values)}) returning id::text as id`)
      ids.push(id)
    })
  return ids
}

/** Rows of a tenant in the tables of declared nouns, the newest first, by the paths of the nouns. */
export const rowsOfNouns = (tenant: TestTenant): Promise<ReadonlyMap<string, readonly string[]>> =>
  tenant.db(async db => {
    const found = new Map<string, readonly string[]>()
    for (const { table, basePath } of resources.filter(isOfTenants)) {
      const rows = await db.all(
        sql<{ id: string }>`select id::text as id from ${sql.table(table)} where tenant_id = ${tenant.tenantId} order by id desc`,
      )
      found.set(
        basePath,
        rows.map(row => row.id),
      )
    }
    return found
  })

/** A tenant with rows of every kind, whose texts hold the canary. @param owner - connected as the owner of the tables */
export const plantVictim = async (t: TestApp, owner: pg.Client): Promise<Victim> => {
  const victim = await t.tenant()
  const exam = await buildExam(victim, {
    exam: { exam_name: `${canary}招聘`, description: canary, promise: canary, contact_phone: canary },
  })
  const candidate = await victim.candidate({ realName: canary.slice(0, 3), idCard, phone: '16000000001' })
  const content = answersOf(idCard, '16000000001', { name: '金丝雀', school: canary })
  const { body } = await submit(candidate, exam.examId, { content, fileIds: await uploadAll(candidate) })
  const signupId: string = body.data.id
  const reviewer = await victim.staff('exam_admin', { realName: canary })
  const second = await victim.staff('exam_admin', { realName: canary })
  for (const person of [reviewer, second]) {
    await person.post('/blade-signup/examine/open', { json: { signUpId: signupId } })
    await person.post('/blade-signup/examine/examine', { json: { signUpId: signupId, examineResult: 1, signVersion: 1 } })
  }
  await victim.db(async db => {
    const paper = exam.papers['01']
    await db.run(sql`
      insert into ticket (tenant_id, exam_id, item_id, signup_id, user_id, ticket_no, site_code, site_name, room_no, seat_no, start_time, end_time, ticket_state, qr_token)
      values (${victim.tenantId}, ${exam.examId}, ${paper}, ${signupId}, ${candidate.userId}, '260301012173', '01', ${canary}, '012', '17', now(), now(), 'released', ${'q'.repeat(43)})`)
    await db.run(sql`
      insert into result (tenant_id, exam_id, item_id, signup_id, user_id, ticket_no, name, score, result_state, released)
      values (${victim.tenantId}, ${exam.examId}, ${paper}, ${signupId}, ${candidate.userId}, '260301012173', ${canary}, 78.5, 1, true)`)
    await db.run(sql`
      insert into pay_order (tenant_id, order_no, pay_id, user_id, amount_fen, description, state, expire_time, mchid, appid)
      select ${victim.tenantId}, 'E26031710000003ABCDEFGHIJ', id, user_id, amount_fen, ${canary}, 'pending', now() + interval '1 hour', 'm', 'a' from exam_pay`)
    await db.run(
      sql`insert into param (tenant_id, param_name, param_key, param_value) values (${victim.tenantId}, ${canary}, ${canary}, ${canary})`,
    )
    await db.run(sql`
      insert into verified_change (tenant_id, user_id, field, old_mask, new_mask, reason, proof_file_ids)
      values (${victim.tenantId}, ${candidate.userId}, 'name', ${canary}, ${canary}, ${canary}, '[]')`)
    await db.run(
      sql`insert into import_job (tenant_id, exam_id, kind, file_id, file_name) select ${victim.tenantId}, ${exam.examId}, 'T1', id, ${canary} from stored_file limit 1`,
    )
  })
  await victim.db(async db => {
    const { id } = await db.one(sql<{ id: string }>`
      insert into notice (tenant_id, title, notice_type, content, exam_id) values (${victim.tenantId}, ${canary}, 2, ${canary}, ${exam.examId}) returning id::text as id`)
    await db.run(
      sql`insert into notice_file (tenant_id, notice_id, file_id, name, size) select ${victim.tenantId}, ${id}, id, ${canary}, 1 from stored_file limit 1`,
    )
    await db.run(sql`insert into notice_read (tenant_id, notice_id, user_id) values (${victim.tenantId}, ${id}, ${candidate.userId})`)
    await db.run(sql`insert into news (tenant_id, title, content) values (${victim.tenantId}, '新闻', '正文')`)
  })
  await victim.db(db =>
    db.run(sql`
      insert into export_job (tenant_id, kind, session, language, file_name, total, created_by)
      values (${victim.tenantId}, 'POST /blade-signup/signup/exportSignUp', '{}', 'zh', ${canary}, 1, ${reviewer.userId})`),
  )
  const ids = async (table: string, column = 'id'): Promise<string[]> =>
    (
      await owner.query<{ id: string }>(`select ${column}::text as id from ${table} where tenant_id = $1 order by 1 limit 3`, [
        victim.tenantId,
      ])
    ).rows.map(row => row.id)
  const tables = [
    'examination',
    'signup',
    'exam_pay',
    'pay_order',
    'ticket',
    'result',
    'exam_item',
    'sign_item',
    'sign_file',
    'type_code',
    'user_code',
    'item',
    'file_kind',
    'param',
    'account',
    'notify',
    'import_job',
    'export_job',
    'stored_file',
    'examine_record',
    'verified_change',
    'notice',
    'notice_file',
    'notice_read',
    'news',
  ]
  const all = (await Promise.all(tables.map(table => ids(table)))).flat()
  const known = {
    id: all,
    ids: all,
    examId: [exam.examId],
    itemId: [exam.papers['01'] ?? ''],
    itemIds: [exam.papers['01'] ?? ''],
    signUpId: [signupId],
    signupId: [signupId],
    signupIds: [signupId],
    eid: [exam.examId],
    payId: await ids('exam_pay'),
    orderNo: ['E26031710000003ABCDEFGHIJ'],
    importId: await ids('import_job'),
    ticketNo: ['260301012173'],
    fileId: await ids('stored_file'),
    noticeId: await ids('notice'),
    notifyId: await ids('notify'),
    userId: [candidate.userId],
    u: [candidate.userId],
    t: [victim.tenantId],
    tenantId: [victim.tenantId],
  }
  return { tenant: victim, candidate, known }
}
