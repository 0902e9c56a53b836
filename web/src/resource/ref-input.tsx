import { useQuery } from '@tanstack/react-query'
import { Select } from 'antd'
import { useEffect, useState } from 'react'
import type { Field } from '#contract/kernel/field.ts'
import { inSentence } from '#contract/kernel/label.ts'
import { refTitleOf } from '#contract/kernel/ref-target.ts'
import { api } from '../kernel/api.ts'
import { useLabel, useT } from '../kernel/i18n/index.ts'
import { useCan } from '../kernel/permission.ts'
import { clearByKey } from '../ui/clear-by-key.ts'
import { refTarget } from './declared.ts'
import type { Row } from './fields.ts'
import type { InputProps } from './input-props.ts'
import { namedChoices } from './named-choices.ts'
import type { PageOf } from './page-of.ts'
import { resourceTexts } from './texts.ts'

const useLater = (value: string, delayMs: number): string => {
  const [later, setLater] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setLater(value), delayMs)
    return () => clearTimeout(timer)
  }, [value, delayMs])
  return later
}

type Branch = Row & { readonly children?: readonly Branch[] }
/** Lists answer a page, a plain list or a tree; whoever chooses has them one after the other. */
const rowsOf = (answer: PageOf<Row> | readonly Branch[]): readonly Row[] => {
  const flat = (rows: readonly Branch[]): readonly Row[] => rows.flatMap(row => [row, ...flat(row.children ?? [])])
  return 'records' in answer ? answer.records : flat(answer)
}
const shownChoices = 50

/** Chooses a row of another noun by typing a part of its name: its own list searches, with the rights of the person. */
export const RefInput = ({
  field,
  value,
  onChange,
  disabled = false,
  ...rest
}: InputProps & { readonly field: Field; readonly disabled?: boolean }) => {
  const t = useT(resourceTexts)
  const label = useLabel()
  const [typed, setTyped] = useState('')
  const wanted = useLater(typed, 300)
  const target = refTarget(field.ref)
  const may = useCan()(target?.view ?? '')
  const id = typeof value === 'string' && value !== '' ? value : undefined
  const found = useQuery({
    queryKey: ['ref', field.ref, wanted],
    queryFn: () =>
      api.request<PageOf<Row> | readonly Branch[]>({
        method: 'GET',
        path: target?.list ?? '',
        query: {
          ...(target?.paged ? { current: 1, size: shownChoices } : {}),
          ...(target?.search === undefined || wanted === '' ? {} : { [target.search]: wanted }),
        },
      }),
    enabled: target?.list !== undefined && may,
  })
  const rows = found.data === undefined ? [] : rowsOf(found.data)
  const missing = id !== undefined && found.data !== undefined && !rows.some(row => row.id === id)
  const chosen = useQuery({
    queryKey: ['ref', field.ref, 'row', id],
    queryFn: () => api.request<Row>({ method: 'GET', path: target?.detail ?? '', query: { id }, quiet: true }),
    enabled: missing && target?.detail !== undefined && may,
    retry: false,
  })
  if (target === undefined) return null
  const known = [...(missing && chosen.data !== undefined ? [chosen.data] : []), ...rows]
  const noun = label({ ...target.label, en: inSentence(target.label.en) })
  return (
    <Select
      {...rest}
      disabled={disabled || !may}
      allowClear={!field.required}
      onKeyDown={field.required ? undefined : clearByKey(() => onChange?.(null))}
      showSearch={{ filterOption: false, onSearch: setTyped }}
      loading={found.isFetching}
      placeholder={
        may ? t('form.select', { label: label({ ...field.label, en: inSentence(field.label.en) }) }) : t('ref.closed', { label: noun })
      }
      notFoundContent={found.isFetching ? t('ref.wait') : t('ref.none', { label: noun })}
      // A row that is stored and cannot be read stays what it is: it has no name to show.
      options={namedChoices(
        known.map(row => ({ value: row.id, label: refTitleOf(target, row) || row.id })),
        id === undefined ? [] : [id],
        found.isFetching || chosen.isFetching,
        t('ref.unread'),
      )}
      value={id}
      onChange={next => onChange?.(next ?? null)}
    />
  )
}
