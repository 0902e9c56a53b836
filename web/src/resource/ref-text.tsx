import { useQuery } from '@tanstack/react-query'
import type { Field } from '#contract/kernel/field.ts'
import { refTitleOf } from '#contract/kernel/ref-target.ts'
import { api } from '../kernel/api.ts'
import { useCan } from '../kernel/permission.ts'
import { refTarget } from './declared.ts'
import type { Row } from './fields.ts'

/** The name of the row that a field points to, for whoever may read it. */
export const RefText = ({ field, id }: { readonly field: Field; readonly id: string }) => {
  const target = refTarget(field.ref)
  const may = useCan()(target?.view ?? '')
  const row = useQuery({
    queryKey: ['ref', field.ref, 'row', id],
    queryFn: () => api.request<Row>({ method: 'GET', path: target?.detail ?? '', query: { id }, quiet: true }),
    enabled: target?.detail !== undefined && may,
    retry: false,
  })
  if (row.data !== undefined && target !== undefined) return <>{refTitleOf(target, row.data) || '-'}</>
  return row.isFetching ? null : <>-</>
}
