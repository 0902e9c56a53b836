import { useState } from 'react'
import type { FlowVariable, PeopleRule } from '#contract/flow/process-graph.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { Labelled, LabelledSelect } from '#web/ui/labelled.tsx'
import { WorkPeople } from '../work/people.tsx'
import { modelTexts } from './texts.ts'
import { type Choice, useRuleNames } from './use-rule-names.ts'

type Kind = PeopleRule['kind']
const kinds: readonly Kind[] = ['manager', 'user', 'role', 'post', 'dept', 'variable', 'starter']
interface Props {
  readonly value: readonly PeopleRule[]
  readonly variables: readonly FlowVariable[]
  readonly onChange: (value: readonly PeopleRule[]) => void
  readonly error?: string | undefined
}

/** Who gets a step: people, roles, posts, departments, or somebody who depends on the applicant. */
export const WhoInput = ({ value, variables, onChange, error }: Props) => {
  const t = useT(modelTexts)
  const { choices, nameOf } = useRuleNames(value, variables)
  const [kind, setKind] = useState<Kind>('manager')
  const people = variables.filter(({ type }) => type === 'user')
  const add = (ref: string) => {
    if (!value.some(rule => rule.kind === kind && rule.ref === ref)) onChange([...value, { kind, ref }])
  }
  const options: readonly Choice[] =
    kind === 'role' || kind === 'post'
      ? choices[kind]
      : kind === 'dept'
        ? [{ value: 'starter', label: t('who.deptStarter') }, ...choices.dept]
        : kind === 'variable'
          ? people.map(({ name, label }) => ({ value: name, label }))
          : []
  return (
    <fieldset className="flow-who" aria-label={t('who.title')}>
      <legend>{t('who.title')}</legend>
      {value.length === 0 ? <p className={error === undefined ? 'flow-hint' : 'field-error'}>{error ?? t('who.none')}</p> : null}
      <ul className="flow-chips">
        {value.map(rule => (
          <li key={`${rule.kind} ${rule.ref}`}>
            {nameOf(rule)}
            <button
              type="button"
              className="link-button"
              aria-label={t('who.remove', { name: nameOf(rule) })}
              onClick={() => onChange(value.filter(each => each !== rule))}
            >
              ×
            </button>
          </li>
        ))}
      </ul>
      <div className="flow-row">
        <LabelledSelect
          label={t('who.kind')}
          value={kind}
          options={kinds.filter(each => each !== 'variable' || people.length > 0).map(each => ({ value: each, label: t(`who.${each}`) }))}
          onChange={setKind}
        />
        {kind === 'user' ? (
          <Labelled label={t('who.user')}>
            {id => <WorkPeople id={id} value="" single onChange={chosen => typeof chosen === 'string' && chosen !== '' && add(chosen)} />}
          </Labelled>
        ) : kind === 'starter' || kind === 'manager' ? (
          <button type="button" className="button button-small" onClick={() => add('')}>
            {t('who.add')}
          </button>
        ) : (
          <LabelledSelect
            label={t(`who.${kind}`)}
            value=""
            options={[{ value: '', label: t('who.choose') }, ...options]}
            onChange={chosen => chosen !== '' && add(chosen)}
          />
        )}
      </div>
      {value.length > 1 ? <p className="flow-hint">{t('who.several')}</p> : null}
    </fieldset>
  )
}
