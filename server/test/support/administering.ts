import { sql } from '#kernel/db/sql.ts'
import { type Answer, type Person, type TestApp, type TestTenant, testCaptcha } from './app.ts'
import { sealFor } from './login.ts'

export const base = '/blade-system/user'
interface Scene {
  readonly t: TestApp
  /** A second process on the same database. */
  readonly two: TestApp
  readonly tenant: TestTenant
  readonly admin: Person
}

/** What an administrator does to accounts and sees of them. */
export const administering = (of: () => Scene) => {
  const seal = (plain: string): string => sealFor(of().t, plain)
  const roleId = async (alias: string, at = of().tenant): Promise<string> =>
    (await at.rows(sql<{ id: string }>`select id::text as id from role where role_alias = ${alias}`))[0]?.id ?? ''
  const stateOf = async (id: string) =>
    (
      await of().tenant.rows(sql<{ status: number; isDeleted: boolean; roles: string[]; live: number }>`
        select a.status, a.is_deleted as "isDeleted",
          coalesce((select json_agg(r.role_alias order by r.sort) from account_role ar join role r on r.id = ar.role_id where ar.user_id = a.id), '[]') as roles,
          (select count(*)::int from session s where s.user_id = a.id and s.ended_at is null) as live
        from account a where a.id = ${id}`)
    )[0]
  const linesOf = (id: string) =>
    of().tenant.rows(sql<{ action: string; userId: string; before: unknown; after: unknown; reason: string | null }>`
      select action, user_id::text as "userId", before_value as before, after_value as after, reason from audit_log where entity = 'account' and entity_id = ${id} order by id`)
  const logIn = async (account: string, password: string): Promise<Answer> => {
    const guest = of().t.anonymous(of().tenant.tenantId)
    const { key } = (await guest.get('/blade-auth/oauth/captcha')).body
    return guest.post('/blade-auth/oauth/token', {
      form: { grant_type: 'captcha', username: account, password: seal(password), key, code: testCaptcha },
    })
  }
  /** What the other process answers to this person, once it has heard every change. */
  const atTwo = async (person: Person, path = '/blade-auth/oauth/user-info'): Promise<Answer> => {
    await of().two.app.catchUp()
    return of()
      .two.anonymous()
      .get(path, { headers: { 'blade-auth': `bearer ${person.token}` } })
  }
  const dept = async (name: string, parentId = ''): Promise<string> =>
    (await of().admin.post('/blade-system/dept/submit', { json: { deptName: name, fullName: name, deptCategory: 2, sort: 1, parentId } }))
      .body.data.id
  const submit = (json: object, by = of().admin) => by.post(`${base}/submit`, { json })
  return { seal, roleId, stateOf, linesOf, logIn, atTwo, dept, submit }
}
