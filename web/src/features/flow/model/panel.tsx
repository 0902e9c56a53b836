import type { FlowVariable, PeopleRule, SignRule } from '#contract/flow/process-graph.ts'
import { serviceNames } from '#contract/flow/process-graph.ts'
import type { Label } from '#contract/kernel/label.ts'
import { useLabel, useT } from '#web/kernel/i18n/index.ts'
import { Check, LabelledInput, LabelledSelect } from '#web/ui/labelled.tsx'
import { hoursOf } from './hours.ts'
import {
  type Business,
  clockOf,
  docOf,
  hoursText,
  type OpenModeler,
  type Shape,
  setClock,
  setStartTimer,
  setVariables,
  textOf,
  timerText,
  variablesOf,
} from './modeler.ts'
import { OnlyIfInput } from './only-if-input.tsx'
import { SignInput } from './sign-input.tsx'
import { conditionText, conditionWords, isOwnWords, type OnlyIf, onlyIfOf, otherwiseWords, peopleAttributes } from './straight.ts'
import { modelTexts } from './texts.ts'
import { VariablesInput } from './variables-input.tsx'
import { WhoInput } from './who-input.tsx'

interface Props {
  readonly open: OpenModeler
  readonly shape: Shape
  readonly variables: readonly FlowVariable[]
}

const split = (text: string): readonly string[] =>
  text
    .split(',')
    .map(each => each.trim())
    .filter(Boolean)
const personOf = (text: string): PeopleRule => {
  const inner = /^\$\{\s*(\w+)\s*\}$/.exec(text)?.[1]
  if (inner === 'starter' || inner === 'manager') return { kind: inner, ref: '' }
  return inner === undefined ? { kind: 'user', ref: text } : { kind: 'variable', ref: inner }
}
const groupOf = (text: string): PeopleRule => {
  const [, kind = 'role', ref = text] = /^(?:(role|post|dept):)?(.*)$/.exec(text) ?? []
  return { kind: kind as PeopleRule['kind'], ref }
}
const peopleOf = (of: Business): readonly PeopleRule[] => [
  ...split(textOf(of, 'flowable:assignee')).map(personOf),
  ...split(textOf(of, 'flowable:candidateUsers')).map(personOf),
  ...split(textOf(of, 'flowable:candidateGroups')).map(groupOf),
]
const signs: readonly SignRule[] = ['all', 'any', 'share']
const durationOf = (hours: number | null): string | undefined => (hours === null ? undefined : `PT${hours}H`)
/** An attribute of a vocabulary that the library does not know goes away with undefined. */
const orNone = (of: Readonly<Record<string, string | null>>): Readonly<Record<string, string | undefined>> =>
  Object.fromEntries(Object.entries(of).map(([name, value]) => [name, value === null || value === '' ? undefined : value]))

const useChange =
  ({ open, shape }: Props) =>
  (properties: Readonly<Record<string, unknown>>) =>
    open.get('modeling').updateProperties(shape, properties)

const ProcessPanel = (props: Props) => {
  const t = useT(modelTexts)
  const change = useChange(props)
  const { open, shape } = props
  const of = shape.businessObject
  return (
    <>
      <p className="flow-hint">{t('panel.none')}</p>
      <LabelledInput label={t('design.name')} maxLength={100} value={textOf(of, 'name')} onChange={name => change({ name })} />
      <LabelledInput label={t('design.key')} maxLength={60} value={of.id} onChange={id => id !== '' && change({ id })} />
      <LabelledInput
        label={t('design.description')}
        maxLength={500}
        rows={2}
        value={docOf(of)}
        onChange={text => change({ documentation: text === '' ? [] : [open.get('moddle').create('bpmn:Documentation', { text })] })}
      />
      <VariablesInput value={variablesOf(of)} onChange={next => setVariables(open, next)} />
    </>
  )
}

const TaskPanel = (props: Props) => {
  const t = useT(modelTexts)
  const change = useChange(props)
  const { open, shape, variables } = props
  const of = shape.businessObject
  const sign = signs.find(each => each === textOf(of, 'kaopu:sign')) ?? null
  const hours = (name: string) => hoursText(textOf(of, name))
  return (
    <>
      <WhoInput value={peopleOf(of)} variables={variables} onChange={who => change(orNone(peopleAttributes(who)))} />
      <SignInput
        sign={sign}
        share={Number(textOf(of, 'kaopu:share')) || 100}
        onChange={(next, share) => change(orNone({ 'kaopu:sign': next, 'kaopu:share': next === 'share' ? String(share) : null }))}
      />
      <Check
        label={t('steps.other')}
        on={textOf(of, 'kaopu:other') === 'true'}
        onChange={on => change({ 'kaopu:other': on ? 'true' : undefined })}
      />
      <LabelledInput
        label={t('panel.due')}
        inputMode="numeric"
        value={hours('flowable:dueDate')}
        onChange={text => change({ 'flowable:dueDate': durationOf(hoursOf(text)) })}
      />
      <LabelledInput
        label={t('panel.remind')}
        inputMode="numeric"
        value={hours('kaopu:remind')}
        onChange={text => change({ 'kaopu:remind': durationOf(hoursOf(text)) })}
      />
      <LabelledInput
        label={t('panel.timer')}
        inputMode="numeric"
        value={timerText(clockOf(shape)?.businessObject)}
        onChange={text => setClock(open, shape, hoursOf(text))}
      />
      <p className="flow-hint">{t('panel.timer.help')}</p>
    </>
  )
}

const LinePanel = (props: Props) => {
  const t = useT(modelTexts)
  const label = useLabel()
  const change = useChange(props)
  const { open, shape, variables } = props
  const source = shape.source
  const body = (shape.businessObject['conditionExpression'] as Business | undefined)?.get('body')
  const condition = typeof body === 'string' ? body : ''
  if (source?.type !== 'bpmn:ExclusiveGateway' || (source.outgoing?.length ?? 0) < 2) return null
  const isDefault = source.businessObject['default'] === shape.businessObject
  const chosen = condition === '' ? null : onlyIfOf(condition, variables)
  const expression = (text: string) => (text === '' ? undefined : open.get('moddle').create('bpmn:FormalExpression', { body: text }))
  const set = (text: string) => change({ conditionExpression: expression(text) })
  const name = textOf(shape.businessObject, 'name')
  // Words of one's own at the line stay.
  const named = (old: Label | undefined, words: Label) => (isOwnWords(name, old) ? { name: label(words) } : {})
  const setOnly = (of: OnlyIf) =>
    change({
      conditionExpression: expression(conditionText(of, [...variables, { name: 'pass', type: 'boolean' }])),
      ...named(chosen === null ? otherwiseWords : conditionWords(chosen, variables), conditionWords(of, variables)),
    })
  return (
    <>
      <Check
        label={t('panel.default')}
        on={isDefault}
        onChange={on => {
          open.get('modeling').updateProperties(source, { default: on ? shape.businessObject : undefined })
          if (on)
            change({
              conditionExpression: undefined,
              ...named(chosen === null ? undefined : conditionWords(chosen, variables), otherwiseWords),
            })
        }}
      />
      {isDefault ? null : (
        <>
          <h4>{t('panel.condition')}</h4>
          {condition === '' || chosen !== null ? (
            <OnlyIfInput
              value={chosen ?? { variable: 'pass', by: '==', value: 'true' }}
              variables={variables}
              withPass
              onChange={setOnly}
            />
          ) : null}
          <LabelledInput label={t('condition.text')} maxLength={1000} rows={2} value={condition} onChange={set} />
        </>
      )}
    </>
  )
}

const ServicePanel = (props: Props) => {
  const t = useT(modelTexts)
  const change = useChange(props)
  const said = textOf(props.shape.businessObject, 'flowable:delegateExpression').replace(/^\$\{\s*(\w+)\s*\}$/, '$1')
  return (
    <LabelledSelect
      label={t('panel.service')}
      value={said}
      options={[
        { value: '', label: t('who.choose') },
        ...serviceNames.map(name => ({ value: name as string, label: t(`panel.service.${name}`) })),
      ]}
      onChange={name => change({ 'flowable:delegateExpression': name === '' ? undefined : `\${${name}}` })}
    />
  )
}

const StartPanel = ({ open, shape }: Props) => {
  const t = useT(modelTexts)
  return (
    <LabelledInput
      label={t('panel.startTimer')}
      inputMode="numeric"
      value={timerText(shape.businessObject)}
      onChange={text => setStartTimer(open, shape, hoursOf(text))}
    />
  )
}

/** What the chosen element of a drawing is and does; of the whole process when none is chosen. */
export const Panel = (props: Props) => {
  const t = useT(modelTexts)
  const change = useChange(props)
  const { shape } = props
  const of = shape.businessObject
  if (shape.type === 'bpmn:Process') return <ProcessPanel {...props} />
  return (
    <>
      <LabelledInput label={t('panel.name')} maxLength={100} value={textOf(of, 'name')} onChange={name => change({ name })} />
      {shape.type === 'bpmn:UserTask' ? <TaskPanel {...props} /> : null}
      {shape.type === 'bpmn:SequenceFlow' ? <LinePanel {...props} /> : null}
      {shape.type === 'bpmn:ServiceTask' ? <ServicePanel {...props} /> : null}
      {shape.type === 'bpmn:StartEvent' ? <StartPanel {...props} /> : null}
      {shape.type === 'bpmn:CallActivity' ? (
        <LabelledInput
          label={t('panel.called')}
          maxLength={60}
          value={textOf(of, 'calledElement')}
          onChange={calledElement => change({ calledElement: calledElement === '' ? undefined : calledElement })}
        />
      ) : null}
    </>
  )
}
