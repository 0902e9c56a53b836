import { queryOptions } from '@tanstack/react-query'
import { type ApiOutput, api } from '../kernel/api.ts'
import type { Lang } from '../kernel/i18n/index.ts'

export type NoticeTab = 'mail' | 'messages' | 'notices'
export type Notice = ApiOutput<'GET /me/notices'>['tabs'][number]['records'][number]

const pollMs = 60_000

/** The newest of each tab. Titles come in the reader's language. Looking is no activity of the person (decision 4.7). */
export const noticesQuery = (lang: Lang) =>
  queryOptions({
    queryKey: ['shell', 'notices', lang],
    queryFn: () => api.call('GET /me/notices', { latest: 5 }, { quiet: true }),
    staleTime: 30_000,
    refetchInterval: pollMs,
  })
