import { useState } from 'react'
import { type ApiInput, api } from '#web/kernel/api.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { ActionDialog } from '#web/ui/action-dialog.tsx'
import { Check, LabelledInput } from '#web/ui/labelled.tsx'
import { watchTexts } from './texts.ts'
import type { RuleRow } from './wire.ts'

type Input = ApiInput<'POST /blade-watch/rule/submit'>
interface Props {
  readonly rule: RuleRow
  readonly roles: readonly { readonly alias: string; readonly name: string }[]
  readonly onDone: () => Promise<unknown>
  readonly onClose: () => void
}
type Wrong = Partial<Record<'threshold' | 'factor' | 'floor' | 'reason', string>>

const most = { count: 10_000_000, factor: 1_000 }
const isCount = (text: string): boolean => /^\d{1,8}$/.test(text) && Number(text) >= 1 && Number(text) <= most.count
const isFactor = (text: string): boolean => /^\d{1,4}(\.\d{1,2})?$/.test(text) && Number(text) >= 1 && Number(text) <= most.factor

/** The limits of one rule, whom it counts and when; a change needs its reason. */
export const RuleDialog = ({ rule, roles, onDone, onClose }: Props) => {
  const t = useT(watchTexts)
  const [threshold, setThreshold] = useState(rule.threshold === null ? '' : String(rule.threshold))
  const [factor, setFactor] = useState(rule.factor === null ? '' : String(rule.factor))
  const [floor, setFloor] = useState(String(rule.floor))
  const [isOffHours, setIsOffHours] = useState(rule.isOffHours)
  const [chosen, setChosen] = useState<readonly string[]>(rule.roles)
  const [reason, setReason] = useState('')
  const [wrong, setWrong] = useState<Wrong>({})
  const find = (): Wrong => ({
    ...(threshold === '' && factor === '' ? { threshold: t('rule.noLimit') } : {}),
    ...(threshold !== '' && !isCount(threshold) ? { threshold: t('rule.number') } : {}),
    ...(factor !== '' && !isFactor(factor) ? { factor: t('rule.factor.number') } : {}),
    ...(isCount(floor) ? {} : { floor: t('rule.number') }),
    ...(reason.trim() === '' ? { reason: t('rule.reason.need') } : {}),
  })
  const run = async (): Promise<boolean> => {
    const found = find()
    setWrong(found)
    if (Object.keys(found).length > 0) return false
    try {
      await api.call('POST /blade-watch/rule/submit', {
        id: rule.id,
        version: rule.version,
        ...(threshold === '' ? {} : { threshold: Number(threshold) }),
        ...(factor === '' ? {} : { factor: Number(factor) }),
        floor: Number(floor),
        roles: [...chosen] as NonNullable<Input['roles']>,
        isOffHours,
        reason: reason.trim(),
      })
      await onDone()
      return true
    } catch {
      return false // The api client has said why.
    }
  }
  const toggle = (alias: string) => (on: boolean) => setChosen(on ? [...chosen, alias] : chosen.filter(one => one !== alias))
  return (
    <ActionDialog
      title={`${t('rule.edit')} · ${rule.name}`}
      actions={[{ label: t('rule.save'), run }]}
      hasChanges={() => reason !== '' || threshold !== String(rule.threshold ?? '') || factor !== String(rule.factor ?? '')}
      onClose={onClose}
    >
      <p>{t('rule.edit.lead')}</p>
      <LabelledInput
        label={t('rule.threshold')}
        inputMode="numeric"
        maxLength={8}
        error={wrong.threshold}
        value={threshold}
        onChange={setThreshold}
      />
      <LabelledInput label={t('rule.factor')} inputMode="decimal" maxLength={7} error={wrong.factor} value={factor} onChange={setFactor} />
      <LabelledInput label={t('rule.floor')} inputMode="numeric" maxLength={8} error={wrong.floor} value={floor} onChange={setFloor} />
      <Check label={t('rule.off')} on={isOffHours} onChange={setIsOffHours} />
      {rule.subject === 'tenant' ? null : (
        <fieldset className="watch-roles">
          <legend>{t('rule.roles')}</legend>
          {roles.map(role => (
            <Check key={role.alias} label={role.name} on={chosen.includes(role.alias)} onChange={toggle(role.alias)} />
          ))}
        </fieldset>
      )}
      <LabelledInput label={t('rule.reason')} maxLength={200} error={wrong.reason} value={reason} onChange={setReason} />
    </ActionDialog>
  )
}
