import { useQuery } from '@tanstack/react-query'
import { api } from '#web/kernel/api.ts'

/** What a row is called, by the detail call of its noun; empty until it is known. */
export const useRowName = (path: string, id: string, field: string): string => {
  const { data } = useQuery({
    queryKey: [path, id],
    queryFn: ({ signal }) => api.request<Readonly<Record<string, unknown>>>({ method: 'GET', path, query: { id }, signal, quiet: true }),
  })
  return String(data?.[field] ?? '')
}
