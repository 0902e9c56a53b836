import type { ApiOutput } from '#web/kernel/api.ts'
import { minuteOf } from '#web/kernel/format.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { Facts } from '#web/ui/facts.tsx'
import { PersonNames } from './person-names.tsx'
import { workTexts } from './texts.ts'

type Of = ApiOutput<'GET /blade-flow/work/instance-detail'>

/** What was asked for, by whom and when. */
export const RequestFacts = ({ of }: { readonly of: Omit<Of, 'deleteReason'> }) => {
  const t = useT(workTexts)
  return (
    <Facts
      items={[
        {
          key: 'process',
          label: t('col.process'),
          value: t('process.version', { name: of.processDefinitionName, version: of.processDefinitionVersion }),
        },
        { key: 'starter', label: t('col.starter'), value: of.startUserName },
        { key: 'startTime', label: t('col.startTime'), value: minuteOf(of.startTime) },
        ...of.variables.map(({ name, label, type }) => {
          const value = of.values[name]
          return {
            key: `value ${name}`,
            label,
            value:
              type === 'user' && typeof value === 'string' ? (
                <PersonNames ids={value} />
              ) : type === 'boolean' ? (
                t(value === true ? 'value.yes' : 'value.no')
              ) : value === null || value === undefined ? (
                ''
              ) : (
                String(value)
              ),
          }
        }),
      ]}
    />
  )
}
