import { toWireTime } from '#contract/kernel/when.ts'
import type { TenantRow } from '#contract/tenancy/tenant.routes.ts'
import { fileName, watermarkOf } from '#kernel/crud/export.ts'
import type { Ctx, ExportPlan } from '#kernel/http/context.ts'
import type { SheetLine } from '#kernel/sheet/write-sheet.ts'

const columns = [
  ['tenantId', { zh: '租户编号', en: 'Number' }],
  ['tenantName', { zh: '租户名称', en: 'Tenant name' }],
  ['domain', { zh: '域名地址', en: 'Domain' }],
  ['linkman', { zh: '联系人', en: 'Contact' }],
  ['contactNumber', { zh: '联系电话', en: 'Phone' }],
  ['address', { zh: '联系地址', en: 'Address' }],
  ['accountNumber', { zh: '账号额度', en: 'Accounts' }],
  ['accountCount', { zh: '已用账号', en: 'Accounts in use' }],
  ['expireTime', { zh: '过期时间', en: 'Expires' }],
  ['packageName', { zh: '产品包', en: 'Package' }],
  ['status', { zh: '状态', en: 'Status' }],
  ['createTime', { zh: '创建时间', en: 'Created' }],
] as const
const words = {
  any: { zh: '不限', en: 'any number' },
  never: { zh: '永久', en: 'never' },
  live: { zh: '正常', en: 'live' },
  bin: { zh: '回收站', en: 'in the recycle bin' },
} as const
const batch = 500

/** Tenants as a workbook, read in batches. The contact of an organisation is the platform's to read, and no role of a tenant rules it. */
export const exportOf = (
  ctx: Ctx,
  filter: object,
  total: number,
  read: (limit: number, offset: number) => Promise<readonly TenantRow[]>,
): ExportPlan => {
  const what = ctx.say({ zh: '租户', en: 'Tenants' })
  const textOf = (row: TenantRow, name: (typeof columns)[number][0]): string => {
    if (name === 'accountNumber' && row.accountNumber <= 0) return ctx.say(words.any)
    if (name === 'expireTime' && row.expireTime === '') return ctx.say(words.never)
    if (name === 'status') return ctx.say(row.status === 1 ? words.live : words.bin)
    return String(row[name])
  }
  async function* lines(): AsyncGenerator<SheetLine> {
    for (let done = 0; done < total; done += batch) {
      const rows = await read(batch, done)
      for (const row of rows) yield columns.map(([name]) => textOf(row, name))
      if (rows.length < batch) return
    }
  }
  return {
    fileName: fileName(what, toWireTime(ctx.arrivedAt).replace(/\D/g, '')),
    total,
    audit: { action: 'tenant.exported', entity: 'tenant', entityId: null, after: { filter, columns: columns.map(([name]) => name) } },
    book: {
      watermark: watermarkOf(ctx, what),
      sheets: [{ name: what, columns: columns.map(([, label]) => ({ header: ctx.say(label), field: 'none' as const })), rows: lines() }],
    },
  }
}
