import type { FlowVariable } from '#contract/flow/process-graph.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { LabelledInput, LabelledSelect } from '#web/ui/labelled.tsx'
import { type Comparison, comparisons, type OnlyIf } from './straight.ts'
import { modelTexts } from './texts.ts'

interface Props {
  readonly value: OnlyIf
  readonly variables: readonly FlowVariable[]
  /** The last decision can be asked for too: where a line leaves a step. */
  readonly withPass?: boolean
  readonly onChange: (value: OnlyIf) => void
}

const ordered: readonly Comparison[] = ['<', '<=', '>', '>=']

/** A condition by choosing: a field, how it is compared, and with what. */
export const OnlyIfInput = ({ value, variables, withPass = false, onChange }: Props) => {
  const t = useT(modelTexts)
  const known = variables.filter(({ type }) => type !== 'user')
  const type = value.variable === 'pass' ? 'boolean' : (known.find(({ name }) => name === value.variable)?.type ?? 'text')
  const fits = comparisons.filter(by => type === 'number' || type === 'day' || !ordered.includes(by))
  const change = (of: Partial<OnlyIf>) => {
    const next = { ...value, ...of }
    const isYesNo = next.variable === 'pass' || known.find(({ name }) => name === next.variable)?.type === 'boolean'
    const yesNo = next.value === 'false' ? 'false' : 'true'
    onChange(isYesNo ? { ...next, by: next.by === '!=' ? '!=' : '==', value: yesNo } : next)
  }
  return (
    <div className="flow-row">
      <LabelledSelect
        label={t('condition.variable')}
        value={value.variable}
        options={[
          ...(withPass ? [{ value: 'pass', label: t('condition.pass') }] : []),
          ...known.map(({ name, label }) => ({ value: name, label })),
        ]}
        onChange={variable => change({ variable, by: '==', value: '' })}
      />
      <LabelledSelect
        label={t('condition.by')}
        value={value.by}
        options={fits.map(by => ({ value: by, label: t(`by.${by}`) }))}
        onChange={by => change({ by })}
      />
      {type === 'boolean' ? (
        <LabelledSelect
          label={t('condition.value')}
          value={value.value === 'false' ? 'false' : 'true'}
          options={(['true', 'false'] as const).map(each => ({ value: each, label: t(`condition.pass.${each}`) }))}
          onChange={of => change({ value: of })}
        />
      ) : (
        <LabelledInput
          label={t('condition.value')}
          {...(type === 'number' ? { inputMode: 'decimal' } : type === 'day' ? { type: 'date' } : {})}
          maxLength={100}
          value={value.value}
          onChange={of => change({ value: of })}
        />
      )}
    </div>
  )
}
