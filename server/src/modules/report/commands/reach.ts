import { examPay, payOrder } from '#contract/pay/pay.resources.ts'
import type { DataSetName } from '#contract/report/data-sets.ts'
import { reachOf as reachText } from '#kernel/http/background.ts'
import type { Session } from '#kernel/http/context.ts'
import { rowScopeOf, valuesInScope } from '#kernel/http/row-scope.ts'
import { listedUserScope } from '#modules/access/index.ts'
import { resultScopeOf, unitScopeOf } from '#modules/result/index.ts'
import { seesShortlistedOnly } from '#modules/signup/index.ts'
import { ticketScopeOf } from '#modules/ticket/index.ts'
import type { Reach } from '../data/sources.ts'

/** How far somebody's figures reach, beside what the database narrows by itself. */
export const reachOf = (session: Session): Reach => ({
  signups: valuesInScope(session, 'signup', 'unit', unitScopeOf(session)),
  shortlistedOnly: seesShortlistedOnly(session),
  dues: rowScopeOf(session, examPay),
  orders: rowScopeOf(session, payOrder),
  tickets: ticketScopeOf(session),
  results: resultScopeOf(session),
  people: listedUserScope(session),
  isByDepartment: session.departments !== null,
})

/** What of somebody's reach narrows a data set. */
const narrows: Readonly<Record<DataSetName, readonly (keyof Reach)[]>> = {
  signups: ['signups'],
  reviews: ['signups'],
  dues: ['signups', 'dues'],
  orders: ['signups', 'orders'],
  tickets: ['tickets'],
  results: ['results'],
  messages: ['isByDepartment'],
  logins: ['people'],
}
type Values = readonly string[] | null | undefined
/** Nothing said is everything. */
const hasAll = (wide: Values, narrow: Values): boolean => !wide || (!!narrow && narrow.every(one => wide.includes(one)))

/**
 * Whether somebody sees at least the rows of a data set that another sees. What is not plain to compare, as conditions of rules that differ, is
 * taken for less.
 */
export const seesAllOf = (name: DataSetName, reader: Session, other: Session): boolean => {
  if (reachText(reader) === reachText(other)) return true
  if (!hasAll(reader.departments, other.departments)) return false
  const [mine, theirs] = [reachOf(reader), reachOf(other)]
  const partsOf = (of: Reach['tickets'], kind: 'units' | 'sites'): Values => (of && kind in of ? Object.values(of)[0] : undefined)
  return narrows[name].every(part => {
    switch (part) {
      case 'signups':
        return hasAll(mine.signups, theirs.signups) && (!mine.shortlistedOnly || theirs.shortlistedOnly)
      case 'tickets':
        return (['units', 'sites'] as const).every(kind => hasAll(partsOf(mine.tickets, kind), partsOf(theirs.tickets, kind)))
      case 'results':
        return (
          hasAll(mine.results.units, theirs.results.units) &&
          (!mine.results.releasedOnly || theirs.results.releasedOnly) &&
          (!mine.results.shortlistedOnly || theirs.results.shortlistedOnly)
        )
      case 'isByDepartment':
        return !mine.isByDepartment || theirs.isByDepartment
      default:
        return mine[part] === undefined
    }
  })
}
