import { type ExamPhase, phaseLabels, phaseTones } from '#contract/exam/window.ts'
import { useLabel } from '#web/kernel/i18n/index.ts'
import { useDict } from '#web/resource/use-dict.ts'
import { StatusTag } from '#web/ui/status-tag.tsx'

export const PhaseTag = ({ phase }: { readonly phase: ExamPhase }) => {
  const label = useLabel()
  return <StatusTag tone={phaseTones[phase] ?? 'draft'} text={label(phaseLabels[phase] ?? { zh: phase, en: phase })} />
}

export const DictText = ({
  code,
  value,
  className,
}: {
  readonly code: string
  readonly value: number | string | null | undefined
  readonly className?: string
}) => {
  const options = useDict(code)
  if (value === null || value === undefined || value === '') return <>-</>
  const text = options.find(option => option.value === String(value))?.label ?? String(value)
  if (className === undefined) return <>{text}</>
  return (
    <span className={className} title={text}>
      {text}
    </span>
  )
}
