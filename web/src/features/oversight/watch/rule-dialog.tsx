import { useState } from 'react'
import {
  brakedMeasures,
  type Measure,
  measureLabels,
  measures,
  type Span,
  type SubjectKind,
  spans,
  subjectKinds,
} from '#contract/oversight/measure.ts'
import { type ApiInput, api } from '#web/kernel/api.ts'
import { useLabel, useT } from '#web/kernel/i18n/index.ts'
import { useSaid } from '#web/kernel/said.ts'
import { ActionDialog } from '#web/ui/action-dialog.tsx'
import { Check, LabelledInput, LabelledSelect } from '#web/ui/labelled.tsx'
import { watchTexts } from './texts.ts'
import type { RuleRow } from './wire.ts'

type Input = ApiInput<'POST /blade-watch/rule/submit'>
interface Props {
  /** Null: a new one of the tenant's own. */
  readonly rule: RuleRow | null
  readonly roles: readonly { readonly alias: string; readonly name: string }[]
  readonly onDone: () => Promise<unknown>
  readonly onClose: () => void
}
type Wrong = Partial<Record<'nameZh' | 'nameEn' | 'threshold' | 'factor' | 'floor' | 'brake' | 'reason', string>>

const most = { count: 10_000_000, factor: 1_000, brake: 1_000 }
const isCount = (text: string, highest = most.count): boolean => /^\d{1,8}$/.test(text) && Number(text) >= 1 && Number(text) <= highest
const isFactor = (text: string): boolean => /^\d{1,4}(\.\d{1,2})?$/.test(text) && Number(text) >= 1 && Number(text) <= most.factor
const textOf = (value: number | null | undefined): string => (value === null || value === undefined ? '' : String(value))

interface Typed {
  readonly nameZh: string
  readonly nameEn: string
  readonly measure: Measure
  readonly span: Span
  readonly subject: SubjectKind
  readonly threshold: string
  readonly factor: string
  readonly floor: string
  readonly brake: string
  readonly isOffHours: boolean
  readonly roles: readonly string[]
  readonly reason: string
}
const typedOf = (rule: RuleRow | null): Typed => ({
  nameZh: rule?.nameZh ?? '',
  nameEn: rule?.nameEn ?? '',
  measure: rule?.measure ?? 'reads',
  span: rule?.span ?? 'day',
  subject: rule?.subject ?? 'person',
  threshold: textOf(rule?.threshold),
  factor: textOf(rule?.factor),
  floor: textOf(rule?.floor ?? 1),
  brake: textOf(rule?.brake),
  isOffHours: rule?.isOffHours ?? false,
  roles: rule?.roles ?? [],
  reason: '',
})
const mayStop = ({ measure, subject }: Pick<Typed, 'measure' | 'subject'>): boolean =>
  subject === 'person' && brakedMeasures.includes(measure)

/** The limits of one rule, whom it counts and when; of one's own also its names, and what it counts while it is new. A change needs its reason. */
export const RuleDialog = ({ rule, roles, onDone, onClose }: Props) => {
  const t = useT(watchTexts)
  const label = useLabel()
  const [typed, setTyped] = useState(() => typedOf(rule))
  const [wrong, setWrong] = useSaid<Wrong>({})
  const set =
    <K extends keyof Typed>(key: K) =>
    (value: Typed[K]) =>
      setTyped({ ...typed, [key]: value })
  const isOwn = rule === null || rule.isOwn
  const { threshold, factor, floor, brake } = typed
  const find = (): Wrong => ({
    ...(isOwn && typed.nameZh.trim() === '' ? { nameZh: t('rule.name.need') } : {}),
    ...(isOwn && typed.nameEn.trim() === '' ? { nameEn: t('rule.name.need') } : {}),
    ...(threshold === '' && factor === '' ? { threshold: t('rule.noLimit') } : {}),
    ...(threshold !== '' && !isCount(threshold) ? { threshold: t('rule.number') } : {}),
    ...(factor !== '' && !isFactor(factor) ? { factor: t('rule.factor.number') } : {}),
    ...(isCount(floor) ? {} : { floor: t('rule.number') }),
    ...(mayStop(typed) && brake !== '' && !isCount(brake, most.brake) ? { brake: t('rule.brake.number') } : {}),
    ...(typed.reason.trim() === '' ? { reason: t('rule.reason.need') } : {}),
  })
  const run = async (): Promise<boolean> => {
    const found = find()
    setWrong(found)
    if (Object.keys(found).length > 0) return false
    try {
      await api.call('POST /blade-watch/rule/submit', {
        ...(rule === null ? { measure: typed.measure, span: typed.span, subject: typed.subject } : { id: rule.id, version: rule.version }),
        ...(isOwn ? { nameZh: typed.nameZh.trim(), nameEn: typed.nameEn.trim() } : {}),
        ...(threshold === '' ? {} : { threshold: Number(threshold) }),
        ...(factor === '' ? {} : { factor: Number(factor) }),
        floor: Number(floor),
        brake: mayStop(typed) && brake !== '' ? Number(brake) : null,
        roles: (typed.subject === 'tenant' ? [] : [...typed.roles]) as NonNullable<Input['roles']>,
        isOffHours: typed.isOffHours,
        reason: typed.reason.trim(),
      })
      await onDone()
      return true
    } catch {
      return false // The api client has said why.
    }
  }
  const toggle = (alias: string) => (on: boolean) => set('roles')(on ? [...typed.roles, alias] : typed.roles.filter(one => one !== alias))
  return (
    <ActionDialog
      title={rule === null ? t('rule.add') : `${t('rule.edit')} · ${rule.name}`}
      actions={[{ label: t('rule.save'), run }]}
      hasChanges={() => JSON.stringify(typed) !== JSON.stringify(typedOf(rule))}
      onClose={onClose}
    >
      <p>{t(rule === null ? 'rule.add.lead' : 'rule.edit.lead')}</p>
      {isOwn ? (
        <>
          <LabelledInput label={t('rule.nameZh')} maxLength={60} error={wrong.nameZh} value={typed.nameZh} onChange={set('nameZh')} />
          <LabelledInput label={t('rule.nameEn')} maxLength={100} error={wrong.nameEn} value={typed.nameEn} onChange={set('nameEn')} />
        </>
      ) : null}
      {rule === null ? (
        <>
          <LabelledSelect
            label={t('alert.what')}
            value={typed.measure}
            options={measures.map(value => ({ value, label: label(measureLabels[value]) }))}
            onChange={set('measure')}
          />
          <LabelledSelect
            label={t('rule.span')}
            value={typed.span}
            options={spans.map(value => ({ value, label: t(`rule.span.${value}`) }))}
            onChange={set('span')}
          />
          <LabelledSelect
            label={t('rule.subject')}
            value={typed.subject}
            options={subjectKinds.map(value => ({ value, label: t(`rule.subject.${value}`) }))}
            onChange={set('subject')}
          />
        </>
      ) : null}
      <LabelledInput
        label={t('rule.threshold')}
        inputMode="numeric"
        maxLength={8}
        error={wrong.threshold}
        value={threshold}
        onChange={set('threshold')}
      />
      <LabelledInput
        label={t('rule.factor')}
        inputMode="decimal"
        maxLength={7}
        error={wrong.factor}
        value={factor}
        onChange={set('factor')}
      />
      <LabelledInput label={t('rule.floor')} inputMode="numeric" maxLength={8} error={wrong.floor} value={floor} onChange={set('floor')} />
      {mayStop(typed) ? (
        <LabelledInput
          label={t('rule.brake')}
          inputMode="numeric"
          maxLength={4}
          error={wrong.brake}
          value={brake}
          onChange={set('brake')}
        />
      ) : null}
      <Check label={t('rule.off')} on={typed.isOffHours} onChange={set('isOffHours')} />
      {typed.subject === 'tenant' ? null : (
        <fieldset className="watch-roles">
          <legend>{t('rule.roles')}</legend>
          {roles.map(role => (
            <Check key={role.alias} label={role.name} on={typed.roles.includes(role.alias)} onChange={toggle(role.alias)} />
          ))}
        </fieldset>
      )}
      <LabelledInput label={t('rule.reason')} maxLength={200} error={wrong.reason} value={typed.reason} onChange={set('reason')} />
    </ActionDialog>
  )
}
