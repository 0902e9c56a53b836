import type { QueryClient } from '@tanstack/react-query'
import { progressKey } from './progress-key.ts'

/** Lists, counts and pictures of one's work, after something was done with it. */
export const refreshWork = async (client: QueryClient): Promise<void> => {
  await client.invalidateQueries({
    predicate: ({ queryKey: [first, second] }) =>
      first === progressKey ||
      (first === 'list' && typeof second === 'string' && second.startsWith('work-')) ||
      first === 'GET /blade-flow/work/counts' ||
      first === 'GET /me/home',
  })
}
