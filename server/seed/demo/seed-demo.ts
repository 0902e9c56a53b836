import { join } from 'node:path'
import { lock } from '#kernel/db/lock.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { systemOf } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'
import { loadOrMakeEmulatorKeys } from '#server/demo/wxpay-emulator/keys.ts'
import { createFileStorage } from '#server/demo/wxpay-emulator/storage.ts'
import type { Services } from '#server/services.ts'
import { ensureTenant, platformTenant, unhurried } from '../base/seed-base.ts'
import { type DemoAccount, hashPasswords, keepDemoAccounts } from './accounts.ts'
import { prepareFirst, writeFirst } from './first-tenant.ts'
import { seedMessages, seedPackages } from './messages.ts'
import type { EmulatorFacts } from './money-rows.ts'
import { writeNotices } from './notices.ts'
import { addReports } from './reports.ts'
import { prepareSecond, writeSecond } from './second-tenant.ts'
import { readDemoSources } from './sources.ts'
import type { DemoTools, Prepared } from './tools.ts'

/** Reached under a domain of its own or by `/login?tenantId=000001` (decision 1.5). */
export const secondTenant = '000001'

const markOf = (tenantId: string): string => `demo-seed-${tenantId}`

const readMarks = async ({ scopes, clock }: Services): Promise<ReadonlySet<string>> =>
  new Set(
    (
      await scopes.asPlatform('the demo is seeded once', clock.now(), db =>
        db.all(sql<{ key: string }>`select key from installation where key like 'demo-seed-%'`),
      )
    ).map(row => row.key),
  )

const mark = async ({ scopes, clock }: Services, tenantId: string): Promise<void> => {
  await scopes.asPlatform('the demo is seeded once', clock.now(), db =>
    db.run(
      sql`insert into installation (key, value) values (${markOf(tenantId)}, ${JSON.stringify({ at: clock.now().toISOString() })}) on conflict (key) do nothing`,
    ),
  )
}

/** The port can change from start to start, and with it the address of the second tenant. */
const setDomain = async ({ scopes, clock, config }: Services): Promise<void> => {
  const domain = `http://second.localhost:${config.port}`
  await scopes.asPlatform("the second tenant's address holds the port", clock.now(), db =>
    db.run(sql`update tenant set domain = ${domain} where tenant_id = ${secondTenant} and domain is distinct from ${domain}`),
  )
}

/** The orders go to the payment emulator before they are committed: one it knows and we do not is never asked for. */
const tellEmulator = async (services: Services, facts: EmulatorFacts): Promise<void> => {
  const storage = createFileStorage(join(services.config.dataDir, 'wxpay', 'book.jsonl'))
  await storage.load()
  for (const value of facts.orders) await storage.save({ kind: 'order', value })
  for (const value of facts.refunds) await storage.save({ kind: 'refund', value })
}

const seedTenantOnce = async (
  services: Services,
  tenantId: string,
  accounts: readonly DemoAccount[],
  prepare: (tools: Omit<DemoTools, 'db'>) => Promise<Prepared>,
  write: (tools: DemoTools, prepared: Prepared) => Promise<EmulatorFacts>,
): Promise<void> => {
  const keys = await loadOrMakeEmulatorKeys(join(services.config.dataDir, 'wxpay', 'keys.json'), [tenantId], services.clock.now())
  const merchant = keys.merchants.find(one => one.tenantId === tenantId)
  if (!merchant) throw new Error(`the payment emulator has no merchant for ${tenantId}`)
  const hashes = await hashPasswords(
    services.passwords,
    accounts.filter(one => one.tenantId === tenantId),
  )
  const { port, publicUrl } = services.config
  const tools: Omit<DemoTools, 'db'> = {
    services,
    tenantId,
    now: services.clock.now(),
    sources: readDemoSources(),
    merchant: { mchid: merchant.mchid, appid: merchant.appid },
    hashOf: account => {
      const hash = hashes.get(`${tenantId}|${account}`)
      if (hash === undefined) throw new Error(`${account} has no password`)
      return hash
    },
    notifyUrl: kind => `${publicUrl ?? `http://localhost:${port}`}/api/pay/wxpay/${kind}/${tenantId}`,
  }
  const prepared = await prepare(tools)
  try {
    await services.scopes.tx(systemOf(tenantId), tools.now, async (db: TenantDb) => {
      await unhurried(db)
      await lock(db, 'demo-seed')
      // A start that died between the commit and the mark has done everything already.
      if (await db.maybe(sql`select 1 from account where account_key = 'admin' and user_type = 1 and not is_deleted`))
        return prepared.pictures.discard()
      const facts = await write({ ...tools, db }, prepared)
      const isFirst = tenantId === platformTenant
      await writeNotices(db, tools.now, { office: isFirst ? '区卫生健康局' : '第二区卫生健康局', isFirst })
      await tellEmulator(services, facts)
      await seedMessages(services, db)
      if (isFirst) await seedPackages(db)
      return undefined
    })
  } catch (error) {
    await prepared.pictures.discard()
    throw error
  }
  await mark(services, tenantId)
}

/**
 * The demo of decision 1.5: two tenants with people of every role, examinations in every stage and 370 candidates. All or nothing for each
 * tenant; a second start changes nothing but the second tenant's address.
 */
export const seedDemo = async (services: Services): Promise<void> => {
  await ensureTenant(services.scopes, services.clock.now(), { tenantId: secondTenant, name: '第二区卫生健康局', domain: null })
  await setDomain(services)
  const marks = await readMarks(services)
  if (marks.has(markOf(platformTenant)) && marks.has(markOf(secondTenant))) return
  const accounts = await keepDemoAccounts(services.config.dataDir, { first: platformTenant, second: secondTenant }, tenantId =>
    marks.has(markOf(tenantId)),
  )
  if (!marks.has(markOf(platformTenant)))
    await seedTenantOnce(services, platformTenant, accounts, prepareFirst, async (tools, prepared) => {
      const facts = await writeFirst(tools, prepared)
      await addReports(tools.db)
      return facts
    })
  if (!marks.has(markOf(secondTenant))) await seedTenantOnce(services, secondTenant, accounts, prepareSecond, writeSecond)
}
