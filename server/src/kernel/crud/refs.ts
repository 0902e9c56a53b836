import { refuseField } from '#contract/kernel/errors.ts'
import type { RefTarget } from '#contract/kernel/ref-target.ts'
import type { Refusal } from '#contract/kernel/refusal.ts'
import { type Resource, refNameOf } from '#contract/kernel/resource.ts'
import type { TenantDb } from '../db/scope.ts'
import { allOf, type RawBuilder, sql } from '../db/sql.ts'
import type { Ctx, Session } from '../http/context.ts'
import { isNarrowed, rowScopeOf } from '../http/row-scope.ts'
import { snakeCase } from '../names.ts'
import type { Row } from './rows.ts'

let targets: ReadonlyMap<string, RefTarget> = new Map()
/** The nouns that fields point at are the contract's to know: the program hands them in once, before anything is served. */
export const bindRefTargets = (known: ReadonlyMap<string, RefTarget>): void => {
  targets = known
}
const targetOf = (name: string): RefTarget => {
  const target = targets.get(name)
  if (target === undefined) throw new Error(`no noun ${name} is known to point at`)
  return target
}

/** Rows of the target that this reader's rules leave. Of a noun whose rules only its module can read, who is narrowed sees none. */
const reachOf = (session: Session | undefined, target: RefTarget): RawBuilder<unknown> | undefined =>
  target.fields === undefined
    ? isNarrowed(session, target.permission)
      ? sql`false`
      : undefined
    : rowScopeOf(session, { permission: target.permission, fields: target.fields })

const mayRead = (ctx: Ctx, target: RefTarget): boolean => ctx.session?.permissions.has(target.view) === true
/** A name that is kept from the reader is told by no other list either. */
const titleFor = ({ session }: Ctx, { permission, title }: RefTarget): readonly string[] =>
  title.filter(field => session?.fieldRules[`${permission}.${field}`] === undefined)

/** What the rows with these ids are called, for whoever may read them. */
const titlesOf = async (ctx: Ctx, db: TenantDb, target: RefTarget, ids: readonly string[]): Promise<ReadonlyMap<string, string>> => {
  const names = titleFor(ctx, target)
  if (ids.length === 0 || names.length === 0 || !mayRead(ctx, target)) return new Map()
  const rows = await db.all(sql<{ id: string; title: string }>`
    select id::text as id, concat_ws(' ', ${sql.join(names.map(name => sql`${sql.ref(snakeCase(name))}::text`))}) as title
    from ${sql.table(target.table)} where ${allOf([sql`id = any(${[...new Set(ids)]}::bigint[])`, reachOf(ctx.session, target)])}`)
  return new Map(rows.map(row => [row.id, row.title]))
}

/** References whose names a list shows, with the value that has the name. */
export const shownRefs = ({ fields }: Resource) =>
  Object.entries(fields).flatMap(([name, { ref, list }]) =>
    ref === undefined || list === false ? [] : [{ name, ref, shown: refNameOf(name) }],
  )

/** The names of what these rows point at, as values of theirs: `examName` beside `examId`. */
export const refNamesOf = async (resource: Resource, ctx: Ctx, db: TenantDb, rows: readonly Row[]): Promise<(row: Row) => Row> => {
  const refs = await Promise.all(
    shownRefs(resource).map(async ({ name, ref, shown }) => {
      const ids = rows.flatMap(row => (row[name] === null || row[name] === undefined ? [] : [String(row[name])]))
      return { name, shown, titles: await titlesOf(ctx, db, targetOf(ref), ids) }
    }),
  )
  const none = resource.nulls === 'empty' ? '' : null
  return row => Object.fromEntries(refs.map(({ name, shown, titles }) => [shown, titles.get(String(row[name])) ?? none]))
}

/** A reference that is given points at a row that is there, and that the writer reaches; one that is stored stays. */
export const refuseUnreached = async (
  resource: Resource,
  ctx: Ctx,
  db: TenantDb,
  input: Row,
  before: Row | undefined,
): Promise<Refusal | undefined> => {
  const objections = await Promise.all(
    Object.entries(resource.fields).map(async ([name, { ref, label }]) => {
      const value = input[name]
      if (ref === undefined || value === undefined || value === null || value === '' || String(value) === String(before?.[name] ?? ''))
        return undefined
      const target = targetOf(ref)
      // What is chosen from no list is looked at by whoever takes it.
      if (target.list === undefined) return undefined
      const found = await db.maybe(sql`
        select 1 from ${sql.table(target.table)} where ${allOf([sql`id = ${value}::bigint`, sql`not is_deleted`, reachOf(ctx.session, target)])}`)
      return found
        ? undefined
        : refuseField(name, { zh: `${label.zh}不存在，请重新选择`, en: `${label.en}: there is no such row, choose again` })
    }),
  )
  return objections.find(one => one !== undefined)
}
