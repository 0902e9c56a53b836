import { fromWireTime } from '#contract/kernel/when.ts'
import { sql } from '#kernel/db/sql.ts'
import type { TenantRunner } from './factories.ts'
import { createSerial } from './serial.ts'

/** One sign-up of a test; what is left out has a plain default. Times are wire texts. */
export interface SignupSpec {
  readonly name?: string
  readonly code: string
  readonly type: string
  readonly unit: string
  readonly examine?: string
  readonly payState?: string
  readonly firstSubmitTime?: string
  readonly examineTime?: string
  /** An account that exists; otherwise one is made. */
  readonly userId?: string
  readonly content?: Readonly<Record<string, unknown>>
}
export interface SignupRef {
  readonly id: string
  readonly userId: string
  readonly name: string
}

const nextSerial = createSerial()

/** Writes sign-ups in bulk, past the rules of signing up: for tests of what comes after them. */
export const insertSignups = async (tenant: TenantRunner, examId: string, specs: readonly SignupSpec[]): Promise<SignupRef[]> => {
  const made: SignupRef[] = []
  // One statement for ten thousand would be longer than the server lets a statement be.
  for (let from = 0; from < specs.length; from += portion)
    made.push(...(await insertPortion(tenant, examId, specs.slice(from, from + portion))))
  return made
}
const portion = 2_000

const insertPortion = (tenant: TenantRunner, examId: string, specs: readonly SignupSpec[]): Promise<SignupRef[]> =>
  tenant.db(async db => {
    const rows = specs
      .map(spec => ({ spec, serial: nextSerial() }))
      .map(({ spec, serial }) => ({
        name: spec.name ?? '王测',
        user_id: spec.userId ?? null,
        account: `bulk${serial}`,
        candidate_no: `K9${String(serial).padStart(9, '0')}`,
        code: spec.code,
        type: spec.type,
        unit: spec.unit,
        examine: spec.examine ?? 'passed',
        pay_state: spec.payState ?? 'none',
        sign_no: spec.examine === 'draft' ? null : `20260399${String(serial).padStart(8, '0')}`,
        first_submit_time: spec.examine === 'draft' ? null : fromWireTime(spec.firstSubmitTime ?? '2026-03-17 10:00:00'),
        examine_time: spec.examineTime === undefined ? null : fromWireTime(spec.examineTime),
        content: spec.content ?? {},
      }))
    return db.all(sql<SignupRef>`
      with given as materialized (
        select g.*, coalesce(g.user_id, next_id()) as owner, next_id() as id
        from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as g(name text, user_id bigint, account text, candidate_no text, code text, type text,
          unit text, examine text, pay_state text, sign_no text, first_submit_time timestamptz, examine_time timestamptz, content jsonb)),
      people as (
        insert into account (tenant_id, id, account, account_key, user_type, nick_name, real_name, user_code)
        select ${db.actor.tenantId}, owner, account, account, 2, name, name, candidate_no from given where user_id is null),
      signups as (
        insert into signup (tenant_id, id, exam_id, user_id, code, type, unit, examine, pay_state, name, sign_no, sign_version, submit_time,
          first_submit_time, examine_time, id_card_mask, phone_mask, sex, content)
        select ${db.actor.tenantId}, id, ${examId}, owner, code, type, unit, examine, pay_state, name, sign_no, 1, first_submit_time,
          first_submit_time, examine_time, '3301**********1023', '138****0001', 2, content from given)
      select id::text as id, owner::text as "userId", name from given order by sign_no nulls last, id`)
  })

const ticketNoOf = (index: number): string => `2603${String(index + 1).padStart(8, '0')}`

/** Released tickets of one paper, thirty seats a room; the number of person `i` is `ticketNoOf(offset + i)`. */
export const insertTickets = (
  tenant: TenantRunner,
  examId: string,
  itemId: string,
  signups: readonly SignupRef[],
  offset = 0,
): Promise<string[]> =>
  tenant.db(async db => {
    const numbers = signups.map((_, i) => ticketNoOf(offset + i))
    await db.run(sql`
      insert into ticket (tenant_id, exam_id, item_id, signup_id, user_id, ticket_no, site_code, site_name, room_no, seat_no, start_time, end_time, ticket_state, qr_token)
      select ${db.actor.tenantId}, ${examId}, ${itemId}, g.s, g.u, g.n, '01', '考点', lpad(((g.i - 1) / 30 + 1)::text, 3, '0'),
        lpad(((g.i - 1) % 30 + 1)::text, 2, '0'), t.start_time, t.end_time, 'released', lpad(g.n, 43, 'q')
      from unnest(${signups.map(s => s.id)}::bigint[], ${signups.map(s => s.userId)}::bigint[], ${numbers}::text[]) with ordinality as g(s, u, n, i)
      cross join (select start_time, end_time from exam_item where id = ${itemId}) t`)
    return numbers
  })
