import { createHash } from 'node:crypto'
import type { FieldCipher } from '#kernel/crypto/field.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'
import { randomBytes } from '#kernel/random.ts'
import type { RoleAlias } from '../base/menus.ts'
import type { DemoRole } from './accounts.ts'
import type { DeptKey } from './departments.ts'
import { type DemoPerson, sealPerson } from './people.ts'
import type { RowBook } from './rows.ts'
import { type Owner, type Staff, tellAudit, theSystem } from './stage.ts'

/** Makes the accounts of one tenant. */
export interface Registrar {
  staff(role: DemoRole, at: Date): Staff
  /** `login` is the account and its password's hash; others have no password and come in by a code to their phone. */
  candidate(person: DemoPerson, at: Date, login?: { readonly account: string }): Owner
}

export const createRegistrar = async (
  db: TenantDb,
  tools: {
    readonly book: RowBook
    readonly nextId: () => string
    readonly cipher: FieldCipher
    readonly now: Date
    readonly hashOf: (account: string) => string
    readonly deptOf: (key: DeptKey) => string
    readonly dutyOf: (role: RoleAlias) => string | null
  },
): Promise<Registrar> => {
  const { book, nextId, cipher, now, hashOf, deptOf, dutyOf } = tools
  const roles = new Map(
    (await db.all(sql<{ id: string; alias: RoleAlias }>`select id::text as id, role_alias as alias from role where not is_deleted`)).map(
      role => [role.alias, role.id],
    ),
  )
  const giveRole = (userId: string, alias: RoleAlias): void => {
    const roleId = roles.get(alias)
    if (roleId === undefined) throw new Error(`the tenant has no role ${alias}`)
    book.add('account_role', { user_id: userId, role_id: roleId })
  }
  let candidates = 0
  return {
    staff: ({ role, account, name, userCode, dept, also }, at) => {
      const id = nextId()
      book.add('account', {
        id,
        account,
        account_key: account,
        password_hash: hashOf(account),
        user_type: 1,
        nick_name: name,
        real_name: name,
        user_code: userCode ?? null,
        dept_id: deptOf(dept),
        post_id: dutyOf(role),
        status: 1,
        password_changed_at: now,
        created_at: at,
        updated_at: at,
      })
      giveRole(id, role)
      if (also) giveRole(id, also)
      tellAudit({ book, nextId }, at, theSystem, { action: 'user.created', entity: 'account', entityId: id, after: { account, role } })
      return { id, name }
    },
    candidate: (person, at, login) => {
      const id = nextId()
      candidates += 1
      const userCode = `K${String(candidates).padStart(10, '0')}`
      const account = login?.account ?? `k${String(candidates).padStart(6, '0')}`
      book.add('account', {
        id,
        account,
        account_key: account,
        password_hash: login === undefined ? null : hashOf(account),
        user_type: 2,
        nick_name: person.name,
        real_name: person.name,
        user_code: userCode,
        ...sealPerson(cipher, db.actor.tenantId, 'account', id, person),
        id_card_type: person.idCardType,
        sex: person.sex,
        birthday: person.birthday,
        status: 1,
        password_changed_at: login === undefined ? null : now,
        consent_version: '1',
        consent_at: at,
        created_at: at,
        updated_at: at,
      })
      giveRole(id, 'candidate')
      tellAudit({ book, nextId }, at, theSystem, {
        action: 'candidate.registered',
        entity: 'account',
        entityId: id,
        after: { userCode, status: 1 },
      })
      return { userId: id, person, isDemo: login !== undefined }
    },
  }
}

/** The seed of a paper's draw with its published digest, as the release of an examination makes it (decision 4.9). */
export const paperSeed = (
  cipher: FieldCipher,
  tenantId: string,
): { readonly seed: Buffer; readonly columns: (itemId: string) => { seed_commit: string; seed_sealed: Buffer } } => {
  const seed = randomBytes(32)
  return {
    seed,
    columns: itemId => ({
      seed_commit: createHash('sha256').update(seed).digest('hex'),
      seed_sealed: cipher.seal(tenantId, { table: 'exam_item', column: 'seed_sealed', rowId: itemId }, seed.toString('hex')),
    }),
  }
}
