export const logKinds = ['usual', 'api', 'error'] as const
export type LogKind = (typeof logKinds)[number]

/** Logs whose old lines go: these, and the log of log-ins. */
export const purgedKinds = [...logKinds, 'login'] as const
export type PurgedKind = (typeof purgedKinds)[number]

/** Days that lines of a log must be kept at least: network logs half a year by law, the others a week. */
export const leastKeptDays: Readonly<Record<PurgedKind, number>> = { usual: 7, api: 180, error: 7, login: 180 }

/** The button that removes lines. */
export const purgeCodes = {
  usual: 'log_usual_purge',
  api: 'log_api_purge',
  error: 'log_error_purge',
  login: 'authlog_purge',
} as const satisfies Readonly<Record<PurgedKind, string>>
