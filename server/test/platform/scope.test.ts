import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Actor, noteEffects, systemOf, type TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'
import { startTestApp, type TestApp } from '../support/app.ts'
import { buildExam, makeDept } from '../support/factories.ts'

let t: TestApp
let owner: pg.Client
beforeAll(async () => {
  t = await startTestApp()
  owner = await t.owner()
})
afterAll(() => t.close())

const inTenant = async () => {
  const { tenantId } = await t.tenant()
  const tx = <T>(work: (db: TenantDb) => Promise<T>): Promise<T> => t.app.services.scopes.tx(systemOf(tenantId), t.clock.now(), work)
  const add = (key: string) => sql`insert into param (tenant_id, param_name, param_key, param_value) values (${tenantId}, 'a', ${key}, '1')`
  const count = (): Promise<number> =>
    tx(async db => (await db.one(sql<{ n: number }>`select count(*)::int as n from param where param_name = 'a'`)).n)
  return { tx, add, count }
}

describe('a transaction', () => {
  test('statements that do not wait for each other run in the order they were given', async () => {
    const { tx, add, count } = await inTenant()
    const seen = await tx(db =>
      Promise.all([
        db.run(add('one')),
        db.one(sql<{ n: number }>`select count(*)::int as n from param where param_name = 'a'`),
        db.run(add('two')),
        db.one(sql<{ n: number }>`select count(*)::int as n from param where param_name = 'a'`),
      ]),
    )
    expect(seen).toEqual([1, { n: 1 }, 1, { n: 2 }])
    expect(await count()).toBe(2)
  })

  test('that has failed is not taken for committed, even when the failure was swallowed', async () => {
    const { tx, add, count } = await inTenant()
    await expect(
      tx(async db => {
        await db.run(add('kept'))
        await db.run(sql`select 1 / 0`).catch(() => undefined)
      }),
    ).rejects.toThrow('the transaction had failed before its commit')
    expect(await count()).toBe(0)
  })

  test('a statement that was only sent fails the whole with its own reason', async () => {
    const { tx, add, count } = await inTenant()
    await expect(
      tx(async db => {
        db.send(add('twice'))
        db.send(add('twice'))
        await db.all(sql`select 1`)
      }),
    ).rejects.toMatchObject({ code: '23505', constraint: 'param_key_uq' })
    await expect(tx(async db => db.send(sql`select 1 / 0`))).rejects.toMatchObject({ code: '22012' })
    expect(await count()).toBe(0)
  })

  test('a savepoint undoes what was sent inside it, and the rest is committed', async () => {
    const { tx, add, count } = await inTenant()
    await tx(async db => {
      db.send(add('outside'))
      await expect(
        db.savepoint(async () => {
          db.send(add('inside'))
          db.send(add('inside'))
          await db.all(sql`select 1`)
        }),
      ).rejects.toMatchObject({ code: '23505' })
      db.send(add('after'))
    })
    expect(await count()).toBe(2)
  })

  test('a statement that comes after the end is refused, not run in the next transaction of the connection', async () => {
    const { tx, add, count } = await inTenant()
    let late: TenantDb | undefined
    await tx(async db => {
      late = db
    })
    await expect(late?.run(add('late'))).rejects.toThrow('after its transaction had ended')
    expect(() => late?.send(add('late'))).toThrow('after its transaction had ended')
    expect(await count()).toBe(0)
  })

  test('its last statements take the commit along, alone or behind others', async () => {
    const { tx, add, count } = await inTenant()
    const both = (db: TenantDb, key: string) => db.last(() => Promise.all([db.run(add(key)), db.one(sql<{ n: number }>`select 7 as n`)]))
    expect(await tx(db => both(db, 'alone'))).toEqual([1, { n: 7 }])
    expect(await count()).toBe(1)
    expect(
      await tx(async db => {
        await db.run(add('before'))
        return both(db, 'behind')
      }),
    ).toEqual([1, { n: 7 }])
    expect(await count()).toBe(3)
  })

  test('last statements of which one fails leave nothing behind, neither themselves nor what went before', async () => {
    const { tx, add, count } = await inTenant()
    const failing = (db: TenantDb) => db.last(() => Promise.all([db.run(add('last')), db.all(sql`select 1 / 0`), db.run(add('more'))]))
    await expect(tx(failing)).rejects.toMatchObject({ code: '22012' })
    await expect(
      tx(async db => {
        await db.run(add('before'))
        return failing(db)
      }),
    ).rejects.toMatchObject({ code: '22012' })
    await expect(tx(db => db.last(async () => db.send(sql`select 1 / 0`)))).rejects.toMatchObject({ code: '22012' })
    expect(await count()).toBe(0)
  })

  test('nothing may be asked after the last statements', async () => {
    const { tx, add, count } = await inTenant()
    const asked = tx(async db => {
      await db.last(async () => {
        await db.run(add('last'))
        await db.run(add('too late'))
      })
    })
    await expect(asked).rejects.toThrow('after its transaction had ended')
    expect(await count()).toBe(1)
  })

  test('the tenant of one batch is not the tenant of the next on the same connection', async () => {
    const [one, two] = [await inTenant(), await inTenant()]
    const mine = (db: TenantDb) => db.last(() => db.all(sql<{ key: string }>`select param_key as key from param where param_name = 'a'`))
    await one.tx(db => db.last(() => db.run(one.add('of one'))))
    const seen = await Promise.all(Array.from({ length: 40 }, (_, i) => (i % 2 === 0 ? one : two).tx(mine)))
    expect(seen).toEqual(Array.from({ length: 40 }, (_, i) => (i % 2 === 0 ? [{ key: 'of one' }] : [])))
  })

  test('a kept plan whose table has changed is made anew', async () => {
    const { tx } = await inTenant()
    await owner.query('create table plan_probe (a int); insert into plan_probe values (7); grant select on plan_probe to kaopu_system')
    const read = () => tx(db => db.one(sql<{ a: unknown }>`select a from plan_probe`))
    for (let i = 0; i < 12; i += 1) expect(await read()).toEqual({ a: 7 })
    await owner.query('alter table plan_probe alter a type text')
    expect(await Promise.all([read(), read(), read()])).toEqual([{ a: '7' }, { a: '7' }, { a: '7' }])
    await owner.query('drop table plan_probe')
  })

  test('a transaction that plans anew does not use the plans others keep', async () => {
    const { tx } = await inTenant()
    const plans = () =>
      sql<{
        name: string
      }>`select name from pg_prepared_statements where statement like '%param_name = ''planned''%' and statement not like '%pg_prepared%'`
    const ask = (db: TenantDb) => db.all(sql`select 1 from param where param_name = 'planned'`)
    for (let i = 0; i < 5; i += 1)
      expect(
        await tx(async db => {
          db.planAnew()
          await ask(db)
          return db.all(plans())
        }),
      ).toEqual([])
    for (let i = 0; i < 5; i += 1) await tx(ask)
    expect(
      await tx(async db => {
        await ask(db)
        return (await db.all(plans())).length
      }),
    ).toBe(1)
  })

  test('a transaction that plans once uses one plan for all parameters, and the next on the connection decides as ever', async () => {
    const { tx } = await inTenant()
    const ask = (db: TenantDb, key: string) =>
      db.all(sql`select param_name from param where param_key = ${key} and param_value = 'planned once'`)
    const plans = await tx(async db => {
      db.planOnce()
      for (let i = 0; i < 8; i += 1) await ask(db, `key ${i}`)
      return db.all(
        sql<object>`select generic_plans > 0 as once, custom_plans as anew, current_setting('plan_cache_mode') as mode from pg_prepared_statements
          where statement like '%planned once%' and statement not like '%pg_prepared%'`,
      )
    })
    expect(plans).toEqual([{ once: true, anew: '0', mode: 'force_generic_plan' }])
    expect(await tx(db => db.one(sql`select current_setting('plan_cache_mode') as mode`))).toEqual({ mode: 'auto' })
  })

  test('look-ups by index are planned without scans of whole tables, and the next transaction decides as ever', async () => {
    const { tx } = await inTenant()
    const settings = (db: TenantDb) =>
      db.one(sql`select current_setting('plan_cache_mode') as mode, current_setting('enable_seqscan') as scans`)
    const byIndex = await tx(db => {
      db.planOnce('by index')
      return settings(db)
    })
    expect([byIndex, await tx(settings)]).toEqual([
      { mode: 'force_generic_plan', scans: 'off' },
      { mode: 'auto', scans: 'on' },
    ])
  })
})

describe('the database role of a transaction', () => {
  const role = sql<{ role: string }>`select current_user as role`
  const exams = sql<{ n: number }>`select count(*)::int as n from examination`
  const as = async (
    actor: Omit<Parameters<typeof t.app.services.scopes.tx>[0], 'tenantId' | 'userId'>,
    work: (db: TenantDb) => Promise<unknown>,
  ) => t.app.services.scopes.tx({ ...actor, tenantId, userId: '5' } as Actor & { kind: 'staff' }, t.clock.now(), work)
  let tenantId: string
  beforeAll(async () => {
    const tenant = await t.tenant()
    tenantId = tenant.tenantId
    const { examId } = await buildExam(tenant)
    const deptId = await makeDept(tenant, '人事科')
    await tenant.db(db => db.run(sql`update examination set dept_id = ${deptId} where id = ${examId}`))
  })

  test.each([
    [{ kind: 'staff', departments: null }, 'kaopu_staff', 1],
    [{ kind: 'staff', departments: null, units: {} }, 'kaopu_staff', 1],
    [{ kind: 'staff', departments: [] }, 'kaopu_staff_narrow', 0],
    [{ kind: 'staff', departments: null, units: { ticket: ['H01'] } }, 'kaopu_staff_narrow', 1],
    [{ kind: 'system' }, 'kaopu_system', 1],
    [{ kind: 'system', departments: ['1'] }, 'kaopu_system_narrow', 0],
    [{ kind: 'system', units: { ticket: [] } }, 'kaopu_system_narrow', 1],
    [{ kind: 'candidate', departments: null }, 'kaopu_candidate', 1],
  ] as const)('follows from what narrows the actor: %j is %s and reaches %i examination', async (actor, name, reached) => {
    expect(await as(actor, async db => [await db.one(role), await db.one(exams)])).toEqual([{ role: name }, { n: reached }])
  })

  test('staff of whom nothing is said have none', async () => {
    await expect(as({ kind: 'staff' } as never, db => db.one(role))).rejects.toThrow(
      'nobody works as staff without saying what narrows them',
    )
  })

  test('settings that narrow, made by hand on the role of everybody, open nothing', async () => {
    for (const kind of ['staff', 'system'] as const) {
      const seen = await as({ kind, departments: null }, async db => {
        const before = await db.one(exams)
        await db.run(sql`select set_config('app.departments', '{1}', true)`)
        const [after, changed] = [await db.one(exams), await db.run(sql`update examination set version = version`)]
        await db.run(sql`select set_config('app.departments', '', true), set_config('app.units_ticket', '{H01}', true)`)
        const ticket = () => db.savepoint(() => db.run(sql`insert into ticket (tenant_id) values (${tenantId})`))
        await expect(ticket()).rejects.toMatchObject({ code: '42501' })
        return [before, after, changed]
      })
      expect([kind, seen]).toEqual([kind, [{ n: 1 }, { n: 0 }, 0]])
    }
  })

  test('nobody narrowed becomes the role behind theirs; where PostgreSQL 15 cannot forbid it, that role reaches nothing for them', async () => {
    const forbids = await as({ kind: 'system' }, db =>
      db.one(sql<{ forbids: boolean }>`select current_setting('server_version_num')::int >= 160000 as forbids`),
    )
    const become = (kind: 'staff' | 'system') =>
      as({ kind, departments: [] }, async db => {
        await db.run(sql`set local role ${sql.ref(`kaopu_${kind}`)}`)
        return [await db.one(role), await db.one(exams), await db.run(sql`update examination set version = version`)]
      }).catch((error: { readonly code?: string }) => error.code)
    for (const kind of ['staff', 'system'] as const)
      expect([kind, forbids, await become(kind)]).toEqual([
        kind,
        forbids,
        (forbids as { forbids: boolean }).forbids ? '42501' : [{ role: `kaopu_${kind}` }, { n: 0 }, 0],
      ])
  })
})

test('effects: what was written and committed is noted, and neither what was read nor what was taken back', async () => {
  const { tenantId } = await t.tenant()
  const wrote = async (work: (db: TenantDb) => Promise<unknown>): Promise<boolean> => {
    const effects = { hasWritten: false }
    await noteEffects(effects, () => t.app.services.scopes.tx(systemOf(tenantId), t.clock.now(), work)).catch(() => {})
    return effects.hasWritten
  }
  const add = (key: string) => sql`insert into param (tenant_id, param_name, param_key, param_value) values (${tenantId}, 'e', ${key}, '1')`
  expect([
    await wrote(async () => undefined),
    await wrote(db => db.all(sql`select 1 from param`)),
    await wrote(async db => {
      await db.run(add('effect.taken-back'))
      throw new Error('no')
    }),
    await wrote(db => db.run(add('effect.one'))),
    await wrote(db => db.last(() => db.run(add('effect.two')))),
    // Who locks rows means to write.
    await wrote(db => db.all(sql`select 1 from param for update`)),
  ]).toEqual([false, false, false, true, true, true])
})
