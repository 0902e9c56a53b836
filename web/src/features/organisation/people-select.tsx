import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query'
import { Select } from 'antd'
import { useEffect, useState } from 'react'
import { api } from '#web/kernel/api.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import type { InputProps } from '#web/resource/input-props.ts'
import { namedChoices } from '#web/resource/named-choices.ts'
import { resourceTexts } from '#web/resource/texts.ts'
import { peopleTexts } from './texts.ts'

const typingMs = 300

/** Chooses members of staff by typing a part of a name; comma-joined on the wire. */
export const PeopleSelect = ({ value, onChange, ...rest }: InputProps) => {
  const t = useT(peopleTexts)
  const r = useT(resourceTexts)
  const [typed, setTyped] = useState('')
  const [wanted, setWanted] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setWanted(typed), typingMs)
    return () => clearTimeout(timer)
  }, [typed])
  const chosen = String(value ?? '')
    .split(',')
    .filter(Boolean)
  const found = useQuery({
    queryKey: ['people', wanted],
    queryFn: () =>
      api.call('GET /blade-system/user/page', { size: 20, userType: 1, status: 1, ...(wanted === '' ? {} : { realName: wanted }) }),
    placeholderData: keepPreviousData,
  })
  const rows = found.data?.records ?? []
  const missing = chosen.filter(id => !rows.some(row => row.id === id))
  const others = useQueries({
    queries: missing.map(id => ({
      queryKey: ['people', 'one', id],
      queryFn: () => api.call('GET /blade-system/user/detail', { id }, { quiet: true }),
      enabled: found.data !== undefined,
    })),
  })
  return (
    <Select<string[]>
      {...rest}
      mode="multiple"
      allowClear
      showSearch={{ filterOption: false, onSearch: setTyped }}
      loading={found.isFetching}
      placeholder={t('people.choose')}
      options={namedChoices(
        [...others.flatMap(({ data }) => (data === undefined ? [] : [data])), ...rows].map(row => ({
          value: row.id,
          label: `${row.realName} ${row.account}`,
        })),
        chosen,
        found.isFetching || others.some(({ isFetching }) => isFetching),
        r('ref.unread'),
      )}
      value={chosen}
      onChange={next => onChange?.(next.join(','))}
    />
  )
}
