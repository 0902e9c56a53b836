import { type ExamPhase, phaseLabels } from '#contract/exam/window.ts'
import { useLabel } from '#web/kernel/i18n/index.ts'
import { useDict } from '#web/resource/use-dict.ts'
import { StatusTag, type Tone } from '#web/ui/status-tag.tsx'

const tones: Readonly<Record<ExamPhase, Tone>> = {
  notStarted: 'waiting',
  signing: 'active',
  examining: 'active',
  paying: 'active',
  adjusting: 'active',
  ticketing: 'active',
  examDay: 'active',
  scoring: 'waiting',
  reviewing: 'active',
  interviewing: 'active',
  publicity: 'passed',
  finished: 'closed',
  closed: 'closed',
}
export const PhaseTag = ({ phase }: { readonly phase: ExamPhase }) => {
  const label = useLabel()
  return <StatusTag tone={tones[phase] ?? 'draft'} text={label(phaseLabels[phase] ?? { zh: phase, en: phase })} />
}

const stateTones: readonly Tone[] = ['draft', 'passed', 'closed', 'closed']
export const StateTag = ({ state }: { readonly state: number }) => <DictTag code="exam_state" value={state} tones={stateTones} />

/** An entry of a dictionary of states as a tag; `tones` by the number of the state. */
export const DictTag = ({ code, value, tones: of }: { readonly code: string; readonly value: number; readonly tones: readonly Tone[] }) => {
  const options = useDict(code)
  return <StatusTag tone={of[value] ?? 'draft'} text={options.find(option => option.value === String(value))?.label ?? String(value)} />
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
