import { runStates } from '#contract/installation/invariant.routes.ts'
import type { Label } from '#contract/kernel/label.ts'
import { platformTenant } from '#contract/kernel/platform.ts'
import { systemOf, type TenantDb } from '#kernel/db/scope.ts'
import { StorageError } from '#kernel/files/store.ts'
import type { BrokenRow, Invariant, SqlInvariant } from '#kernel/invariant.ts'
import {
  endRun,
  isTimeOut,
  keepOutcome,
  keepProblem,
  listAdministrators,
  listBrokenRows,
  listExams,
  mostRows,
  noteProgress,
  type Outcome,
  readCarefully,
  setTotal,
} from '../data/invariant.repo.ts'
import type { InstallationKit } from '../deps.ts'

type Row = Outcome['rows'][number]
/** What stopped holding in a tenant, by the checks' names. */
type News = Map<string, Invariant[]>

const problemOf = (error: unknown): Label => {
  if (isTimeOut(error))
    return { zh: '核对超时，数据库繁忙或数据量过大', en: 'it took too long: the database is busy, or there is too much of it' }
  if (error instanceof StorageError) return error.why
  const why = error instanceof Error ? error.message : String(error)
  return { zh: `无法核对：${why}`, en: `it could not be checked: ${why}` }
}

const inTenant = <T>({ services }: InstallationKit, tenantId: string, work: (db: TenantDb) => Promise<T>): Promise<T> =>
  services.scopes.tx(systemOf(tenantId), services.clock.now(), work)

/** One check in one tenant, an examination at a time, each in a transaction of its own. */
const lookAt = async (kit: InstallationKit, tenantId: string, invariant: SqlInvariant, signal: AbortSignal): Promise<Row[]> => {
  const exams = invariant.by === 'exam' ? await inTenant(kit, tenantId, listExams) : [null]
  const rows: Row[] = []
  for (const examId of exams) {
    signal.throwIfAborted()
    const room = mostRows + 1 - rows.length
    if (room <= 0) break
    const found = await inTenant(kit, tenantId, async db => {
      await readCarefully(db, kit.statementMs())
      return listBrokenRows(db, invariant, examId ?? '0', room)
    })
    rows.push(...found.map(row => ({ ...row, examId })))
  }
  return rows
}

const outcomeOf = (rows: readonly Row[], tookMs: number): Outcome => {
  // A row is named once, however many things are wrong with it.
  const byId = new Map(rows.map(row => [row.id, row]))
  return { rows: [...byId.values()].slice(0, mostRows), isMore: rows.length > mostRows, tookMs: Math.round(tookMs) }
}

const remember = (news: News, tenantId: string, invariant: Invariant): void => {
  news.set(tenantId, [...(news.get(tenantId) ?? []), invariant])
}

/** One check in one tenant, and what it found. @returns how many rows */
export const checkOne = async (
  kit: InstallationKit,
  tenantId: string,
  invariant: SqlInvariant,
  signal: AbortSignal,
  news: News = new Map(),
): Promise<number> => {
  const began = performance.now()
  try {
    const outcome = outcomeOf(await lookAt(kit, tenantId, invariant, signal), performance.now() - began)
    if (await inTenant(kit, tenantId, db => keepOutcome(db, invariant.name, outcome))) remember(news, tenantId, invariant)
    return outcome.rows.length
  } catch (error) {
    if (signal.aborted) throw error
    kit.services.log.error({ err: error, tenant: tenantId, invariant: invariant.name }, 'an invariant could not be checked')
    if (await inTenant(kit, tenantId, db => keepProblem(db, invariant.name, problemOf(error)))) remember(news, tenantId, invariant)
    return 0
  }
}

/** A walk through what lies beside the database, of all tenants. */
const checkWalk = async (
  kit: InstallationKit,
  tenants: readonly string[],
  invariant: Extract<Invariant, { by: 'installation' }>,
  signal: AbortSignal,
  news: News,
): Promise<number> => {
  const began = performance.now()
  const found = new Map<string, BrokenRow[]>()
  const more = new Set<string>()
  try {
    await invariant.walk(
      (tenantId, row) => {
        const rows = found.get(tenantId) ?? []
        if (rows.length < mostRows) found.set(tenantId, [...rows, row])
        else more.add(tenantId)
      },
      { now: kit.services.clock.now(), signal },
    )
  } catch (error) {
    if (signal.aborted) throw error
    kit.services.log.error({ err: error, invariant: invariant.name }, 'an invariant could not be checked')
    if (await inTenant(kit, platformTenant, db => keepProblem(db, invariant.name, problemOf(error))))
      remember(news, platformTenant, invariant)
    return 0
  }
  let all = 0
  for (const tenantId of new Set([platformTenant, ...tenants])) {
    const rows = (found.get(tenantId) ?? []).map(row => ({ ...row, examId: null }))
    all += rows.length
    const outcome = { rows, isMore: more.has(tenantId), tookMs: Math.round(performance.now() - began) }
    if (await inTenant(kit, tenantId, db => keepOutcome(db, invariant.name, outcome))) remember(news, tenantId, invariant)
  }
  return all
}

const page = '/monitor/invariant'
const named = (invariants: readonly Invariant[]): Label => ({
  zh: [...new Set(invariants.map(({ label }) => label.zh))].join('、'),
  en: [...new Set(invariants.map(({ label }) => label.en))].join(', '),
})
const mostWords = 300

/** One notice of a run to the administrators of each tenant in which something stopped holding, and one to those of the platform about the others. */
const tell = async (kit: InstallationKit, runId: string, news: News): Promise<void> => {
  const notice = (invariants: readonly Invariant[], tenants: number) => {
    const words = named(invariants)
    const where: Label = tenants === 0 ? { zh: '', en: '' } : { zh: `（${tenants} 个机构）`, en: ` (organisations: ${tenants})` }
    return {
      examId: null,
      kind: 7 as const,
      title: { zh: '告警：数据核对发现问题', en: 'Alert: data do not agree' },
      content: {
        zh: `${`以下核对不再成立${where.zh}：${words.zh}`.slice(0, mostWords)}。请在“数据核对”中查看并处理。`,
        en: `${`No longer true${where.en}: ${words.en}`.slice(0, mostWords)}. See Data checks.`,
      },
      link: page,
    }
  }
  for (const [tenantId, invariants] of news)
    await inTenant(kit, tenantId, async db => {
      for (const userId of await listAdministrators(db, ['admin', 'administrator']))
        await kit.message.notify(db, { ...notice(invariants, 0), userId, eventKey: `invariants:${runId}` })
    })
  const elsewhere = [...news].filter(([tenantId]) => tenantId !== platformTenant)
  if (elsewhere.length === 0) return
  await inTenant(kit, platformTenant, async db => {
    const invariants = elsewhere.flatMap(([, of]) => of)
    for (const userId of await listAdministrators(db, ['administrator']))
      await kit.message.notify(db, { ...notice(invariants, elsewhere.length), userId, eventKey: `invariants:${runId}:others` })
  })
}

/**
 * Makes every check: in all tenants, or in the one whose run it is. Somebody may stop it; what was found until then is kept. Safe to repeat.
 * @param runOf - the tenant that the run belongs to
 */
export const checkAll = async (
  kit: InstallationKit,
  run: { readonly id: string; readonly tenantId: string },
  outer: AbortSignal,
): Promise<{ readonly found: number; readonly isStopped: boolean; readonly tenants: number }> => {
  const { clock } = kit.services
  const all = run.tenantId === platformTenant
  const tenants = all ? await kit.listTenants(clock.now()) : [run.tenantId]
  const invariants = kit.invariants()
  const walks = all ? invariants.flatMap(one => (one.by === 'installation' ? [one] : [])) : []
  const statements = invariants.flatMap(one => (one.by === 'installation' ? [] : [one]))
  const stop = new AbortController()
  const signal = AbortSignal.any([outer, stop.signal])
  const news: News = new Map()
  let [done, found] = [0, 0]
  const step = async (rows: number): Promise<void> => {
    done += 1
    found += rows
    if (await inTenant(kit, run.tenantId, db => noteProgress(db, run.id, { done, found }))) stop.abort()
  }
  await inTenant(kit, run.tenantId, db => setTotal(db, run.id, tenants.length * statements.length + walks.length))
  try {
    for (const tenantId of tenants)
      for (const invariant of statements) {
        signal.throwIfAborted()
        await step(await checkOne(kit, tenantId, invariant, signal, news))
      }
    for (const invariant of walks) {
      signal.throwIfAborted()
      await step(await checkWalk(kit, tenants, invariant, signal, news))
    }
    await inTenant(kit, run.tenantId, db => endRun(db, run.id, runStates.done, ''))
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    await inTenant(kit, run.tenantId, db =>
      endRun(db, run.id, signal.aborted ? runStates.stopped : runStates.failed, signal.aborted ? '' : why),
    )
    if (!stop.signal.aborted) throw error
  } finally {
    await tell(kit, run.id, news)
  }
  return { found, isStopped: stop.signal.aborted, tenants: tenants.length }
}
