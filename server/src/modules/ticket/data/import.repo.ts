import type { TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'
import { eligibleCondition } from './eligible.repo.ts'

/** Who carries numbers already, in any examination of the tenant; made tickets of these people and papers are about to be replaced. */
export const carriersOf = async (
  db: TenantDb,
  numbers: readonly string[],
): Promise<ReadonlyMap<string, { readonly signupId: string; readonly type: number }>> =>
  new Map(
    (
      await db.all(sql<{ ticketNo: string; signupId: string; type: number }>`
        select distinct on (ticket_no) ticket_no as "ticketNo", signup_id::text as "signupId", type from ticket
        where ticket_no = any(${[...numbers]}::text[]) and not (is_deleted and released_at is null) order by ticket_no, id desc`)
    ).map(({ ticketNo, ...carrier }) => [ticketNo, carrier]),
  )

/** Takes made seats of these people back: a plan that comes anew replaces them. @returns how many people had one */
export const replaceMade = async (db: TenantDb, itemIds: readonly string[], signupIds: readonly string[]): Promise<number> => {
  const rows = await db.all(sql<{ signupId: string }>`
    update ticket set is_deleted = true, updated_at = app_now(), updated_by = ${db.actor.userId}, version = version + 1
    where item_id = any(${[...itemIds]}::bigint[]) and signup_id = any(${[...signupIds]}::bigint[]) and ticket_state = 'made' and not is_deleted
    returning signup_id::text as "signupId"`)
  return new Set(rows.map(row => row.signupId)).size
}

/** Somebody whom a template names. */
export interface TemplatePerson {
  readonly signupId: string
  readonly name: string
  readonly idCard: Buffer | null
  readonly idCardMask: string
  readonly code: string
  readonly itemIds: readonly string[]
}
/** People who may sit one of the papers, by post and number; of an interview those who passed the re-review. */
export const listTemplatePeople = (
  db: TenantDb,
  examId: string,
  itemIds: readonly string[],
  isInterview: boolean,
): Promise<TemplatePerson[]> =>
  db.all(sql<TemplatePerson>`
    select s.id::text as "signupId", coalesce(s.name, '') as name, s.id_card_sealed as "idCard", coalesce(s.id_card_mask, '') as "idCardMask",
      coalesce(s.code, '') as code, array_agg(i.id::text order by i.id) as "itemIds"
    from signup s
    left join type_code p on p.exam_id = s.exam_id and p.code = s.code and not p.is_deleted
    join exam_item i on i.exam_id = s.exam_id and i.id = any(${[...itemIds]}::bigint[]) and not i.is_deleted
    where s.exam_id = ${examId} and ${eligibleCondition} and sits_paper(i.type_codes, i.item_code, p.item_codes, s.code)
      ${isInterview ? sql`and s.review_state = 2` : sql``}
    group by s.tenant_id, s.id order by s.code, s.sign_no`)

/** Interview groups of a paper with the number that each has in its seats. */
export const groupsOf = (db: TenantDb, itemId: string): Promise<{ readonly groupNo: string; readonly roomNo: string }[]> =>
  db.all(sql<{ readonly groupNo: string; readonly roomNo: string }>`
    select distinct group_no as "groupNo", room_no as "roomNo" from ticket
    where item_id = ${itemId} and group_no is not null and ticket_state <> 'void' and not is_deleted`)

/** Somebody whose number is known but for its middle. */
export interface MaskedPerson {
  readonly signupId: string
  readonly mask: string
  readonly name: string
  readonly code: string
}
/** Sign-ups by what is shown of their numbers; of one person the one that holds. */
export const listMasked = (db: TenantDb, examId: string, masks: readonly string[]): Promise<MaskedPerson[]> =>
  db.all(sql<MaskedPerson>`
    select distinct on (s.id_card_index) s.id::text as "signupId", s.id_card_mask as mask, coalesce(s.name, '') as name, coalesce(s.code, '') as code
    from signup s
    where s.exam_id = ${examId} and s.id_card_mask = any(${[...masks]}::text[]) and s.sign_no is not null and not s.is_deleted
    order by s.id_card_index, s.examine = 'passed' desc, s.submit_time desc, s.id desc`)
