import type { PeopleRule } from '#contract/flow/process-graph.ts'
import type { Label } from '#contract/kernel/label.ts'
import { toWireTime } from '#contract/kernel/when.ts'
import type { KernelKey } from '#web/kernel/i18n/index.ts'
import { type Straight, type StraightStep, straightXml } from './straight.ts'
import type { modelTexts } from './texts.ts'

type Key = keyof (typeof modelTexts)['zh']
type T = (key: Exclude<Key, KernelKey> & Extract<Key, `template.${string}`>) => string

export const templates = ['one', 'two', 'amount', 'sign', 'blank'] as const
export type Template = (typeof templates)[number]

const manager: PeopleRule = { kind: 'manager', ref: '' }
const step = (name: string, who: readonly PeopleRule[]): StraightStep => ({
  name,
  who,
  sign: null,
  share: 100,
  dueHours: null,
  otherPerson: false,
  only: null,
})

/** Keys that nobody has to think of: by the second of the office's clock, like a copy of a file. */
const keyAt = (now: Date): string => `process_${toWireTime(now).replaceAll(/\D/g, '')}`

/** What a new process begins with. Steps whose people only the office knows have none yet, and say so. */
export const templateXml = (template: Template, t: T, say: (label: Label) => string, now: Date): string => {
  const base = {
    key: keyAt(now),
    name: template === 'blank' ? t('template.name') : t(`template.${template}`),
    description: '',
    onRefuse: 'return',
  } as const
  const review = step(t('template.step.review'), [])
  const head = step(t('template.step.head'), [manager])
  const straight: Record<Exclude<Template, 'blank'>, Straight> = {
    one: { ...base, variables: [], steps: [head] },
    two: { ...base, variables: [], steps: [review, head] },
    amount: {
      ...base,
      variables: [{ name: 'amount', label: t('template.amount.label'), type: 'number', required: true }],
      steps: [review, head, { ...step(t('template.step.finance'), []), only: { variable: 'amount', by: '>', value: '1000' } }],
    },
    sign: { ...base, variables: [], steps: [{ ...step(t('template.step.sign'), []), sign: 'all' }] },
  }
  return straightXml(template === 'blank' ? { ...base, variables: [], steps: [] } : straight[template], say)
}
