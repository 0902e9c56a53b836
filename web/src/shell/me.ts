import { queryOptions, useQuery } from '@tanstack/react-query'
import { api } from '../kernel/api.ts'
import { useSession } from '../kernel/session.ts'

/** The caller's own account. The link of the picture in it is good for ten minutes, so it is read anew before that. */
export const meQuery = queryOptions({
  queryKey: ['shell', 'me'],
  queryFn: () => api.call('GET /blade-system/user/info', {}, { quiet: true }),
  staleTime: 8 * 60_000,
})

/** Address of the person's picture; empty for the default one (S2.32). */
export const useAvatar = (): string => {
  const atLogin = useSession(session => session.user?.avatar) ?? ''
  const { data } = useQuery(meQuery)
  return data === undefined ? atLogin : data.avatar
}
