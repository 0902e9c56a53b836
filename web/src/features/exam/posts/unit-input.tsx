import { useQuery } from '@tanstack/react-query'
import { Input, Select } from 'antd'
import { api } from '#web/kernel/api.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { useCan } from '#web/kernel/permission.ts'
import type { InputProps } from '#web/resource/input-props.ts'
import type { InputSlots } from '#web/resource/schema-form.tsx'
import { NavLink } from '#web/shell/nav-link.tsx'
import { findOption } from '#web/ui/find-option.ts'
import { examTexts } from '../texts.ts'
import type { Page } from '../wire.ts'

/** `codeKind` of a unit that hires. */
const unitKind = 1

const useUnits = (mayList: boolean) =>
  useQuery({
    queryKey: ['hiring-units'],
    queryFn: ({ signal }) =>
      api.request<Page<{ readonly code: string; readonly name: string }>>({
        method: 'GET',
        path: '/blade-userCode/usercode/list',
        query: { codeKind: unitKind, status: 1, current: 1, size: 200 },
        signal,
      }),
    enabled: mayList,
    // Somebody may come back from there with a new one.
    staleTime: 0,
  })

/** The unit of a post, out of the list of units: its name follows from it. */
const UnitInput = ({ id, value, onChange }: InputProps) => {
  const t = useT(examTexts)
  const mayList = useCan()('usercode_view')
  const units = useUnits(mayList)
  const own = id === undefined ? {} : { id }
  const chosen = typeof value === 'string' ? value : ''
  if (!mayList) return <Input {...own} value={chosen} onChange={event => onChange?.(event.target.value)} />
  const known = (units.data?.records ?? []).map(unit => ({ value: unit.code, label: `${unit.code} ${unit.name}` }))
  const isKnown = chosen === '' || known.some(unit => unit.value === chosen)
  return (
    <Select<string>
      {...own}
      showSearch={{ filterOption: findOption }}
      loading={units.isFetching}
      placeholder={t('post.unit.choose')}
      notFoundContent={
        <>
          {t('post.unit.none')} <NavLink to="/exam/userCode">{t('post.unit.add')}</NavLink>
        </>
      }
      options={isKnown ? known : [{ value: chosen, label: chosen }, ...known]}
      value={chosen === '' ? null : chosen}
      onChange={next => onChange?.(next)}
    />
  )
}

export const unitInputs: InputSlots = { unit: props => <UnitInput {...props} /> }
