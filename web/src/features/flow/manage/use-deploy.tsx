import { useQuery } from '@tanstack/react-query'
import { Select } from 'antd'
import { useState } from 'react'
import { categoryDictionary, categoryOf } from '#contract/flow/flow-limits.ts'
import { api } from '#web/kernel/api.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { useCan } from '#web/kernel/permission.ts'
import { useSaid } from '#web/kernel/said.ts'
import { useDict } from '#web/resource/use-dict.ts'
import { Labelled, LabelledSelect } from '#web/ui/labelled.tsx'
import { manageTexts } from './texts.ts'

interface Where {
  readonly category: string
  /** Comma-joined; empty means all tenants to the platform's administrators, the own one to others. */
  readonly tenantIds: string
}

/** Under what and for whom a process is deployed. `check` shows what is missing. */
export const useDeploy = (initial = '') => {
  const t = useT(manageTexts)
  // Only the platform's administrators know the tenants, and they alone deploy for all.
  const isPlatform = useCan()('tenant_view')
  const categories = useDict(categoryDictionary)
  const [category, setCategory] = useState(initial)
  const [scope, setScope] = useState<'all' | 'some'>('all')
  const [tenants, setTenants] = useState<readonly string[]>([])
  const [wrong, setWrong] = useSaid<{ readonly category?: string; readonly tenants?: string }>({})
  const choices = useQuery({
    queryKey: ['flow-tenants'],
    queryFn: () => api.call('GET /blade-system/tenant/select', {}),
    enabled: isPlatform && scope === 'some',
  })
  const isSome = isPlatform && scope === 'some'
  const check = (): Where | null => {
    const found = {
      ...(category === '' ? { category: t('deploy.category.need') } : {}),
      ...(isSome && tenants.length === 0 ? { tenants: t('deploy.tenants.need') } : {}),
    }
    setWrong(found)
    return Object.keys(found).length > 0 ? null : { category, tenantIds: isSome ? tenants.join(',') : '' }
  }
  const fields = (
    <>
      <LabelledSelect
        label={t('deploy.category')}
        error={wrong.category}
        value={category}
        options={[
          { value: '', label: t('deploy.category.choose') },
          ...categories.map(({ value, label }) => ({ value: categoryOf(value), label })),
        ]}
        onChange={setCategory}
      />
      {isPlatform ? (
        <LabelledSelect
          label={t('deploy.for')}
          value={scope}
          options={[
            { value: 'all', label: t('deploy.for.all') },
            { value: 'some', label: t('deploy.for.some') },
          ]}
          onChange={setScope}
        />
      ) : (
        <p>{t('deploy.own')}</p>
      )}
      {isSome ? (
        <Labelled label={t('deploy.tenants')} error={wrong.tenants}>
          {(id, described) => (
            <Select<string[]>
              id={id}
              {...described}
              mode="multiple"
              style={{ width: '100%' }}
              loading={choices.isFetching}
              showSearch={{ optionFilterProp: 'label' }}
              options={(choices.data ?? []).map(each => ({ value: each.tenantId, label: `${each.tenantName} ${each.tenantId}` }))}
              value={[...tenants]}
              onChange={setTenants}
            />
          )}
        </Labelled>
      ) : null}
    </>
  )
  return { fields, check }
}
