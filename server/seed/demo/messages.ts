import { sceneOf } from '#contract/message/scenes.ts'
import { variablesOf } from '#contract/message/wording.ts'
import { newId } from '#kernel/db/new-id.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'
import { batchTemplateSeeds, demoSmsAccount, smsSceneSeeds } from '#modules/message/index.ts'
import { originOf } from '#modules/tenancy/index.ts'
import type { Services } from '#server/services.ts'

const packages = [
  ['1000 条', 1_000, 5_000],
  ['5000 条', 5_000, 24_000],
  ['20000 条', 20_000, 90_000],
] as const

/** What the platform sells. */
export const seedPackages = async (db: TenantDb): Promise<void> => {
  for (const [place, [name, count, price]] of packages.entries())
    await db.run(sql`
      insert into send_packages (tenant_id, package_name, count, price, sort) values (${db.actor.tenantId}, ${name}, ${count}, ${price}, ${place})`)
}

/** A service at the emulated provider that is on, the templates it has approved, and parts to send with. */
export const seedMessages = async (
  { cipher, config }: Pick<Services, 'cipher'> & { readonly config: Parameters<typeof originOf>[0] },
  db: TenantDb,
): Promise<void> => {
  const { tenantId } = db.actor
  const id = await newId(db)
  const { accessKey, secretKey, signName } = demoSmsAccount
  const sealed = cipher.seal(tenantId, { table: 'sms_provider', column: 'secret_key_sealed', rowId: id }, secretKey)
  await db.run(sql`
    insert into sms_provider (tenant_id, id, category, sms_code, sign_name, template_id, access_key, secret_key_sealed, status, remark)
    values (${tenantId}, ${id}, '3', 'aliyun-demo', ${signName}, 'SMS_900100001', ${accessKey}, ${sealed}, 2, '演示用，短信不会真正发出')`)
  const scenes = smsSceneSeeds(originOf(config)).map(({ scene, content, templateId }) => ({
    code: scene,
    name: sceneOf(scene)?.label.zh ?? scene,
    scene,
    title: '',
    content,
    titleEn: '',
    contentEn: '',
    templateId,
  }))
  for (const one of [...batchTemplateSeeds, ...scenes])
    await db.run(sql`
      insert into send_template (tenant_id, code, name, scene, title, content, title_en, content_en, vars, template_id)
      values (${tenantId}, ${one.code}, ${one.name}, ${one.scene}, ${one.title}, ${one.content}, ${one.titleEn}, ${one.contentEn},
        ${variablesOf(`${one.content}${one.contentEn}`).join(',')}, ${one.templateId})`)
  const bought = 2_000
  const { payId } = await db.one(sql<{ payId: string }>`
    insert into send_pay (tenant_id, packages_id, package_name, count, price, state, pay_way, voucher, sure_time)
    values (${tenantId}, 0, '开户赠送', ${bought}, 1, 1, 2, 'DEMO-0001', app_now()) returning id::text as "payId"`)
  await db.run(sql`insert into send_ledger (tenant_id, kind, parts, send_pay_id) values (${tenantId}, 'recharge', ${bought}, ${payId})`)
  await db.run(sql`insert into send_account (tenant_id, balance) values (${tenantId}, ${bought})`)
}
