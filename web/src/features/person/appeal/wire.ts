import type { ApiOutput } from '#web/kernel/api.ts'

export type AppealPage = ApiOutput<'GET /blade-userappeal/userappeal/list'>
export type AppealLine = AppealPage['records'][number]
