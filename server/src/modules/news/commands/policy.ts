import type { PeriodPolicy } from '#contract/news/periods.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import type { NewsKit } from '../deps.ts'

const defaults = { 'notice.announceDays': 7, 'notice.signDays': 5, 'notice.publicityDays': 5 } as const
/** Days of the tenant's own calendar, `yyyy-MM-dd` with commas between: no parameter, no such days. */
const calendars = ['calendar.holidays', 'calendar.workdays'] as const

/** What the tenant's parameters say about the periods of notices. */
export const readPolicy = async (kit: Pick<NewsKit, 'parametersOf'>, db: TenantDb): Promise<PeriodPolicy> => {
  const set = await kit.parametersOf(db, [...Object.keys(defaults), ...calendars])
  const days = (key: keyof typeof defaults): number => (/^\d{1,3}$/.test(set[key] ?? '') ? Number(set[key]) : defaults[key])
  const listed = (key: (typeof calendars)[number]): ReadonlySet<string> => new Set((set[key] ?? '').match(/\d{4}-\d{2}-\d{2}/g) ?? [])
  return {
    announceDays: days('notice.announceDays'),
    signDays: days('notice.signDays'),
    publicityDays: days('notice.publicityDays'),
    holidays: listed('calendar.holidays'),
    workdays: listed('calendar.workdays'),
  }
}
