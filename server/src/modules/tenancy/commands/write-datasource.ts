import { refuseField } from '#contract/kernel/errors.ts'
import type { Label } from '#contract/kernel/label.ts'
import { audit } from '#kernel/audit.ts'
import type { CrudSeams } from '#kernel/crud/crud.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type Ctx, Refused } from '#kernel/http/context.ts'
import { findAddress, setDatasourcePassword } from '../data/datasource.repo.ts'
import type { TenancyDeps } from '../deps.ts'
import { readJdbcUrl } from '../domain/jdbc-url.ts'

const texts = {
  url: {
    zh: '连接地址不是可识别的 JDBC 地址，例如 jdbc:mysql://db.example.cn:3306/stat',
    en: 'This is no JDBC address that is known here, as jdbc:mysql://db.example.cn:3306/stat',
  },
  driver: { zh: '驱动类与连接地址不是同一种数据库', en: 'Driver and address are of different databases' },
} satisfies Readonly<Record<string, Label>>

/** What an address that was typed says of the parts; one that is sent back as it was answered changes nothing. */
export const fromAddress: NonNullable<CrudSeams['complete']> = async ({ db, input, id }) => {
  const { url, driverClass, ...rest } = input
  const before = id === undefined ? undefined : await findAddress(db, id)
  if (typeof url !== 'string' || url === '') {
    // It follows from the kind: by itself it says nothing.
    if (driverClass && driverClass !== before?.driverClass) throw new Refused(refuseField('driverClass', texts.driver))
    return rest
  }
  if (before?.url === url) return rest
  const parts = readJdbcUrl(url)
  if (!parts) throw new Refused(refuseField('url', texts.url))
  const driver = typeof driverClass === 'string' && driverClass !== before?.driverClass ? driverClass.toLowerCase() : ''
  if (driver !== '' && !driver.includes(driverWords[parts.kind] ?? parts.kind)) throw new Refused(refuseField('driverClass', texts.driver))
  return { ...rest, ...parts }
}
/** What the class of a driver has in its name, where that is not the kind. */
const driverWords: Readonly<Record<string, string>> = { dameng: 'dm', kingbase: 'kingbase' }

/** Sealed under the row's own key, which a new row has only when it is there. */
export const keepPassword = async (deps: TenancyDeps, ctx: Ctx, db: TenantDb, id: string, password: string): Promise<number> => {
  const place = { table: 'datasource', column: 'password_sealed', rowId: id }
  const sealed = password === '' ? null : deps.services.cipher.seal(ctx.tenantId, place, password)
  await setDatasourcePassword(db, id, sealed)
  await audit(db, ctx, { action: 'datasource.password-set', entity: 'datasource', entityId: id, after: { isSet: sealed !== null } })
  return sealed === null ? 0 : 1
}
