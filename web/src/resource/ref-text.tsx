import { useQuery } from '@tanstack/react-query'
import type { Field } from '#contract/kernel/field.ts'
import { api } from '../kernel/api.ts'
import { resourcesByPath } from './declared.ts'
import { type Row, rowNameOf } from './fields.ts'

/** The name of the row that a field points to; its number only where the row cannot be had. */
export const RefText = ({ field, id }: { readonly field: Field; readonly id: string }) => {
  const resource = [...resourcesByPath.values()].find(each => each.name === field.ref)
  const row = useQuery({
    queryKey: ['ref', field.ref, 'row', id],
    queryFn: () => api.request<Row>({ method: 'GET', path: `${resource?.basePath}/detail`, query: { id }, quiet: true }),
    enabled: resource !== undefined,
    retry: false,
  })
  if (resource !== undefined && row.isPending) return null
  return <>{resource === undefined || row.data === undefined ? id : rowNameOf(resource.fields, row.data)}</>
}
