import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query'
import { Select } from 'antd'
import { useEffect, useState } from 'react'
import { api } from '#web/kernel/api.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import type { InputProps } from '#web/resource/input-props.ts'
import { peopleTexts } from './texts.ts'

const typingMs = 300

interface Person {
  readonly id: string
  readonly realName: string
  readonly account: string
}

/**
 * The choices of a search and those chosen before that it did not find, each by a name: an id is for programs.
 * @param chosen - `row` is the person as far as it was read, `isRead` whether the server has answered
 * @param unread - stands for a person the reader may not see
 */
export const peopleOptions = (
  chosen: readonly { readonly id: string; readonly row: Person | undefined; readonly isRead: boolean }[],
  rows: readonly Person[],
  unread: string,
): { readonly value: string; readonly label: string }[] => [
  ...chosen.map(({ id, row, isRead }) => ({ value: id, label: row === undefined ? (isRead ? unread : '…') : labelOf(row) })),
  ...rows.map(row => ({ value: row.id, label: labelOf(row) })),
]
const labelOf = ({ realName, account }: Person): string => `${realName} ${account}`

/** Chooses members of staff by typing a part of a name; comma-joined on the wire. */
export const PeopleSelect = ({ value, onChange, ...rest }: InputProps) => {
  const t = useT(peopleTexts)
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
      options={peopleOptions(
        missing.map((id, at) => ({ id, row: others[at]?.data, isRead: found.data !== undefined && others[at]?.isPending === false })),
        rows,
        t('people.unread'),
      )}
      value={chosen}
      onChange={next => onChange?.(next.join(','))}
    />
  )
}
