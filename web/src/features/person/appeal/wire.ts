import type { ApiOutput } from '#web/kernel/api.ts'

export type AppealLine = ApiOutput<'GET /blade-userappeal/userappeal/list'>['records'][number]
