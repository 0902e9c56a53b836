import { useQuery } from '@tanstack/react-query'
import { api } from '#web/kernel/api.ts'
import { listOf } from '#web/kernel/i18n/list.ts'

/** Names of members of staff that a form holds by their ids. */
export const PersonNames = ({ ids }: { readonly ids: string }) => {
  const found = useQuery({
    queryKey: ['work-people', 'ids', ids],
    queryFn: () => api.call('GET /blade-flow/work/people', { userIds: ids }, { quiet: true }),
    enabled: ids !== '',
  })
  return <>{listOf((found.data ?? []).map(({ realName }) => realName))}</>
}
