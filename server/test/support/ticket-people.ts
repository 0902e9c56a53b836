import { readFileSync } from 'node:fs'
import type { FieldCipher } from '#kernel/crypto/field.ts'
import { type RawBuilder, sql } from '#kernel/db/sql.ts'
import type { FileModule } from '#modules/file/index.ts'
import type { Person, TestApp, TestTenant } from './app.ts'
import { testIdCard } from './id-card.ts'
import { createSerial } from './serial.ts'

/** Rooms of 30 seats (6 × 5) at one site, numbered from 001. */
export const rooms = (count: number, more: object = {}): object[] =>
  Array.from({ length: count }, (_, i) => ({
    siteCode: '01',
    siteName: '区第一中学',
    siteAddress: '青山路188号',
    roomNo: String(i + 1).padStart(3, '0'),
    roomName: `A栋${301 + i}`,
    floor: 3,
    rows: 6,
    cols: 5,
    layout: 'S',
    disabled: [],
    accessible: false,
    spare: 0,
    ...more,
  }))

/** So many passed and paid sign-ups in two statements, numbers 1…n of the examination, posts in turn. */
export const passedCrowd = (tenant: TestTenant, examId: string, count: number, codes: readonly string[]): Promise<void> =>
  tenant.db(async db => {
    const serials = Array.from({ length: count }, (_, i) => i + 1)
    await db.run(sql`
      with people as (
        insert into account (tenant_id, account, account_key, user_type, nick_name, real_name)
        select ${tenant.tenantId}, 'crowd' || n, 'crowd' || n, 2, '考生' || n, '考生' || n from unnest(${serials}::int[]) as n returning id, substr(account, 6)::int as n)
      insert into signup (tenant_id, exam_id, user_id, code, examine, pay_state, name, sex, sign_no, sign_version, id_card_index)
      select ${tenant.tenantId}, ${examId}, id, (${[...codes]}::text[])[1 + n % ${codes.length}::int], 'passed', 'paid', '考生', 2, '20260300' || lpad(n::text, 6, '0'), 1, lpad(n::text, 64, '0')
      from people`)
  })

export interface Applicant {
  readonly person: Person
  readonly signupId: string
  readonly name: string
  readonly idCard: string
}

const portrait = readFileSync(new URL('../../seed/data/portraits/p01-white.jpg', import.meta.url))
const nextSerial = createSerial()

/** One candidate with a session and a passed, paid sign-up; the id number is sealed as a submit seals it. */
export const applicant = async (
  t: TestApp,
  tenant: TestTenant,
  examId: string,
  spec: { readonly name: string; readonly code?: string; readonly withPhoto?: boolean; readonly set?: RawBuilder<unknown> },
): Promise<Applicant> => {
  const serial = nextSerial()
  const idCard = testIdCard(serial + 300, '19950812', 2)
  const person = await tenant.candidate({ realName: spec.name, idCard })
  const cipher: FieldCipher = t.app.services.cipher
  const file: FileModule = t.app.modules.file
  const signupId = await tenant.db(async db => {
    const { id } = await db.one(sql<{ id: string }>`select next_id()::text as id`)
    const photo = spec.withPhoto
      ? await file.keepBytes(db, {
          bytes: portrait,
          name: 'photo.jpg',
          kind: 'jpg',
          userId: person.userId,
          ownerKind: 'signup',
          ownerId: id,
        })
      : undefined
    await db.run(sql`
      insert into signup (tenant_id, id, exam_id, user_id, code, unit, type, examine, pay_state, name, sex, sign_no, sign_version, id_card_sealed, id_card_index, id_card_mask, photo_file_id)
      values (${tenant.tenantId}, ${id}, ${examId}, ${person.userId}, ${spec.code ?? 'B001'}, 'H01', 'B', 'passed', 'paid', ${spec.name}, 2, ${`20260300${String(serial).padStart(6, '0')}`}, 1,
        ${cipher.seal(tenant.tenantId, { table: 'signup', column: 'id_card_sealed', rowId: id }, idCard)}, ${cipher.blindIndex(tenant.tenantId, 'id-card', idCard)},
        ${`${idCard.slice(0, 4)}**********${idCard.slice(14)}`}, ${photo?.id ?? null})`)
    if (spec.set) await db.run(sql`update signup set ${spec.set} where id = ${id}`)
    return id
  })
  return { person, signupId, name: spec.name, idCard }
}
