import { useQuery } from '@tanstack/react-query'
import { Select } from 'antd'
import { apiScope } from '#contract/access/scope.resources.ts'
import { api } from '#web/kernel/api.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import type { InputProps } from '#web/resource/input-props.ts'
import { ResourcePage } from '#web/resource/resource-page.tsx'
import { findOption } from '#web/ui/find-option.ts'
import { scopeTexts } from './texts.ts'
import '../access.css'

/** The calls that there are: a path that is typed nearly right keeps nothing. */
const PathInput = ({ value, onChange, id }: InputProps) => {
  const calls = useQuery({
    queryKey: ['scope-calls'],
    queryFn: ({ signal }) => api.call('GET /blade-system/api-scope/calls', {}, { signal }),
  })
  return (
    <Select
      {...(id === undefined ? {} : { id })}
      loading={calls.isPending}
      showSearch={{ filterOption: findOption }}
      popupMatchSelectWidth={false}
      options={(calls.data ?? []).map(({ method, path, codes }) => ({ value: path, label: `${method} ${path} · ${codes.join(' / ')}` }))}
      value={typeof value === 'string' && value !== '' ? value : undefined}
      onChange={next => onChange?.(next)}
    />
  )
}
const MethodInput = ({ value, onChange, id }: InputProps) => (
  <Select
    {...(id === undefined ? {} : { id })}
    options={['GET', 'POST'].map(method => ({ value: method, label: method }))}
    value={typeof value === 'string' && value !== '' ? value : undefined}
    onChange={next => onChange?.(next)}
  />
)
const inputs = { scopePath: PathInput, scopeMethod: MethodInput }

/** Calls that are kept for the roles that hold them (S7.15). */
export const Page = () => {
  const t = useT(scopeTexts)
  return <ResourcePage resource={apiScope} inputs={inputs} above={<p className="access-lead">{t('api.lead')}</p>} />
}
