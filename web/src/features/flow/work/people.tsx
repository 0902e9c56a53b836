import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Select } from 'antd'
import { useEffect, useState } from 'react'
import { api } from '#web/kernel/api.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import type { InputProps } from '#web/resource/input-props.ts'
import { namedChoices } from '#web/resource/named-choices.ts'
import { resourceTexts } from '#web/resource/texts.ts'
import { workTexts } from './texts.ts'

const typingMs = 300

/** Members of staff of the own tenant, found by typing; comma-joined ids on the wire. `single`: one of them. */
export const WorkPeople = ({ value, onChange, single = false, ...rest }: InputProps & { readonly single?: boolean }) => {
  const t = useT(workTexts)
  const r = useT(resourceTexts)
  const [typed, setTyped] = useState('')
  const [keyword, setKeyword] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setKeyword(typed.trim()), typingMs)
    return () => clearTimeout(timer)
  }, [typed])
  const chosen = String(value ?? '')
    .split(',')
    .filter(Boolean)
  const found = useQuery({
    queryKey: ['work-people', keyword],
    queryFn: () => api.call('GET /blade-flow/work/people', keyword === '' ? {} : { keyword }),
    placeholderData: keepPreviousData,
  })
  const rows = found.data ?? []
  const missing = chosen.filter(id => !rows.some(row => row.id === id)).join(',')
  const others = useQuery({
    queryKey: ['work-people', 'ids', missing],
    queryFn: () => api.call('GET /blade-flow/work/people', { userIds: missing }, { quiet: true }),
    enabled: found.data !== undefined && missing !== '',
  })
  const options = [...(others.data ?? []), ...rows].map(row => ({
    value: row.id,
    label: `${row.realName} ${row.account}${row.deptName === '' ? '' : ` · ${row.deptName}`}`,
  }))
  const shared = {
    ...rest,
    allowClear: true,
    showSearch: { filterOption: false, onSearch: setTyped },
    loading: found.isFetching,
    placeholder: t('people.choose'),
    notFoundContent: t('people.none'),
    options: namedChoices(options, chosen, found.isFetching || others.isFetching, r('ref.unread')),
    style: { width: '100%' },
  } as const
  return single ? (
    <Select<string> {...shared} value={chosen[0]} onChange={next => onChange?.(next ?? null)} />
  ) : (
    <Select<string[]> {...shared} mode="multiple" value={chosen} onChange={next => onChange?.(next.join(','))} />
  )
}
