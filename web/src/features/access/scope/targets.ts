import { useQuery } from '@tanstack/react-query'
import type { ScopeTarget } from '#contract/access/data-scope.ts'
import { api } from '#web/kernel/api.ts'

export type Target = Omit<ScopeTarget, 'types'> & { readonly types: readonly number[] }

export const useTargets = () =>
  useQuery({
    queryKey: ['scope-targets'],
    queryFn: async ({ signal }) => (await api.call('GET /blade-system/data-scope/targets', {}, { signal })) as unknown as readonly Target[],
  })
