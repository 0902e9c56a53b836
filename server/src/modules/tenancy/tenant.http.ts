import { refuse } from '#contract/kernel/errors.ts'
import { idsOf } from '#contract/kernel/ids.ts'
import { sliceOf, toPage } from '#contract/kernel/page.ts'
import { platformTenant } from '#contract/kernel/platform.ts'
import type { Refusal } from '#contract/kernel/refusal.ts'
import type { InputOf } from '#contract/kernel/route.ts'
import { fromWireTime, toWireTime } from '#contract/kernel/when.ts'
import { refuseTenant } from '#contract/tenancy/tenant.errors.ts'
import { type TenantRow, tenant } from '#contract/tenancy/tenant.routes.ts'
import { maxExportRows } from '#kernel/crud/export.ts'
import type { PlatformDb } from '#kernel/db/scope.ts'
import { type Ctx, type Handler, handle, handleExport, Refused, sessionOf } from '#kernel/http/context.ts'
import { forgetEverywhere, platformAudit } from '#kernel/platform-audit.ts'
import { createTenant, refuseTaken, valuesOf } from './commands/create-tenant.ts'
import { pictureHandlers, pictureUrl } from './commands/pictures.ts'
import { exportOf } from './commands/tenant-export.ts'
import { findPackage } from './data/package.repo.ts'
import {
  assign,
  endSessionsBeyondQuota,
  endSessionsOfTenants,
  findTenantRecord,
  holdPlatformRow,
  lockTenantNames,
  lockTenants,
  pageTenants,
  setTenantState,
  type TenantRecord,
  takenBy,
  updateLicence,
  updateTenant,
} from './data/tenant-admin.repo.ts'
import type { TenancyDeps } from './deps.ts'

type Submit = InputOf<(typeof tenant)['submit']>

const present = ({ logoAt, backgroundAt, expireTime, createTime, ...row }: TenantRecord): TenantRow => ({
  ...row,
  expireTime: expireTime === null ? '' : toWireTime(expireTime),
  createTime: toWireTime(createTime),
  logoUrl: pictureUrl(row.tenantId, 'logo', logoAt),
  backgroundUrl: pictureUrl(row.tenantId, 'background', backgroundAt),
})
const userOf = (ctx: Ctx): string => ctx.session?.userId ?? '0'
const names = (rows: readonly TenantRecord[]): string => rows.map(row => row.tenantName).join('、')

export const tenantHandlers = (deps: TenancyDeps): Handler[] => {
  const above = <T>(ctx: Ctx, work: (db: PlatformDb) => Promise<T>): Promise<T> =>
    deps.services.scopes.asPlatform('the platform administers its tenants', ctx.arrivedAt, work)
  const page = (ctx: Ctx, input: InputOf<(typeof tenant)['list']>) =>
    above(ctx, async db => {
      const { current, size, offset, status_equal: status, ...search } = sliceOf(input)
      const { rows, total } = await pageTenants(db, { ...search, ...(status === undefined ? {} : { status }) }, size, offset)
      return toPage(rows.map(present), total, current, size)
    })
  const choices = (ctx: Ctx, tenantName: string | undefined) =>
    above(ctx, async db => (await pageTenants(db, { ...(tenantName === undefined ? {} : { tenantName }), status: 1 }, 1_000, 0)).rows)
  const found = async (db: PlatformDb, idOrNumber: string): Promise<TenantRecord> => {
    const row = await findTenantRecord(db, idOrNumber)
    if (!row) throw new Refused(refuse('kernel/not-found', {}))
    return row
  }
  /** The named tenants, all of them or none. */
  const held = async (db: PlatformDb, raw: string | undefined): Promise<TenantRecord[]> => {
    const ids = idsOf(raw)
    if (ids.length === 0) throw new Refused(refuse('kernel/select-one', {}))
    const rows = await lockTenants(db, ids)
    if (rows.length !== ids.length) throw new Refused(refuse('kernel/not-found', {}))
    return rows
  }
  const record = async (ctx: Ctx, db: PlatformDb, action: string, rows: readonly TenantRecord[], after: (row: TenantRecord) => object) => {
    for (const row of rows) {
      const now = after(row)
      const before = Object.fromEntries(Object.keys(now).map(key => [key, row[key as keyof TenantRecord]]))
      await platformAudit(ctx, db, { action: `tenant.${action}`, entity: 'tenant', entityId: row.tenantId, before, after: now }, [
        row.tenantId,
      ])
    }
  }

  const edit = (ctx: Ctx, id: string, input: Submit) =>
    above(ctx, async db => {
      await lockTenantNames(db)
      const [before] = await held(db, id)
      if (!before) throw new Refused(refuse('kernel/not-found', {}))
      if (input.version !== undefined && input.version !== before.version) throw new Refused(refuse('kernel/changed-meanwhile', {}))
      const values = valuesOf(input)
      const field = await takenBy(db, values, id)
      if (field) throw refuseTaken(field)
      await updateTenant(db, userOf(ctx), id, values)
      await record(ctx, db, 'updated', [before], () => values)
      await forgetEverywhere(db)
      return { id, tenantId: before.tenantId, account: '', password: '' }
    })

  /** Moves tenants; the platform's own stays where it is. */
  const move = (ctx: Ctx, raw: string | undefined, to: 'recycle' | 'pass' | 'remove'): Promise<{ changed: number } | Refusal> =>
    above(ctx, async db => {
      const rows = await held(db, raw)
      if (to !== 'pass' && rows.some(row => row.tenantId === platformTenant)) return refuseTenant('tenant/platform-stays', {})
      const outside = rows.filter(row => row.status !== -1)
      if (to === 'remove' && outside.length > 0) return refuseTenant('tenant/not-in-bin', { names: names(outside) })
      const ids = rows.map(row => row.id)
      await setTenantState(db, userOf(ctx), ids, to === 'remove' ? { removed: true } : { status: to === 'pass' ? 1 : -1 })
      if (to !== 'pass')
        await endSessionsOfTenants(
          db,
          rows.map(row => row.tenantId),
          'tenant-closed',
        )
      const done = { recycle: 'recycled', pass: 'passed', remove: 'removed' }[to]
      await record(ctx, db, done, rows, () => (to === 'remove' ? { tenantName: '' } : { status: to === 'pass' ? 1 : -1 }))
      await forgetEverywhere(db)
      return { changed: rows.length }
    })

  const assignRow = (ctx: Ctx, idOrNumber: string, column: 'package_id' | 'datasource_id', wanted: string | undefined) =>
    above(ctx, async db => {
      const { id } = await found(db, idOrNumber)
      const [before] = await held(db, id)
      const table = column === 'package_id' ? 'tenant_package' : 'datasource'
      if (wanted && !(await holdPlatformRow(db, table, wanted))) throw new Refused(refuse('kernel/not-found', {}))
      if (!before) throw new Refused(refuse('kernel/not-found', {}))
      if (column === 'package_id' && wanted && before.tenantId === platformTenant) return refuseTenant('tenant/platform-stays', {})
      await assign(db, userOf(ctx), id, column, wanted || null)
      const name = column === 'package_id' ? 'packageId' : 'datasourceId'
      await record(ctx, db, `${name === 'packageId' ? 'package' : 'datasource'}-set`, [before], () => ({ [name]: wanted ?? '' }))
      await forgetEverywhere(db)
      return { tenantId: before.tenantId }
    })

  return [
    handle(tenant.list, ({ ctx, input }) => page(ctx, input)),
    handle(tenant.page, ({ ctx, input }) => page(ctx, input)),
    handle(tenant.detail, ({ ctx, input }) => above(ctx, async db => present(await found(db, input.id)))),
    handle(tenant.select, async ({ ctx, input }) => {
      const isKeeper = ctx.actsForPlatform() && sessionOf(ctx).permissions.has('tenant_view')
      const all = await choices(ctx, input.tenantName)
      return isKeeper ? all : all.filter(row => row.tenantId === ctx.tenantId)
    }),
    handle(tenant.findByName, ({ ctx, input }) => choices(ctx, input.name)),
    handleExport(tenant.export, async ({ ctx, input }) => {
      const { status_equal: status, ...search } = input
      const filter = { ...search, ...(status === undefined ? {} : { status }) }
      const { total } = await above(ctx, db => pageTenants(db, filter, 1, 0))
      if (total > maxExportRows) throw new Refused(refuse('kernel/too-many', { limit: maxExportRows }))
      return exportOf(ctx, input, total, (limit, offset) =>
        above(ctx, async db => (await pageTenants(db, filter, limit, offset)).rows.map(present)),
      )
    }),
    handle(tenant.submit, ({ ctx, input }) => {
      const id = input.id || undefined
      const needed = id === undefined ? 'tenant_add' : 'tenant_edit'
      if (!ctx.session?.permissions.has(needed)) return Promise.resolve(refuse('kernel/forbidden', {}))
      return id === undefined ? createTenant(deps, ctx, input) : edit(ctx, id, input)
    }),
    handle(tenant.setting, ({ ctx, input }) =>
      above(ctx, async db => {
        const rows = await held(db, input.ids)
        const accountNumber = input.accountNumber === undefined ? undefined : input.accountNumber <= 0 ? -1 : input.accountNumber
        const expireTime =
          input.expireTime === undefined ? undefined : input.expireTime === '' ? null : (fromWireTime(input.expireTime) ?? null)
        // The platform's operator would lock everybody out, this one first.
        if (expireTime && rows.some(row => row.tenantId === platformTenant)) return refuseTenant('tenant/platform-stays', {})
        await updateLicence(
          db,
          userOf(ctx),
          rows.map(row => row.id),
          { accountNumber, expireTime },
        )
        const endedSessions = await endSessionsBeyondQuota(
          db,
          rows.map(row => row.tenantId),
        )
        await record(ctx, db, 'licence-set', rows, () => ({
          ...(accountNumber === undefined ? {} : { accountNumber }),
          ...(expireTime === undefined ? {} : { expireTime }),
        }))
        await forgetEverywhere(db)
        return { changed: rows.length, endedSessions }
      }),
    ),
    handle(tenant.datasource, ({ ctx, input }) => assignRow(ctx, input.tenantId, 'datasource_id', input.datasourceId)),
    handle(tenant.packageSetting, ({ ctx, input }) => assignRow(ctx, input.tenantId, 'package_id', input.packageId)),
    handle(tenant.packageDetail, ({ ctx, input }) =>
      above(ctx, async db => {
        const { packageId } = await found(db, input.tenantId)
        return (packageId === '' ? undefined : await findPackage(db, packageId)) ?? {}
      }),
    ),
    handle(tenant.recycle, ({ ctx, input }) => move(ctx, input.ids, 'recycle')),
    handle(tenant.pass, ({ ctx, input }) => move(ctx, input.ids, 'pass')),
    handle(tenant.remove, ({ ctx, input }) => move(ctx, input.ids, 'remove')),
    ...pictureHandlers(deps),
  ]
}
