import { crudRoutes, submitSchema } from '#contract/kernel/crud-routes.ts'
import { refuse, refuseField } from '#contract/kernel/errors.ts'
import { nounOf } from '#contract/kernel/field-rule.ts'
import { isFrameworkPath } from '#contract/kernel/framework.ts'
import type { Label } from '#contract/kernel/label.ts'
import { sliceOf, toPage } from '#contract/kernel/page.ts'
import { permissionOf } from '#contract/kernel/permission.ts'
import type { Refusal } from '#contract/kernel/refusal.ts'
import { isRefusal } from '#contract/kernel/refusal.ts'
import type { CrudVerb, Resource } from '#contract/kernel/resource.ts'
import { audit } from '../audit.ts'
import { type Counted, keptCount } from '../db/row-count.ts'
import { isNarrowed, type TenantDb } from '../db/scope.ts'
import { allOf, type RawBuilder, sql } from '../db/sql.ts'
import { type Ctx, type Handler, handle, handleExport, Refused } from '../http/context.ts'
import { refuseUnseenSearch } from '../http/field-rule.ts'
import { checkerOf } from '../http/input.ts'
import { rowScopeOf } from '../http/row-scope.ts'
import { isSame, withoutUnchanged } from '../http/sent-back.ts'
import { snakeCase } from '../names.ts'
import { duplicateValue } from './duplicate.ts'
import { dictionaryWords, planRows } from './export.ts'
import { filterOf, orderOf, searchedFields } from './filter.ts'
import { refNamesOf, refuseUnreached, shownRefs } from './refs.ts'
import { type Row, selectList, toColumn, toWire } from './rows.ts'

/** Where a noun differs from a plain table. Each seam is a named function of its module. */
export interface CrudSeams {
  /** Narrows every read and write to the rows the caller may see. */
  readonly visible?: (ctx: Ctx) => RawBuilder<unknown> | undefined
  /** A search that is more than comparing the declared fields; without it `filterOf`. */
  readonly filter?: (ctx: Ctx, input: Row) => RawBuilder<unknown>[]
  /** The rows are counted as they come and go: a list that nothing narrows says that total. */
  readonly counted?: Counted
  /** Completes or refuses what is about to be written; `before` is absent for an addition. */
  readonly prepare?: (call: { ctx: Ctx; db: TenantDb; input: Row; before: Row | undefined }) => Promise<Row | Refusal>
  /** What of a prepared change waits for a second person, and in which words that is said; the rest is written now. Of nouns that say `waits`. */
  readonly waits?: (call: {
    ctx: Ctx
    db: TenantDb
    input: Row
    before: Row | undefined
  }) => Promise<{ readonly fields: readonly string[]; readonly waiting: Label } | undefined>
  readonly refuseRemove?: (call: { ctx: Ctx; db: TenantDb; rows: readonly Row[] }) => Promise<Refusal | undefined>
  /** Shapes a row for the reader beyond the declared fields. */
  readonly present?: (ctx: Ctx, row: Row) => Row
  /** Adds to the rows of a page, or to the one of a detail, what is read of all of them together. */
  readonly more?: (db: TenantDb, rows: readonly Row[]) => Promise<readonly Row[]>
  /** Puts into words what the list leaves to its screen, for a workbook. */
  readonly sheet?: (ctx: Ctx, row: Row) => Row
  /** Columns that say nothing in the workbook of this search. */
  readonly sheetWithout?: (ctx: Ctx, input: Row) => Promise<readonly string[]>
  /** Fills in, before the check, what a client that this program did not write does not send. `id` is absent for an addition. */
  readonly complete?: (call: { ctx: Ctx; db: TenantDb; input: Row; id: string | undefined }) => Row | Promise<Row>
  /** `input` is what was sent, of a removal nothing. */
  readonly afterWrite?: (call: { ctx: Ctx; db: TenantDb; before: Row | undefined; after: Row | undefined; input: Row }) => Promise<void>
}

/** What the noun itself and the reader's data scopes leave. */
const visibleOf = (resource: Resource, seams: CrudSeams, ctx: Ctx): RawBuilder<unknown> | undefined => {
  const parts = [seams.visible?.(ctx), rowScopeOf(ctx.session, resource)].filter(part => part !== undefined)
  return parts.length === 0 ? undefined : allOf(parts)
}

/** What the first of these objects with; all are asked in one message. */
const firstObjection = async (asked: readonly Promise<Refusal | undefined>[]): Promise<Refusal | undefined> =>
  (await Promise.all(asked)).find(one => one !== undefined)

const refuseDuplicate = (db: TenantDb, resource: Resource, input: Row, id: string | undefined): Promise<Refusal | undefined> =>
  firstObjection(
    Object.entries(resource.fields).map(async ([name, field]) => {
      const value = input[name]
      if (!field.unique || value === undefined || value === null) return undefined
      const taken = await db.maybe(sql`
        select 1 from ${sql.table(resource.table)}
        where ${sql.ref(snakeCase(name))} = ${value} and not is_deleted ${id === undefined ? sql`` : sql`and id <> ${id}`} limit 1`)
      return taken ? duplicateValue(name, field.label, String(value)) : undefined
    }),
  )

/** A new value of a dictionary field is a key of it, of the tenant's own where it has one under this code; one that is there stays, whatever has become of its entry. */
export const refuseUnknownKey = (
  db: TenantDb,
  resource: Pick<Resource, 'fields'>,
  input: Row,
  before: Row | undefined,
): Promise<Refusal | undefined> =>
  firstObjection(
    Object.entries(resource.fields).map(async ([name, { kind, dict, label: words }]) => {
      const value = input[name]
      if (kind !== 'dict' || dict === undefined || value === undefined || value === null || value === '' || value === before?.[name])
        return undefined
      const known = await db.maybe(sql`
        select 1 where ${value} <> '-1' and (
          exists (select 1 from dict_biz where code = ${dict} and dict_key = ${value} and not is_deleted)
          or not exists (select 1 from dict_biz where code = ${dict} and dict_key <> '-1' and not is_deleted)
            and exists (select 1 from dict where code = ${dict} and dict_key = ${value} and not is_deleted))`)
      return known
        ? undefined
        : refuseField(name, { zh: `${words.zh}不在字典中，请重新选择`, en: `${words.en}: there is no such entry, choose again` })
    }),
  )

/** Fields whose words are shown beside them, with their dictionaries. */
const namedFields = ({ derived = {}, fields }: Resource): readonly { readonly name: string; readonly dict: string }[] =>
  Object.entries(fields).flatMap(([name, { dict }]) =>
    dict !== undefined && Object.hasOwn(derived, `${name}Name`) ? [{ name, dict }] : [],
  )
type Words = ReadonlyMap<string, string>
const namedWords = (resource: Resource, ctx: Ctx, db: TenantDb): Promise<Words> =>
  dictionaryWords(
    ctx,
    db,
    namedFields(resource).map(({ dict }) => dict),
  )

/** How rows are shown to a reader: as the noun's module shapes them, with what every noun may declare as derived. */
const presenterOf = async (
  resource: Resource,
  seams: CrudSeams,
  ctx: Ctx,
  db: TenantDb,
  rows: readonly Row[],
  /** Where they were read already. */
  known?: Words,
): Promise<(row: Row) => Row> => {
  const { derived = {} } = resource
  const named = namedFields(resource)
  const [words, pointedAt] = await Promise.all([known ?? namedWords(resource, ctx, db), refNamesOf(resource, ctx, db, rows)])
  return row => {
    const wire = toWire(resource, row)
    return {
      ...(seams.present?.(ctx, wire) ?? wire),
      ...pointedAt(row),
      ...(Object.hasOwn(derived, 'tenantId') ? { tenantId: ctx.tenantId } : {}),
      ...Object.fromEntries(named.map(({ name, dict }) => [`${name}Name`, words.get(`${dict} ${wire[name]}`) ?? ''])),
    }
  }
}

/** A column with a default takes it for what was left empty; on a change what is there stays. Nouns with rules of their own say which do. */
const withoutEmptyDefaults = ({ ownRules, fields }: Resource, input: Row): Row =>
  ownRules
    ? input
    : Object.fromEntries(Object.entries(input).filter(([name, value]) => value !== null || fields[name]?.default === undefined))

/** Rows that a selector is given; whoever has more looks for them in the list. */
const mostChoices = 1_000

export const findRows = async (db: TenantDb, resource: Resource, condition: RawBuilder<unknown>, forUpdate = false): Promise<Row[]> =>
  await db.all(sql<Row>`
    select ${selectList(resource)} from ${sql.table(resource.table)} where not is_deleted and ${condition} order by id ${forUpdate ? sql`for update` : sql``}`)

/** A password has no column of its own name: the module keeps it sealed. */
const columnsIn = ({ fields }: Resource, input: Row): string[] =>
  Object.keys(fields).filter(name => input[name] !== undefined && !fields[name]?.secret)

const insertRow = (db: TenantDb, resource: Resource, input: Row): Promise<Row> => {
  const names = columnsIn(resource, input)
  const values = names.map(name => toColumn(resource.fields[name] as never, input[name]))
  return db.one(sql<Row>`
    insert into ${sql.table(resource.table)} (tenant_id, created_by, updated_by, ${sql.join(names.map(name => sql.ref(snakeCase(name))))})
    values (${db.actor.tenantId}, ${db.actor.userId}, ${db.actor.userId}, ${sql.join(values)})
    returning ${selectList(resource)}`)
}
export const addRow = async (db: TenantDb, resource: Resource, input: Row): Promise<string> =>
  String((await insertRow(db, resource, input))['id'])

export const editRow = async (db: TenantDb, resource: Resource, id: string, input: Row): Promise<void> => {
  const names = columnsIn(resource, input)
  const set = names.map(name => sql`${sql.ref(snakeCase(name))} = ${toColumn(resource.fields[name] as never, input[name])}`)
  await db.run(sql`
    update ${sql.table(resource.table)} set ${sql.join([...set, sql`updated_at = app_now()`, sql`updated_by = ${db.actor.userId}`, sql`version = version + 1`])}
    where id = ${id} and not is_deleted`)
}

/** Adds or changes a row. @returns it as it stands now; undefined where `scope` does not reach it */
const writeRow = async (
  db: TenantDb,
  resource: Resource,
  id: string | undefined,
  input: Row,
  scope: RawBuilder<unknown> | undefined,
): Promise<Row | undefined> => {
  const added = id === undefined ? await insertRow(db, resource, input) : undefined
  if (added && !scope) return added
  const savedId = id ?? String(added?.['id'])
  const [, rows] = await Promise.all([
    id === undefined ? undefined : editRow(db, resource, id, input),
    findRows(db, resource, allOf([sql`id = ${savedId}`, scope])),
  ])
  return rows[0]
}

const submit = async (
  resource: Resource,
  seams: CrudSeams,
  checks: Record<'add' | 'edit', ReturnType<typeof checkerOf>>,
  ctx: Ctx,
  db: TenantDb,
  raw: Row,
): Promise<Row> => {
  // What is asked is asked by a key: planned while a table was small, a connection would read all of it at the thousandth row of an import.
  db.planOnce('by index')
  const { id: rawId, version, ...sent } = raw
  const { derived = {} } = resource
  const own = Object.fromEntries(Object.entries(sent).filter(([name]) => !Object.hasOwn(derived, name)))
  const id = typeof rawId === 'string' && rawId !== '' ? rawId : undefined
  const needed = permissionOf(resource.permission, id === undefined ? 'add' : 'edit')
  if (ctx.session?.userType !== 2 && !ctx.session?.permissions.has(needed)) throw new Refused(refuse('kernel/forbidden', {}))
  const completed = (await seams.complete?.({ ctx, db, input: own, id })) ?? own
  const problemsOf = (form: Row) => checks[id === undefined ? 'add' : 'edit'](id === undefined ? form : { id, ...form }, ctx.language)
  const found = problemsOf(completed)
  // What stands there already keeps nobody from changing another field.
  const stored = id === undefined || found.length === 0 ? undefined : (await findRows(db, resource, sql`id = ${id}`))[0]
  const rest = stored === undefined ? completed : withoutUnchanged(found, completed, toWire(resource, stored))
  const problems = rest === completed ? found : problemsOf(rest)
  const first = problems[0]
  if (first) {
    const refusal = refuse('kernel/invalid-input', {}, { data: { fields: problems } })
    throw new Refused({ ...refusal, text: { zh: first.msg, en: first.msg } })
  }
  const visible = visibleOf(resource, seams, ctx)
  const before = id === undefined ? undefined : (await findRows(db, resource, allOf([sql`id = ${id}`, visible]), true))[0]
  if (id !== undefined && !before) throw new Refused(refuse('kernel/not-found', {}))
  if (before && version !== undefined && before['version'] !== version) throw new Refused(refuse('kernel/changed-meanwhile', {}))
  const changedImmutable =
    before &&
    Object.entries(resource.fields).filter(([name, field]) => field.immutable && rest[name] !== undefined && rest[name] !== before[name])
  if (changedImmutable && changedImmutable.length > 0)
    throw new Refused(refuse('kernel/frozen', { fields: changedImmutable.map(([, field]) => ctx.say(field.label)).join('、') }))
  const given = withoutEmptyDefaults(resource, rest)
  const wanted = (await seams.prepare?.({ ctx, db, input: given, before })) ?? given
  if (isRefusal(wanted)) throw new Refused(wanted)
  const second = await seams.waits?.({ ctx, db, input: wanted, before })
  const prepared = second ? Object.fromEntries(Object.entries(wanted).filter(([name]) => !second.fields.includes(name))) : wanted
  const says = second ? { waiting: ctx.say(second.waiting) } : {}
  // Nothing is left to be written now.
  if (second && before && Object.entries(prepared).every(([name, value]) => isSame(before[name], value)))
    return { id: String(before['id']), ...says }
  const isShown = resource.answers === 'row' || !isFrameworkPath(resource.basePath)
  // In one message, the row behind what may object to it: the first objection is told, and takes back what was written.
  const asked = Promise.all([
    refuseUnknownKey(db, resource, prepared, before),
    refuseUnreached(resource, ctx, db, prepared, before),
    refuseDuplicate(db, resource, prepared, id),
  ])
  const written = Promise.all([
    writeRow(db, resource, id, prepared, rowScopeOf(ctx.session, resource)),
    isShown ? namedWords(resource, ctx, db) : undefined,
  ])
  // A row that may not be there fails as well: what objects to it says why.
  written.catch(() => {})
  const objection = (await asked).find(one => one !== undefined)
  if (objection) throw new Refused(objection)
  const [after, words] = await written
  // Written where the writer could not read it: nobody puts a row out of their own reach, or into somebody else's.
  if (!after) throw new Refused(refuse('kernel/out-of-scope', {}))
  const savedId = String(after['id'])
  const shown: Row = isShown ? (await presenterOf(resource, seams, ctx, db, [after], words))(after) : {}
  const shownBefore = async (): Promise<Row> =>
    before === undefined ? {} : (await presenterOf(resource, seams, ctx, db, [before], undefined))(before)
  // Clients of the framework send back what they were shown, also when what it follows from has changed (ADR 0146).
  for (const [name, { label: words }] of isFrameworkPath(resource.basePath) ? [] : Object.entries(derived)) {
    const value = sent[name] ?? ''
    if (value !== '' && value !== shown[name] && !(before !== undefined && isSame((await shownBefore())[name], value)))
      throw new Refused(
        refuseField(name, { zh: `${words.zh}由其他内容决定，不能另填`, en: `${words.en} follows from the rest and cannot be set` }),
      )
  }
  await audit(db, ctx, {
    action: `${resource.name}.${before ? 'updated' : 'added'}`,
    entity: resource.name,
    entityId: savedId,
    ...(before ? { before: toWire(resource, before) } : {}),
    after: toWire(resource, after),
  })
  await seams.afterWrite?.({ ctx, db, before, after, input: prepared })
  return resource.answers === 'row' ? shown : { id: savedId, ...says }
}

const remove = async (
  resource: Resource,
  seams: CrudSeams,
  ctx: Ctx,
  db: TenantDb,
  ids: readonly string[],
): Promise<{ removed: number }> => {
  const wanted = [...new Set(ids)]
  if (wanted.length === 0) throw new Refused(refuse('kernel/select-one', {}))
  const rows = await findRows(db, resource, allOf([sql`id = any(${wanted})`, visibleOf(resource, seams, ctx)]), true)
  // One foreign or missing id: nothing is done (decision 3.4).
  if (rows.length !== wanted.length) throw new Refused(refuse('kernel/not-found', {}))
  const refusal = await seams.refuseRemove?.({ ctx, db, rows })
  if (refusal) throw new Refused(refusal)
  await db.run(sql`
    update ${sql.table(resource.table)} set is_deleted = true, updated_at = app_now(), updated_by = ${db.actor.userId}, version = version + 1
    where id = any(${wanted})`)
  for (const row of rows) {
    await audit(db, ctx, {
      action: `${resource.name}.removed`,
      entity: resource.name,
      entityId: String(row['id']),
      before: toWire(resource, row),
    })
    await seams.afterWrite?.({ ctx, db, before: row, after: undefined, input: {} })
  }
  return { removed: rows.length }
}

/** The handlers of a plain noun's generated routes. */
export const crud = (resource: Resource, seams: CrudSeams = {}): Handler[] => {
  const checks = {
    add: checkerOf(submitSchema(resource.fields, 'add', resource.takes) as never),
    edit: checkerOf(submitSchema(resource.fields, 'edit', resource.takes) as never),
  }
  const present = (ctx: Ctx, row: Row): Row => (seams.present ? seams.present(ctx, toWire(resource, row)) : toWire(resource, row))
  const noun = nounOf(resource)
  const narrowing = (ctx: Ctx, input: Row): RawBuilder<unknown>[] => {
    const unseen = refuseUnseenSearch(ctx, noun, searchedFields(resource.fields, input))
    if (unseen) throw new Refused(unseen)
    const visible = visibleOf(resource, seams, ctx)
    return [...(visible ? [visible] : []), ...(seams.filter?.(ctx, input) ?? filterOf(resource.fields, input))]
  }
  const where = (ctx: Ctx, input: Row): RawBuilder<unknown> => allOf([sql`not is_deleted`, ...narrowing(ctx, input)])
  const countRows = async (ctx: Ctx, db: TenantDb, input: Row): Promise<number> =>
    Number((await db.one(sql<{ n: string }>`select count(*) as n from ${sql.table(resource.table)} where ${where(ctx, input)}`)).n)
  /** What the rows of a search come to, by the same condition as they are counted by. */
  const sumsOf = async (ctx: Ctx, db: TenantDb, input: Row): Promise<{ sums?: Record<string, number> }> => {
    const { sums } = resource
    if (sums === undefined) return {}
    const added = sums.map(({ key, field, of }) => {
      const only = of === undefined ? sql`` : sql`filter (where ${sql.ref(snakeCase(of.field))} = any(${[...of.values]}::int[]))`
      return sql`coalesce(sum(${sql.ref(snakeCase(field))}) ${only}, 0)::text as ${sql.ref(key)}`
    })
    const row = await db.one(
      sql<Record<string, string>>`select ${sql.join(added)} from ${sql.table(resource.table)} where ${where(ctx, input)}`,
    )
    return { sums: Object.fromEntries(sums.map(({ key }) => [key, Number(row[key])])) }
  }

  const page = async (ctx: Ctx, db: TenantDb, input: Row) => {
    const { current, size, offset } = sliceOf(input as { current?: number; size?: number })
    const condition = where(ctx, input)
    const counted = isNarrowed(db.actor) || narrowing(ctx, input).length > 0 ? undefined : seams.counted
    const read = () =>
      Promise.all([
        db.all(sql<Row>`
          select ${selectList(resource)} from ${sql.table(resource.table)} where ${condition}
          order by ${orderOf(resource, input)} limit ${size} offset ${offset}`),
        namedWords(resource, ctx, db),
        counted && keptCount(db, [counted]),
      ])
    // Where nothing hangs on the rows, they are all that is asked.
    const isAll = seams.more === undefined && counted !== undefined && resource.sums === undefined && shownRefs(resource).length === 0
    const [records, words, kept] = await (isAll ? db.last(read) : read())
    // A page that is not full says by itself how many there are. Counted apart from its rows, nobody builds the rows that are only counted.
    const isLast = records.length < size && (records.length > 0 || offset === 0)
    const finish = () =>
      Promise.all([
        isLast ? offset + records.length : (kept ?? countRows(ctx, db, input)),
        presenterOf(resource, seams, ctx, db, records, words),
        sumsOf(ctx, db, input),
      ])
    const [total, shown, sums] = await (isAll || seams.more ? finish() : db.last(finish))
    const rows = records.map(shown)
    return { ...toPage([...((await seams.more?.(db, rows)) ?? rows)], total, current, size), ...sums }
  }

  const serve: Record<Exclude<CrudVerb, 'export'>, (call: { ctx: Ctx; db: TenantDb; input: Row }) => Promise<unknown>> = {
    list: ({ ctx, db, input }) => page(ctx, db, input),
    page: ({ ctx, db, input }) => page(ctx, db, input),
    detail: async ({ ctx, db, input }) => {
      const [row] = await findRows(db, resource, allOf([sql`id = ${input['id']}`, visibleOf(resource, seams, ctx)]))
      if (!row) return refuse('kernel/not-found', {})
      const shown = (await presenterOf(resource, seams, ctx, db, [row]))(row)
      return (await seams.more?.(db, [shown]))?.[0] ?? shown
    },
    select: async ({ ctx, db }) => {
      const rows = await db.all(sql<Row>`
        select ${selectList(resource)} from ${sql.table(resource.table)} where ${where(ctx, {})} order by ${orderOf(resource, {})}
        limit ${mostChoices}`)
      return rows.map(await presenterOf(resource, seams, ctx, db, rows))
    },
    submit: ({ ctx, db, input }) => submit(resource, seams, checks, ctx, db, input),
    remove: ({ ctx, db, input }) =>
      remove(
        resource,
        seams,
        ctx,
        db,
        String(input['ids'] ?? '')
          .split(',')
          .filter(Boolean),
      ),
  }
  const generated = crudRoutes(resource)
  return resource.verbs.flatMap(verb => {
    const route = generated[verb]
    if (!route || (resource.writes === 'own' && (verb === 'submit' || verb === 'remove'))) return []
    if (verb !== 'export') return [handle(route, call => serve[verb](call as never) as never)]
    return [
      handleExport(route, async ({ ctx, input }) =>
        planRows(resource, ctx, {
          filter: input,
          without: await seams.sheetWithout?.(ctx, input),
          where: where(ctx, input),
          order: orderOf(resource, input),
          present: row => (seams.sheet ? seams.sheet(ctx, present(ctx, row)) : present(ctx, row)),
        }),
      ),
    ]
  })
}
