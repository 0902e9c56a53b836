export const logKinds = ['usual', 'api', 'error'] as const
export type LogKind = (typeof logKinds)[number]

/** Days that lines of a log must be kept at least: network logs half a year by law, the others a week. */
export const leastKeptDays: Readonly<Record<LogKind, number>> = { usual: 7, api: 180, error: 7 }
