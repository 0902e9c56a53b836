import { describe, expect, test } from 'vitest'
import type { Label } from '#contract/kernel/label.ts'
import { readList, readXml } from './read-xml.ts'
import { type Straight, type StraightStep, straightOf, straightXml } from './straight.ts'

const zh = (label: Label): string => label.zh
const simple: Straight = {
  key: 'purchase',
  name: '采购 <申请> & "急件"',
  description: '第一行\n第二行',
  variables: [
    { name: 'amount', label: '金额（元）', type: 'number', required: true },
    { name: 'kind', label: '类别', type: 'text', required: false },
  ],
  steps: [
    { name: '经办人复核', who: [{ kind: 'role', ref: 'reviewer' }], sign: null, share: 100, dueHours: 48, otherPerson: false, only: null },
    { name: '科长审批', who: [{ kind: 'manager', ref: '' }], sign: null, share: 100, dueHours: null, otherPerson: true, only: null },
    {
      name: '财务审批',
      who: [
        { kind: 'user', ref: '123' },
        { kind: 'user', ref: '456' },
      ],
      sign: 'share',
      share: 60,
      dueHours: null,
      otherPerson: false,
      only: { variable: 'amount', by: '>', value: '1000' },
    },
  ],
  onRefuse: 'return',
}

describe('[22.4] a straight approval', () => {
  const all: readonly (readonly [string, Straight])[] = [
    ['whose refusals go back', simple],
    ['whose refusals end it', { ...simple, onRefuse: 'end' }],
    ['with a condition first', { ...simple, steps: simple.steps.toReversed() }],
    [
      'with conditions one after the other, ended by refusals',
      { ...simple, steps: [simple.steps[2], simple.steps[2]] as Straight['steps'], onRefuse: 'end' },
    ],
    [
      'of texts',
      { ...simple, steps: simple.steps.map(step => ({ ...step, only: { variable: 'kind', by: '==', value: '设备' } as const })) },
    ],
  ]
  test.each(all)('%s is a process without problems, and the same list again', async (_name, straight) => {
    const { graph, problems } = await readXml(straightXml(straight, zh))
    expect(problems).toEqual([])
    expect(graph === undefined ? null : straightOf(graph)).toEqual(straight)
  })

  test('whose steps have nobody yet is a list and cannot be deployed', async () => {
    const open: Straight = { ...simple, steps: simple.steps.map((step, at) => (at === 1 ? step : { ...step, who: [] })) }
    const xml = straightXml(open, zh)
    expect((await readXml(xml)).problems.map(({ element, reason }) => [element, reason])).toEqual([
      ['step1', 'people'],
      ['step3', 'people'],
    ])
    expect(await readList(xml)).toEqual(open)
  })

  test('whose fields have no label and whose steps have no name yet is a list that says where', async () => {
    const open: Straight = {
      ...simple,
      variables: simple.variables.map(variable => ({ ...variable, label: '' })),
      steps: simple.steps.map((step, at) => (at === 0 ? { ...step, name: '', who: [] } : { ...step, only: null })),
    }
    const xml = straightXml(open, zh)
    expect((await readXml(xml)).problems.map(({ reason }) => reason).sort()).toEqual(['nodeName', 'people', 'variable', 'variable'])
    expect(await readList(xml)).toEqual(open)
    const conditional: Straight = { ...simple, variables: simple.variables.map(variable => ({ ...variable, label: '' })) }
    expect(await readList(straightXml(conditional, zh))).toEqual(conditional)
  })

  test('words at lines, branches and ends, and notes beside them, are kept: such a drawing is no list', async () => {
    const xml = straightXml({ ...simple, onRefuse: 'end' }, zh)
    expect(await readList(xml)).toEqual({ ...simple, onRefuse: 'end' })
    const said = [
      xml.replace('name="否则"', 'name="不超过 1000 元"'),
      xml.replace('name="同意"', 'name="金额（元） &gt; 1000"'),
      xml.replace('<exclusiveGateway id="only3"', '<exclusiveGateway id="only3" name="金额"'),
      xml.replace('<endEvent id="end1"', '<endEvent id="end1" name="未同意"'),
      xml.replace('<startEvent id="start" />', '<startEvent id="start"><documentation>说明</documentation></startEvent>'),
      xml.replace('</process>', '<textAnnotation id="hint"><text>须附报价单</text></textAnnotation></process>'),
    ]
    for (const one of said) {
      expect(one).not.toBe(xml)
      expect([(await readXml(one)).problems, await readList(one)]).toEqual([[], null])
    }
  })

  test('its branches say their conditions in the language of whoever draws, and are a list for readers of the other too', async () => {
    const urgent: Straight = {
      ...simple,
      variables: [...simple.variables, { name: 'urgent', label: '急件', type: 'boolean', required: false }],
      steps: [
        { ...(simple.steps[2] as StraightStep), name: '财务' },
        { ...(simple.steps[2] as StraightStep), only: { variable: 'urgent', by: '!=', value: 'true' } },
      ],
      onRefuse: 'end',
    }
    const namesIn = (xml: string) => [...xml.matchAll(/<sequenceFlow id="\w+" name="([^"]*)"/g)].map(([, name]) => name)
    const [chinese, english] = [straightXml(urgent, zh), straightXml(urgent, ({ en }) => en)]
    expect(namesIn(chinese)).toEqual([...['金额（元） &gt; 1000', '不同意', '同意', '否则'], ...['急件 ≠ 是', '不同意', '同意', '否则']])
    expect(namesIn(english)).toEqual([
      ...['金额（元） &gt; 1000', 'Refused', 'Agreed', 'Otherwise'],
      ...['急件 ≠ yes', 'Refused', 'Agreed', 'Otherwise'],
    ])
    expect([await readList(chinese), await readList(english)]).toEqual([urgent, urgent])
  })

  test('a drawing that says more is no list', async () => {
    const xml = straightXml(simple, zh).replace('<userTask id="step2"', '<userTask id="step2" kaopu:remind="PT24H"')
    const { graph, problems } = await readXml(xml)
    expect(problems).toEqual([])
    expect(graph === undefined ? undefined : straightOf(graph)).toBeNull()
  })
})
