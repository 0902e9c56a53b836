import { alertMachine } from '#contract/oversight/alert.state.ts'
import { type Measure, placeOfMeasure } from '#contract/oversight/measure.ts'
import type { ApiOutput } from '#web/kernel/api.ts'

export type AlertRow = ApiOutput<'GET /blade-watch/alert/list'>['records'][number]
export type AlertDetail = ApiOutput<'GET /blade-watch/alert/detail'>
export type RuleRow = ApiOutput<'GET /blade-watch/rule/list'>['rules'][number]
export type Office = ApiOutput<'GET /blade-watch/rule/list'>['office']
export type Days = 1 | 2 | 3 | 4 | 5 | 6 | 7

export const isOpen = ({ state }: Pick<AlertRow, 'state'>): boolean =>
  state === alertMachine.wire.new || state === alertMachine.wire.looking

/** The code without which nobody reads the lines of a measure. */
export const codeOfLines = { audit: 'auditlog_view', logins: 'authlog_view', calls: 'log_api_view' } as const

/** The log of an alert's lines, narrowed to them. */
export const linesOf = (row: Pick<AlertRow, 'measure' | 'userId' | 'windowStart' | 'windowEnd'>): string => {
  const place = placeOfMeasure(row.measure as Measure)
  const path = { audit: '/monitor/audit', logins: '/monitor/authLog', calls: '/monitor/log/api' }[place]
  const which: Readonly<Record<string, string>> = { audit: { measure: row.measure }, logins: { ok: '0' }, calls: { failed: '1' } }[place]
  return `${path}?${new URLSearchParams({ ...(row.userId === '' ? {} : { userId: row.userId }), ...which, from: row.windowStart, to: row.windowEnd })}`
}
