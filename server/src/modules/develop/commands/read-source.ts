import { refuseDevelop } from '#contract/develop/develop.errors.ts'
import { refuse } from '#contract/kernel/errors.ts'
import type { Label } from '#contract/kernel/label.ts'
import { isRefusal, type Refusal } from '#contract/kernel/refusal.ts'
import { audit } from '#kernel/audit.ts'
import { ForeignError, type ForeignFailure } from '#kernel/foreign-database.ts'
import type { Ctx } from '#kernel/http/context.ts'
import { openDatasource } from '#modules/tenancy/index.ts'
import { type Catalogue, mysqlCatalogue, ownCatalogue, postgresCatalogue } from '../data/catalogue.repo.ts'
import type { DevelopDeps } from '../deps.ts'
import type { ModelField } from '../domain/model-field.ts'
import { freshFields, mostColumns } from '../generator/fresh-fields.ts'

const ownName: Label = { zh: '本系统数据库', en: 'this system’s own database' }
const reasons: Readonly<Record<ForeignFailure, Label>> = {
  refused: {
    zh: '地址不在允许之列，请联系运维人员在服务器设置 KAOPU_DATA_SOURCES 中加入“主机:端口”后重试',
    en: 'its address is not on the allow list; ask the operator to add “host:port” to the setting KAOPU_DATA_SOURCES',
  },
  unreachable: { zh: '无法连接，请检查主机、端口和网络', en: 'no connection came about: check host, port and network' },
  timeout: { zh: '5 秒内没有完成，请稍后再试', en: 'it did not finish within five seconds; try again later' },
  broken: { zh: '连接中断，或对方不是这种数据库', en: 'the connection broke, or this is a database of another kind' },
  login: { zh: '用户名或密码不正确', en: 'user or password is wrong' },
  database: { zh: '没有该库，或账号无权使用', en: 'there is no such database, or the account may not use it' },
  forbidden: { zh: '账号无权读取', en: 'the account may not read this' },
}
const unavailable: Label = {
  zh: '程序目前只能连接 PostgreSQL 和 MySQL/MariaDB，其他类型的数据源不可用',
  en: 'the program connects to PostgreSQL and MySQL/MariaDB only; other kinds are not available',
}
const noPassword: Label = { zh: '没有设置密码，请先设置', en: 'it has no password: set it first' }
const gone: Label = { zh: '数据源已被删除', en: 'it was removed' }
const failed = (source: string | Label, reason: Label): Refusal => refuseDevelop('develop/source-failed', { source, reason })

type Reading = Catalogue & { readonly isEncrypted: boolean }

/** Works with a data source that is not this program's own; what goes wrong there is a refusal in our words, never in its. */
const readForeign = async <T>(deps: DevelopDeps, ctx: Ctx, id: string, work: (source: Reading) => Promise<T>): Promise<T | Refusal> => {
  const source = await ctx.tx(db => openDatasource(deps.services.cipher, db, id))
  if (source === undefined) return failed(id, gone)
  const { kind, name, host, port, databaseName: database, username: user, password } = source
  if (kind !== 'postgresql' && kind !== 'mysql') return failed(name, unavailable)
  try {
    return await deps.foreign.use({ kind, host, port, database, user, password }, db =>
      work({ ...(kind === 'postgresql' ? postgresCatalogue(db) : mysqlCatalogue(db)), isEncrypted: db.isEncrypted }),
    )
  } catch (error) {
    if (!(error instanceof ForeignError)) throw error
    const isUnopened = password === '' && (error.failure === 'login' || error.failure === 'broken')
    return failed(name, isUnopened ? noPassword : reasons[error.failure])
  }
}

/** Reads the catalogue of a data source, or of the own database where none is named. */
export const readSource = <T>(
  deps: DevelopDeps,
  ctx: Ctx,
  datasourceId: string,
  work: (catalogue: Omit<Catalogue, 'rights'>) => Promise<T>,
): Promise<T | Refusal> => (datasourceId === '' ? ctx.tx(db => work(ownCatalogue(db))) : readForeign(deps, ctx, datasourceId, work))

export interface TableFound {
  readonly name: string
  readonly comment: string
  readonly fields: readonly ModelField[]
}
/** A table with its columns as they are used before anybody has chosen anything. */
export const readTable = async (deps: DevelopDeps, ctx: Ctx, datasourceId: string, table: string): Promise<TableFound | Refusal> => {
  const found = await readSource(deps, ctx, datasourceId, async catalogue => ({
    comment: (await catalogue.tables()).find(({ name }) => name === table)?.comment,
    columns: await catalogue.columns(table),
  }))
  if (isRefusal(found)) return found
  if (found.columns.length === 0) {
    const source = datasourceId === '' ? undefined : await ctx.tx(db => openDatasource(deps.services.cipher, db, datasourceId))
    return refuseDevelop('develop/no-table', { source: source?.name ?? ownName, table })
  }
  if (found.columns.length > mostColumns)
    return refuseDevelop('develop/too-many-columns', { table, count: found.columns.length, limit: mostColumns })
  return { name: table, comment: found.comment ?? '', fields: freshFields(found.columns) }
}

export interface SourceCheck {
  readonly isReached: number
  readonly text: string
  readonly version: string
  readonly tables: number
  readonly isEncrypted: number
  readonly mayWrite: number
  readonly warnings: readonly string[]
}
const writes: Label = {
  zh: '该账号可以写入或建表，请改用只读账号',
  en: 'This account can write or make tables: use one that only reads',
}
const open: Label = {
  zh: '连接未加密，请让数据库启用 TLS，或限制其网络访问',
  en: 'The connection is not encrypted: let the database use TLS, or keep its network closed',
}

/** Tries a data source: whether it answers, what it is, and whether the account may do more than it should. */
export const checkSource = async (deps: DevelopDeps, ctx: Ctx, id: string): Promise<SourceCheck | Refusal> => {
  const known = await ctx.tx(db => openDatasource(deps.services.cipher, db, id))
  if (known === undefined) return refuse('kernel/not-found', {})
  const found = await readForeign(deps, ctx, id, async source => ({
    ...(await source.rights()),
    tables: (await source.tables()).length,
    isEncrypted: source.isEncrypted,
  }))
  await ctx.tx(db =>
    audit(db, ctx, {
      action: 'datasource.checked',
      entity: 'datasource',
      entityId: id,
      after: isRefusal(found) ? { isReached: false } : { isReached: true, mayWrite: found.mayWrite, isEncrypted: found.isEncrypted },
    }),
  )
  if (isRefusal(found))
    return { isReached: 0, text: found.text[ctx.language], version: '', tables: 0, isEncrypted: 0, mayWrite: 0, warnings: [] }
  const warnings = [...(found.mayWrite ? [writes] : []), ...(found.isEncrypted ? [] : [open])].map(ctx.say)
  // A server may say anything of itself.
  const version = found.version.replace(/[^\w.~+-]/g, '').slice(0, 40)
  const text = ctx.say({
    zh: `已连接“${known.name}”（${version}），可读取 ${found.tables} 张表`,
    en: `Connected to “${known.name}” (${version}); ${found.tables} tables can be read`,
  })
  return {
    isReached: 1,
    text: [text, ...warnings].join(ctx.language === 'zh' ? '。' : '. '),
    version,
    tables: found.tables,
    isEncrypted: found.isEncrypted ? 1 : 0,
    mayWrite: found.mayWrite ? 1 : 0,
    warnings,
  }
}
