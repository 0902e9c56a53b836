import type { ApiOutput } from '#web/kernel/api.ts'

export type ChangeRow = ApiOutput<'GET /blade-userupdateinfo/userupdateinfo/list'>['records'][number]
