import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type ScopeCondition, type ScopeOperator, scopeVariables, takesValue } from '#contract/access/data-scope.ts'
import { api } from '#web/kernel/api.ts'
import { fieldTexts } from '#web/kernel/field-texts.ts'
import { useLabel, useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { useSaid } from '#web/kernel/said.ts'
import type { Row } from '#web/resource/fields.ts'
import { ActionDialog } from '#web/ui/action-dialog.tsx'
import { LabelledInput, LabelledSelect } from '#web/ui/labelled.tsx'
import { Loaded } from '#web/ui/states.tsx'
import { conditionOf, type DraftCondition, draftOf, isList } from './conditions.ts'
import type { Target } from './targets.ts'
import { scopeTexts } from './texts.ts'

const Condition = ({
  target,
  at,
  value,
  onChange,
  onRemove,
}: {
  readonly target: Target
  readonly at: number
  readonly value: DraftCondition
  readonly onChange: (value: DraftCondition) => void
  readonly onRemove: () => void
}) => {
  const t = useT(scopeTexts)
  const label = useLabel()
  const n = at + 1
  const field = target.fields.find(each => each.name === value.field) ?? target.fields[0]
  const sources = ['none', ...scopeVariables] as const
  const takesVariable = field?.kind === 'text' || field?.kind === 'ref'
  return (
    <fieldset className="scope-condition">
      <LabelledSelect
        label={t('scope.field', { n })}
        value={value.field}
        options={target.fields.map(each => ({ value: each.name, label: label(each.label) }))}
        onChange={name => {
          const operators = target.fields.find(each => each.name === name)?.operators ?? []
          const operator = operators.includes(value.operator) ? value.operator : (operators[0] ?? 'eq')
          onChange({ ...value, field: name, operator, source: 'none' })
        }}
      />
      <LabelledSelect
        label={t('scope.operator', { n })}
        value={value.operator}
        options={(field?.operators ?? []).map((operator: ScopeOperator) => ({ value: operator, label: t(`op.${operator}`) }))}
        onChange={operator => onChange({ ...value, operator })}
      />
      {takesValue(value.operator) && takesVariable ? (
        <LabelledSelect
          label={t('scope.source', { n })}
          value={value.source}
          options={sources.map(source => ({ value: source, label: t(`var.${source}`) }))}
          onChange={source => onChange({ ...value, source })}
        />
      ) : null}
      {takesValue(value.operator) && value.source === 'none' ? (
        <LabelledInput
          label={t(isList(value.operator) ? 'scope.values' : 'scope.value', { n })}
          value={value.text}
          onChange={text => onChange({ ...value, text })}
        />
      ) : null}
      <button type="button" className="link-button" onClick={onRemove}>
        {t('scope.removeCondition', { n })}
      </button>
    </fieldset>
  )
}

interface Props {
  /** Absent for a new one. */
  readonly id?: string | undefined
  readonly onClose: () => void
  readonly onSaved: () => void
}

const Form = ({
  row,
  targets,
  onClose,
  onSaved,
}: Omit<Props, 'id'> & { readonly row: Row | null; readonly targets: readonly Target[] }) => {
  const t = useT(scopeTexts)
  const label = useLabel()
  const [start] = useState(() => ({
    name: String(row?.['scopeName'] ?? ''),
    code: String(row?.['resourceCode'] ?? targets[0]?.code ?? ''),
    type: Number(row?.['scopeType'] ?? 5),
    remark: String(row?.['remark'] ?? ''),
    conditions: ((row?.['scopeValue'] ?? []) as readonly ScopeCondition[]).map(draftOf),
  }))
  const [values, setValues] = useState(start)
  const [wrong, setWrong] = useSaid<Readonly<Record<string, string>>>({})
  const set = (change: Partial<typeof start>) => setValues(before => ({ ...before, ...change }))
  const target = targets.find(each => each.code === values.code) ?? targets[0]
  if (target === undefined) return null
  const fresh = (): DraftCondition => ({
    field: target.fields[0]?.name ?? '',
    operator: target.fields[0]?.operators[0] ?? 'eq',
    source: 'none',
    text: '',
  })
  const send = async (): Promise<boolean> => {
    if (values.name.trim() === '') {
      setWrong({ scopeName: t('scope.bad.name') })
      return false
    }
    try {
      await api.request({
        method: 'POST',
        path: '/blade-system/data-scope/submit',
        body: {
          ...(row === null ? {} : { id: row.id, version: row['version'] }),
          scopeName: values.name.trim(),
          resourceCode: target.code,
          scopeType: values.type,
          scopeValue: values.type === 5 ? values.conditions.map(conditionOf) : [],
          remark: values.remark,
        },
        quiet: 'fields',
      })
    } catch (error) {
      setWrong(fieldTexts(error))
      return false
    }
    notify('success', t('scope.saved'))
    onSaved()
    return true
  }
  return (
    <ActionDialog
      title={t(row === null ? 'scope.add' : 'scope.edit')}
      size="two"
      actions={[{ label: t('action.save'), run: send }]}
      hasChanges={() => JSON.stringify(values) !== JSON.stringify(start)}
      onClose={onClose}
    >
      <p>{t('scope.lead')}</p>
      <LabelledInput
        label={t('scope.name')}
        value={values.name}
        onChange={name => set({ name })}
        error={wrong['scopeName']}
        maxLength={120}
      />
      {row === null ? (
        <LabelledSelect
          label={t('scope.noun')}
          value={target.code}
          error={wrong['resourceCode']}
          options={targets.map(each => ({ value: each.code, label: label(each.label) }))}
          onChange={code => {
            const next = targets.find(each => each.code === code)
            set({ code, conditions: [], type: next?.types.includes(values.type) ? values.type : 5 })
          }}
        />
      ) : (
        <p>
          {t('scope.noun')}: {label(target.label)}
        </p>
      )}
      <LabelledSelect
        label={t('scope.rows')}
        value={values.type}
        error={wrong['scopeType']}
        options={target.types.map(type => ({ value: type, label: t(`type.${type as 1 | 2 | 3 | 4 | 5}`) }))}
        onChange={type => set({ type })}
      />
      {values.type === 5 ? (
        <section className="scope-conditions" aria-label={t('scope.conditions')}>
          <h3>{t('scope.conditions')}</h3>
          {values.conditions.map((condition, at) => (
            <Condition
              // biome-ignore lint/suspicious/noArrayIndexKey: conditions have no name of their own and only the last is added -- their place is their name
              key={at}
              target={target}
              at={at}
              value={condition}
              onChange={next => set({ conditions: values.conditions.map((each, index) => (index === at ? next : each)) })}
              onRemove={() => set({ conditions: values.conditions.filter((_, index) => index !== at) })}
            />
          ))}
          {wrong['scopeValue'] === undefined ? null : (
            <span className="field-error" role="alert">
              {wrong['scopeValue']}
            </span>
          )}
          <button type="button" className="button" onClick={() => set({ conditions: [...values.conditions, fresh()] })}>
            {t('scope.addCondition')}
          </button>
        </section>
      ) : null}
      <LabelledInput
        label={t('scope.remark')}
        value={values.remark}
        error={wrong['remark']}
        maxLength={255}
        onChange={remark => set({ remark })}
        rows={2}
      />
    </ActionDialog>
  )
}

/** A data scope with its conditions built from fields, comparisons and values: there is no place to type a query. */
export const ScopeDialog = ({ id, onClose, onSaved }: Props) => {
  const t = useT(scopeTexts)
  const query = useQuery({
    queryKey: ['scope-form', id ?? ''],
    queryFn: async ({ signal }) => {
      const [targets, row] = await Promise.all([
        api.call('GET /blade-system/data-scope/targets', {}, { signal }),
        id === undefined ? null : api.request<Row>({ method: 'GET', path: '/blade-system/data-scope/detail', query: { id }, signal }),
      ])
      return { targets: targets as unknown as readonly Target[], row }
    },
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
  if (query.data !== undefined) return <Form {...query.data} onClose={onClose} onSaved={onSaved} />
  return (
    <ActionDialog title={t(id === undefined ? 'scope.add' : 'scope.edit')} size="two" onClose={onClose}>
      <Loaded query={query} skeletonRows={5}>
        {() => null}
      </Loaded>
    </ActionDialog>
  )
}
