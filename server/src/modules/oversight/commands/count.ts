import type { Measure } from '#contract/oversight/measure.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { growAlerts, insertAlert, insertStep, type Raised, type Subject, stopFarOver } from '../data/alert.repo.ts'
import { type RuleRow, rulesOn } from '../data/rule.repo.ts'
import {
  addTallies,
  type KeyedVolume,
  moveMark,
  readOffice,
  readTrail,
  rolesOf,
  sweepTallies,
  takeMark,
  takePending,
  volumesOfPeople,
  volumesOfRoles,
  volumesOfTenant,
} from '../data/tally.repo.ts'
import type { WatchDeps } from '../deps.ts'
import { summed, type Tally, tallyOf } from '../domain/tally.ts'
import {
  counted,
  leastLimitOf,
  limitOf,
  type OfficeHours,
  startOfDay,
  sumWithin,
  usualOf,
  usualReachMs,
  windowOf,
} from '../domain/volume.ts'
import { tell, tellStopped } from './tell.ts'

const batch = 2_000
const dayMs = 86_400_000
/** Volumes older than this say nothing about what is usual. */
const keptMs = 60 * dayMs

const keyOf = ({ kind, userId, roleAlias }: Subject): string => (kind === 'person' ? userId : kind === 'role' ? roleAlias : '')

/** Whom a rule is about, given who did something. The program itself is nobody's person. */
const subjectsOf = (rule: RuleRow, people: readonly string[], roles: ReadonlyMap<string, readonly string[]>): readonly Subject[] => {
  const isCounted = (alias: string): boolean => rule.roles.length === 0 || rule.roles.includes(alias)
  if (rule.subject === 'tenant') return [{ kind: 'tenant', userId: '0', roleAlias: '' }]
  if (rule.subject === 'role')
    return [...new Set(people.flatMap(id => roles.get(id) ?? []))]
      .filter(isCounted)
      .map(roleAlias => ({ kind: 'role', userId: '0', roleAlias }))
  return people
    .filter(id => id !== '0' && (rule.roles.length === 0 || (roles.get(id) ?? []).some(isCounted)))
    .map(userId => ({ kind: 'person', userId, roleAlias: '' }))
}

/** Volumes of all subjects since an instant, by kind of subject. */
const readVolumes = async (db: TenantDb, cases: readonly { readonly rule: RuleRow; readonly subject: Subject }[], since: Date) => {
  const of = (kind: Subject['kind']) => {
    const own = cases.filter(one => one.subject.kind === kind)
    return { measures: [...new Set(own.map(one => one.rule.measure))], keys: [...new Set(own.map(one => keyOf(one.subject)))] }
  }
  const [person, role, tenant] = [of('person'), of('role'), of('tenant')]
  const nothing: KeyedVolume[] = []
  const [people, roles, all] = await Promise.all([
    person.keys.length > 0 ? volumesOfPeople(db, person.measures, person.keys, since) : nothing,
    role.keys.length > 0 ? volumesOfRoles(db, role.measures, role.keys, since) : nothing,
    tenant.keys.length > 0 ? volumesOfTenant(db, tenant.measures, since) : nothing,
  ])
  const found = { person: people, role: roles, tenant: all }
  return ({ kind, ...rest }: Subject, measure: Measure): readonly KeyedVolume[] =>
    found[kind].filter(volume => volume.measure === measure && volume.key === keyOf({ kind, ...rest }))
}

/** What may be unusual among what was touched: enough of it for the rule, whatever the habit. */
const suspicious = async (db: TenantDb, touched: readonly Tally[], office: OfficeHours): Promise<readonly Raised[]> => {
  const rules = await rulesOn(db, [...new Set(touched.map(tally => tally.measure))])
  if (rules.length === 0) return []
  const roles = await rolesOf(db, [...new Set(touched.map(tally => tally.userId))])
  const cases = rules.flatMap(rule => {
    const own = touched.filter(tally => tally.measure === rule.measure)
    return subjectsOf(rule, [...new Set(own.map(tally => tally.userId))], roles).map(subject => ({
      rule,
      subject,
      hours: own.map(tally => tally.hour),
    }))
  })
  const first = new Date(Math.min(...touched.map(tally => startOfDay(tally.hour).getTime())))
  const volumes = await readVolumes(db, cases, first)
  return cases.flatMap(({ rule, subject, hours }) => {
    const own = counted(volumes(subject, rule.measure), rule.isOffHours, office)
    const windows = new Map(hours.map(hour => windowOf(rule.span, hour)).map(window => [window.start.getTime(), window]))
    return [...windows.values()]
      .map((window): Raised => ({ rule, subject, window, amount: sumWithin(own, window) }))
      .filter(({ amount }) => amount > 0 && amount >= leastLimitOf(rule))
  })
}

/** Raises what is unusual, each once; what was raised before grows; whoever is far over the limit exports nothing more. */
const raise = async (deps: WatchDeps, db: TenantDb, touched: readonly Tally[]): Promise<number> => {
  const office = await readOffice(db)
  const found = await suspicious(db, touched, office)
  if (found.length === 0) return 0
  const known = new Set(await growAlerts(db, found))
  const raised = await raiseFresh(
    deps,
    db,
    found.filter(one => !known.has(one)),
    office,
  )
  for (const stopped of await stopFarOver(db, found)) {
    await insertStep(db, stopped.id, 'stop', '')
    await tellStopped(deps, db, stopped)
  }
  return raised
}

const raiseFresh = async (deps: WatchDeps, db: TenantDb, fresh: readonly Raised[], office: OfficeHours): Promise<number> => {
  if (fresh.length === 0) return 0
  const first = Math.min(...fresh.map(one => one.window.start.getTime()))
  const volumes = await readVolumes(db, fresh, new Date(first - usualReachMs - dayMs))
  let raised = 0
  for (const one of fresh) {
    const own = counted(volumes(one.subject, one.rule.measure), one.rule.isOffHours, office)
    const usual = usualOf(own, one.rule.span, one.window, office)
    const limit = limitOf(one.rule, usual)
    if (one.amount < limit) continue
    const id = await insertAlert(db, one, limit, usual)
    if (id === undefined) continue
    await insertStep(db, id, 'raise', '')
    await tell(deps, db, id, one, limit, usual)
    raised += 1
  }
  return raised
}

/**
 * Counts what came into a tenant's trail and logs since the last time and raises what is unusual: one transaction that holds the tenant's mark,
 * so that a line is counted once and an alert raised once, whichever process does it and wherever it is killed.
 *
 * @returns whether there may be more; alerts raised
 */
export const countTenant = async (deps: WatchDeps, db: TenantDb): Promise<{ more: boolean; raised: number }> => {
  const mark = await takeMark(db)
  if (!mark) return { more: false, raised: 0 }
  const lines = await readTrail(db, mark.auditSeq, batch)
  const pending = await takePending(db, batch)
  const last = lines.at(-1)
  if (last) await moveMark(db, last.seq)
  const quiet = BigInt(mark.quietSeq)
  const loud = summed([...tallyOf(lines.filter(line => BigInt(line.seq) > quiet)), ...pending])
  const all = summed([...tallyOf(lines), ...pending])
  if (all.length > 0) await addTallies(db, all)
  await sweepTallies(db, new Date(db.now.getTime() - keptMs))
  const raised = loud.length > 0 ? await raise(deps, db, loud) : 0
  return { more: lines.length === batch || pending.reduce((sum, tally) => sum + tally.amount, 0) === batch, raised }
}
