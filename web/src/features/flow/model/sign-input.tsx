import type { SignRule } from '#contract/flow/process-graph.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { LabelledInput, LabelledSelect } from '#web/ui/labelled.tsx'
import { modelTexts } from './texts.ts'

interface Props {
  readonly sign: SignRule | null
  readonly share: number
  readonly onChange: (sign: SignRule | null, share: number) => void
}

/** Whether one of several decides, or several together. */
export const SignInput = ({ sign, share, onChange }: Props) => {
  const t = useT(modelTexts)
  return (
    <div className="flow-row">
      <LabelledSelect
        label={t('sign.title')}
        value={sign ?? 'none'}
        options={(['none', 'all', 'any', 'share'] as const).map(value => ({ value, label: t(`sign.${value}`) }))}
        onChange={value => onChange(value === 'none' ? null : value, share)}
      />
      {sign === 'share' ? (
        <LabelledInput
          label={t('sign.percent')}
          inputMode="numeric"
          value={String(share)}
          onChange={text => onChange(sign, Math.min(100, Math.max(0, Number(text.replaceAll(/\D/g, '')) || 0)))}
        />
      ) : null}
    </div>
  )
}
