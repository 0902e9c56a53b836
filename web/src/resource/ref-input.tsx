import { useQuery } from '@tanstack/react-query'
import { Select } from 'antd'
import { useEffect, useState } from 'react'
import type { Field } from '#contract/kernel/field.ts'
import { inSentence } from '#contract/kernel/label.ts'
import { api } from '../kernel/api.ts'
import { useLabel, useT } from '../kernel/i18n/index.ts'
import { clearByKey } from '../ui/clear-by-key.ts'
import { resourcesByPath } from './declared.ts'
import { type Row, rowNameOf, searchFields } from './fields.ts'
import type { InputProps } from './input-props.ts'
import type { PageOf } from './page-of.ts'

const useLater = (value: string, delayMs: number): string => {
  const [later, setLater] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setLater(value), delayMs)
    return () => clearTimeout(timer)
  }, [value, delayMs])
  return later
}

/** Chooses a row of another plain noun by typing a part of its name; the server searches. */
export const RefInput = ({ field, value, onChange, ...rest }: InputProps & { readonly field: Field }) => {
  const t = useT()
  const label = useLabel()
  const [typed, setTyped] = useState('')
  const wanted = useLater(typed, 300)
  const resource = [...resourcesByPath.values()].find(each => each.name === field.ref)
  const by = resource === undefined ? undefined : searchFields(resource.fields).find(each => each.field.search === 'like')?.name
  const id = typeof value === 'string' && value !== '' ? value : undefined
  const found = useQuery({
    queryKey: ['ref', field.ref, wanted],
    queryFn: () =>
      api.request<PageOf<Row>>({
        method: 'GET',
        path: `${resource?.basePath}/list`,
        query: { current: 1, size: 50, ...(by === undefined ? {} : { [by]: wanted }) },
      }),
    enabled: resource !== undefined,
  })
  const rows = found.data?.records ?? []
  const missing = id !== undefined && found.data !== undefined && !rows.some(row => row.id === id)
  const chosen = useQuery({
    queryKey: ['ref', field.ref, 'row', id],
    queryFn: () => api.request<Row>({ method: 'GET', path: `${resource?.basePath}/detail`, query: { id }, quiet: true }),
    enabled: missing && resource !== undefined,
  })
  if (resource === undefined) return null
  const options = [...(missing && chosen.data !== undefined ? [chosen.data] : []), ...rows].map(row => ({
    value: row.id,
    label: rowNameOf(resource.fields, row),
  }))
  return (
    <Select
      {...rest}
      allowClear={!field.required}
      onKeyDown={field.required ? undefined : clearByKey(() => onChange?.(null))}
      showSearch={{ filterOption: false, onSearch: setTyped }}
      loading={found.isFetching}
      placeholder={t('form.select', { label: label({ ...field.label, en: inSentence(field.label.en) }) })}
      options={options}
      value={id}
      onChange={next => onChange?.(next ?? null)}
    />
  )
}
