import type { FlowProblem } from '#contract/flow/flow-problems.ts'
import { useLabel, useT } from '#web/kernel/i18n/index.ts'
import { Check, LabelledInput, LabelledSelect } from '#web/ui/labelled.tsx'
import { hoursOf } from './hours.ts'
import { OnlyIfInput } from './only-if-input.tsx'
import { SignInput } from './sign-input.tsx'
import type { Straight, StraightStep } from './straight.ts'
import { modelTexts } from './texts.ts'
import { VariablesInput } from './variables-input.tsx'
import { WhoInput } from './who-input.tsx'

interface Props {
  readonly value: Straight
  readonly problems: readonly FlowProblem[]
  readonly onChange: (value: Straight) => void
}

const emptyStep: StraightStep = { name: '', who: [], sign: null, share: 100, dueHours: null, otherPerson: false, only: null }

/** A straight approval without drawing: who decides after whom. */
export const ListEditor = ({ value, problems, onChange }: Props) => {
  const t = useT(modelTexts)
  const label = useLabel()
  const { steps, variables } = value
  const setSteps = (next: readonly StraightStep[]) => onChange({ ...value, steps: next })
  const change = (at: number, of: Partial<StraightStep>) => setSteps(steps.map((each, index) => (index === at ? { ...each, ...of } : each)))
  const move = (at: number, by: 1 | -1) => {
    const next = [...steps]
    const [moved] = next.splice(at, 1)
    if (moved !== undefined) next.splice(at + by, 0, moved)
    setSteps(next)
  }
  const wrongAt = (at: number, ...reasons: readonly FlowProblem['reason'][]): string | undefined => {
    const found = problems.find(({ element, reason }) => element === `step${at + 1}` && reasons.includes(reason))
    return found === undefined ? undefined : label(found.text)
  }
  const conditional = variables.filter(({ type }) => type !== 'user')
  return (
    <div className="flow-list">
      <VariablesInput value={variables} onChange={next => onChange({ ...value, variables: next })} />
      <h3>{t('steps.title')}</h3>
      <ol className="flow-steps-list">
        {steps.map((step, at) => {
          const name = step.name || t('steps.nth', { n: at + 1 })
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: a step is what stands at its place
            <li key={at} className="card">
              <div className="flow-row">
                <LabelledInput
                  label={`${t('steps.nth', { n: at + 1 })} · ${t('steps.name')}`}
                  error={wrongAt(at, 'nodeName')}
                  maxLength={100}
                  value={step.name}
                  onChange={next => change(at, { name: next })}
                />
                <LabelledInput
                  label={t('steps.due')}
                  inputMode="numeric"
                  value={step.dueHours === null ? '' : String(step.dueHours)}
                  onChange={text => change(at, { dueHours: hoursOf(text) })}
                />
              </div>
              <WhoInput
                value={step.who}
                variables={variables}
                error={wrongAt(at, 'people', 'person', 'personVariable')}
                onChange={who => change(at, { who })}
              />
              {step.who.length > 1 || step.sign !== null || step.who.some(({ kind }) => kind !== 'user' && kind !== 'manager') ? (
                <SignInput sign={step.sign} share={step.share} onChange={(sign, share) => change(at, { sign, share })} />
              ) : null}
              {steps.length > 1 || step.otherPerson ? (
                <Check label={t('steps.other')} on={step.otherPerson} onChange={otherPerson => change(at, { otherPerson })} />
              ) : null}
              {conditional.length > 0 ? (
                <Check
                  label={t('steps.only')}
                  on={step.only !== null}
                  onChange={on => change(at, { only: on ? { variable: conditional[0]?.name ?? '', by: '==', value: '' } : null })}
                />
              ) : null}
              {step.only === null ? null : <OnlyIfInput value={step.only} variables={variables} onChange={only => change(at, { only })} />}
              <div className="flow-bar">
                <button
                  type="button"
                  className="button button-small"
                  disabled={at === 0}
                  aria-label={t('steps.up', { name })}
                  onClick={() => move(at, -1)}
                >
                  ↑
                </button>
                <button
                  type="button"
                  className="button button-small"
                  disabled={at === steps.length - 1}
                  aria-label={t('steps.down', { name })}
                  onClick={() => move(at, 1)}
                >
                  ↓
                </button>
                <button
                  type="button"
                  className="button button-small"
                  disabled={steps.length === 1}
                  aria-label={t('steps.remove', { name })}
                  onClick={() => setSteps(steps.filter((_, index) => index !== at))}
                >
                  ×
                </button>
              </div>
            </li>
          )
        })}
      </ol>
      <button type="button" className="button" onClick={() => setSteps([...steps, emptyStep])}>
        {t('steps.add')}
      </button>
      <LabelledSelect
        label={t('steps.refuse')}
        value={value.onRefuse}
        options={(['return', 'end'] as const).map(way => ({ value: way, label: t(`steps.refuse.${way}`) }))}
        onChange={onRefuse => onChange({ ...value, onRefuse })}
      />
    </div>
  )
}
