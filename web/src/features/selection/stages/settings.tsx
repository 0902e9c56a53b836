import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type ApiOutput, api } from '#web/kernel/api.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { useSaid } from '#web/kernel/said.ts'
import { ActionDialog } from '#web/ui/action-dialog.tsx'
import { Check, LabelledInput } from '#web/ui/labelled.tsx'
import { PageSkeleton } from '#web/ui/states.tsx'
import { stageTexts } from './texts.ts'

type Rule = ApiOutput<'GET /blade-signup/selection/rule'>
interface Props {
  readonly examId: string
  readonly onDone: () => void
  readonly onClose: () => void
}
const fields = [
  ['confirmHours', 'rule.confirm', 720],
  ['contacts', 'rule.contacts', 20],
  ['medicalAskDays', 'rule.ask', 60],
  ['medicalDoneDays', 'rule.done', 60],
] as const
type Field = (typeof fields)[number][0]

const RuleForm = ({ examId, rule, onDone, onClose }: Props & { readonly rule: Rule }) => {
  const t = useT(stageTexts)
  const [typed, setTyped] = useState<Readonly<Partial<Record<Field, string>>>>({})
  const [substitute, setSubstitute] = useState(rule.substitute === 1)
  const [wrong, setWrong] = useSaid<Readonly<Partial<Record<Field, string>>>>({})
  const textOf = (field: Field) => typed[field] ?? String(rule[field])
  const run = async (): Promise<boolean> => {
    const found = Object.fromEntries(
      fields.flatMap(([field, , most]) => {
        const value = Number(textOf(field))
        return Number.isInteger(value) && value >= 1 && value <= most ? [] : [[field, t('rule.bad', { from: 1, to: most })]]
      }),
    )
    setWrong(found)
    if (Object.keys(found).length > 0) return false
    const number = (field: Field) => Number(textOf(field))
    try {
      await api.call('POST /blade-signup/selection/saveRule', {
        ...{ examId, substitute: substitute ? 1 : 0, confirmHours: number('confirmHours'), contacts: number('contacts') },
        ...{ medicalAskDays: number('medicalAskDays'), medicalDoneDays: number('medicalDoneDays') },
      })
    } catch {
      return false // Said already.
    }
    notify('success', t('rule.saved'))
    onDone()
    return true
  }
  return (
    <ActionDialog
      title={t('stages.rule')}
      actions={[{ label: t('action.save'), run }]}
      hasChanges={() => Object.keys(typed).length > 0 || substitute !== (rule.substitute === 1)}
      onClose={onClose}
    >
      {fields.map(([field, label]) => (
        <LabelledInput
          key={field}
          label={t(label)}
          error={wrong[field]}
          inputMode="numeric"
          maxLength={3}
          value={textOf(field)}
          onChange={value => setTyped({ ...typed, [field]: value })}
        />
      ))}
      <Check label={t('rule.substitute')} on={substitute} onChange={setSubstitute} />
      <p>{t('rule.publicity', { days: rule.publicityDays })}</p>
    </ActionDialog>
  )
}

/** Deadlines and substitution of an examination, each with where it comes from. */
export const RuleDialog = (props: Props) => {
  const t = useT(stageTexts)
  const rule = useQuery({
    queryKey: ['selection-rule', props.examId],
    queryFn: ({ signal }) => api.call('GET /blade-signup/selection/rule', { examId: props.examId }, { signal }),
    gcTime: 0,
  })
  if (rule.data !== undefined) return <RuleForm {...props} rule={rule.data} />
  return (
    <ActionDialog title={t('stages.rule')} onClose={props.onClose}>
      <PageSkeleton rows={4} />
    </ActionDialog>
  )
}

/** The end of the recruitment: typed, since it cannot be undone. */
export const EndDialog = ({ examId, onDone, onClose }: Props) => {
  const t = useT(stageTexts)
  const [code, setCode] = useState('')
  const run = async (): Promise<boolean> => {
    try {
      const done = await api.call('POST /blade-signup/selection/end', { examId, confirmCode: code.trim() })
      notify('success', t('end.done', { count: done.people }))
    } catch {
      return false // Said already.
    }
    onDone()
    return true
  }
  return (
    <ActionDialog
      title={t('stages.end')}
      actions={[{ label: t('stages.end'), tone: 'danger', run }]}
      hasChanges={() => code !== ''}
      onClose={onClose}
    >
      <p>{t('end.lead')}</p>
      <LabelledInput label={t('end.code')} maxLength={20} value={code} onChange={setCode} />
    </ActionDialog>
  )
}
