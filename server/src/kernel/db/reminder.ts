import { type RawBuilder, sql } from './sql.ts'

/** Hours before an end at which people are reminded of it (domain 13.3). */
export const reminderHours = [72, 24, 3] as const

/**
 * The reminder that is due: of these hours the fewest that still cover what remains until an instant. Null while it is too early, and after the end.
 * What came about later, or while nothing ran, has the next one alone.
 */
export const reminderDue = (until: RawBuilder<unknown>, hours: readonly number[] = reminderHours): RawBuilder<number | null> =>
  sql`case when ${until} > app_now() then (select min(h) from unnest(${[...hours]}::int[]) h where ${until} - app_now() <= make_interval(hours => h)) end`

/** Names a reminder: of what, at which hours, before which end. An end that moves reminds anew. */
export const reminderKey = (
  what: string,
  id: RawBuilder<unknown>,
  hours: RawBuilder<unknown>,
  until: RawBuilder<unknown>,
): RawBuilder<string> => sql`${what}::text || ':' || ${id} || ':' || ${hours} || ':' || extract(epoch from ${until})::bigint`
