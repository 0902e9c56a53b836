import { type VariableType, variableTypes } from '#contract/flow/condition.ts'
import type { FlowVariable } from '#contract/flow/process-graph.ts'
import { variableFault } from '#contract/flow/read-process.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { Check, LabelledInput, LabelledSelect } from '#web/ui/labelled.tsx'
import { modelTexts } from './texts.ts'

interface Props {
  readonly value: readonly FlowVariable[]
  readonly onChange: (value: readonly FlowVariable[]) => void
}

const freeName = (taken: readonly FlowVariable[]): string => {
  let number = taken.length + 1
  while (taken.some(({ name }) => name === `field${number}`)) number += 1
  return `field${number}`
}

/** What the applicant fills in. */
export const VariablesInput = ({ value, onChange }: Props) => {
  const t = useT(modelTexts)
  const faultOf = (variable: FlowVariable, at: number) =>
    variableFault(variable) ?? (value.findIndex(({ name }) => name === variable.name) < at ? 'twice' : undefined)
  const change = (at: number, of: Partial<FlowVariable>) => onChange(value.map((each, index) => (index === at ? { ...each, ...of } : each)))
  return (
    <fieldset className="flow-variables">
      <legend>{t('variables.title')}</legend>
      <p className="flow-hint">{t('variables.lead')}</p>
      {value.map((variable, at) => {
        const fault = faultOf(variable, at)
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a field is what stands at its place while its name is typed
          <div key={at} className="flow-row">
            <LabelledInput
              label={t('variables.label')}
              error={fault === 'label' ? t('variables.label.missing') : undefined}
              maxLength={60}
              value={variable.label}
              onChange={label => change(at, { label })}
            />
            <LabelledInput
              label={t('variables.name')}
              error={fault === 'name' || fault === 'twice' ? t(`variables.name.${fault}`) : undefined}
              maxLength={60}
              value={variable.name}
              onChange={name => change(at, { name })}
            />
            <LabelledSelect<VariableType>
              label={t('variables.type')}
              value={variable.type}
              options={variableTypes.map(type => ({ value: type, label: t(`type.${type}`) }))}
              onChange={type => change(at, { type })}
            />
            <Check label={t('variables.required')} on={variable.required} onChange={required => change(at, { required })} />
            <button
              type="button"
              className="button button-small"
              aria-label={t('variables.remove', { name: variable.label || variable.name })}
              onClick={() => onChange(value.filter((_, index) => index !== at))}
            >
              ×
            </button>
          </div>
        )
      })}
      <button
        type="button"
        className="button button-small"
        onClick={() => onChange([...value, { name: freeName(value), label: '', type: 'text', required: false }])}
      >
        {t('variables.add')}
      </button>
    </fieldset>
  )
}
