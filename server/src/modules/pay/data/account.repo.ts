import type { TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'
import type { WechatPayTrust } from '../domain/trust.ts'

/** A tenant's merchant account, its keys sealed. */
export interface AccountRow {
  readonly mchid: string
  readonly appid: string
  readonly serial: string
  readonly privateKey: Buffer
  readonly apiKey: Buffer
  readonly trust: WechatPayTrust
  readonly appSecret: Buffer | null
  readonly h5: boolean
  /** Where the provider is; null = where it always is. */
  readonly origin: string | null
  readonly version: string
}
/** The account of the transaction's tenant. */
export const findAccount = (db: TenantDb): Promise<AccountRow | undefined> =>
  db.maybe(sql<AccountRow>`
    select mchid, appid, serial_no as serial, private_key_sealed as "privateKey", api_key_sealed as "apiKey", trust, app_secret_sealed as "appSecret", h5_enabled as h5, origin, xmin::text as version
    from pay_account where tenant_id = ${db.actor.tenantId}`)

export const writeAccount = async (db: TenantDb, account: Omit<AccountRow, 'origin' | 'version'>): Promise<void> => {
  await db.run(sql`
    insert into pay_account (tenant_id, mchid, appid, serial_no, private_key_sealed, api_key_sealed, trust, app_secret_sealed, h5_enabled, updated_by)
    values (${db.actor.tenantId}, ${account.mchid}, ${account.appid}, ${account.serial}, ${account.privateKey}, ${account.apiKey}, ${JSON.stringify(account.trust)}, ${account.appSecret}, ${account.h5}, ${db.actor.userId})
    on conflict (tenant_id) do update set mchid = excluded.mchid, appid = excluded.appid, serial_no = excluded.serial_no,
      private_key_sealed = excluded.private_key_sealed, api_key_sealed = excluded.api_key_sealed, trust = excluded.trust,
      app_secret_sealed = excluded.app_secret_sealed, h5_enabled = excluded.h5_enabled,
      updated_by = excluded.updated_by, updated_at = app_now()`)
}

/** A tenant's application at Alipay, its key sealed. */
export interface AlipayRow {
  readonly appId: string
  readonly sellerId: string
  readonly privateKey: Buffer
  readonly publicKeyPem: string
  readonly version: string
}
export const findAlipay = (db: TenantDb): Promise<AlipayRow | undefined> =>
  db.maybe(sql<AlipayRow>`
    select app_id as "appId", seller_id as "sellerId", private_key_sealed as "privateKey", public_key as "publicKeyPem", xmin::text as version
    from pay_alipay where tenant_id = ${db.actor.tenantId}`)

export const writeAlipay = async (db: TenantDb, account: Omit<AlipayRow, 'version'>): Promise<void> => {
  await db.run(sql`
    insert into pay_alipay (tenant_id, app_id, seller_id, private_key_sealed, public_key, updated_by)
    values (${db.actor.tenantId}, ${account.appId}, ${account.sellerId}, ${account.privateKey}, ${account.publicKeyPem}, ${db.actor.userId})
    on conflict (tenant_id) do update set app_id = excluded.app_id, seller_id = excluded.seller_id,
      private_key_sealed = excluded.private_key_sealed, public_key = excluded.public_key, updated_by = excluded.updated_by, updated_at = app_now()`)
}

/** A tenant's office at the non-tax platform, its key sealed. */
export interface NontaxRow {
  readonly origin: string
  readonly appId: string
  readonly unitCode: string
  readonly itemCode: string
  readonly privateKey: Buffer
  readonly publicKeyPem: string
  readonly version: string
}
export const findNontax = (db: TenantDb): Promise<NontaxRow | undefined> =>
  db.maybe(sql<NontaxRow>`
    select origin, app_id as "appId", unit_code as "unitCode", item_code as "itemCode", private_key_sealed as "privateKey", public_key as "publicKeyPem",
      xmin::text as version
    from pay_nontax where tenant_id = ${db.actor.tenantId}`)

export const writeNontax = async (db: TenantDb, account: Omit<NontaxRow, 'version'>): Promise<void> => {
  await db.run(sql`
    insert into pay_nontax (tenant_id, origin, app_id, unit_code, item_code, private_key_sealed, public_key, updated_by)
    values (${db.actor.tenantId}, ${account.origin}, ${account.appId}, ${account.unitCode}, ${account.itemCode}, ${account.privateKey}, ${account.publicKeyPem},
      ${db.actor.userId})
    on conflict (tenant_id) do update set origin = excluded.origin, app_id = excluded.app_id, unit_code = excluded.unit_code, item_code = excluded.item_code,
      private_key_sealed = excluded.private_key_sealed, public_key = excluded.public_key, updated_by = excluded.updated_by, updated_at = app_now()`)
}

/** Whether the transaction's tenant is one. */
export const isTenant = async (db: TenantDb): Promise<boolean> =>
  (await db.maybe(sql`select 1 from tenant where tenant_id = ${db.actor.tenantId}`)) !== undefined

export interface AccountShown {
  readonly mchid: string
  readonly appid: string
  readonly merchantSerial: string
  readonly trust: WechatPayTrust
  readonly hasAppSecret: boolean
  readonly h5: boolean
  readonly updatedAt: Date
  readonly updateUser: string | null
}
/** The account as staff may see it, and who changed it last. */
export const findAccountShown = (db: TenantDb): Promise<AccountShown | undefined> =>
  db.maybe(sql<AccountShown>`
    select p.mchid, p.appid, p.serial_no as "merchantSerial", p.trust, p.app_secret_sealed is not null as "hasAppSecret", p.h5_enabled as h5, p.updated_at as "updatedAt", a.real_name as "updateUser"
    from pay_account p left join account a on a.tenant_id = p.tenant_id and a.id = p.updated_by`)

export interface AlipayShown {
  readonly appId: string
  readonly sellerId: string
  readonly updatedAt: Date
  readonly updateUser: string | null
}
/** The application at Alipay as staff may see it. */
export const findAlipayShown = (db: TenantDb): Promise<AlipayShown | undefined> =>
  db.maybe(sql<AlipayShown>`
    select p.app_id as "appId", p.seller_id as "sellerId", p.updated_at as "updatedAt", a.real_name as "updateUser"
    from pay_alipay p left join account a on a.tenant_id = p.tenant_id and a.id = p.updated_by`)

export interface NontaxShown {
  readonly origin: string
  readonly appId: string
  readonly unitCode: string
  readonly itemCode: string
  readonly updatedAt: Date
  readonly updateUser: string | null
}
/** The office at the non-tax platform as staff may see it. */
export const findNontaxShown = (db: TenantDb): Promise<NontaxShown | undefined> =>
  db.maybe(sql<NontaxShown>`
    select p.origin, p.app_id as "appId", p.unit_code as "unitCode", p.item_code as "itemCode", p.updated_at as "updatedAt", a.real_name as "updateUser"
    from pay_nontax p left join account a on a.tenant_id = p.tenant_id and a.id = p.updated_by`)
