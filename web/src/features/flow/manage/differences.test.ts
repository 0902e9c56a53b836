import { describe, expect, test } from 'vitest'
import type { ProcessGraph } from '#contract/flow/process-graph.ts'
import { readXml } from '../model/read-xml.ts'
import { type Straight, type StraightStep, straightXml } from '../model/straight.ts'
import { differencesOf } from './differences.ts'

const step = (name: string, more: Partial<StraightStep> = {}): StraightStep => ({
  ...{ name, who: [{ kind: 'role', ref: 'reviewer1' }], sign: null, share: 100, dueHours: null, otherPerson: false, only: null },
  ...more,
})
const base: Straight = {
  ...{ key: 'buy', name: '采购', description: '', onRefuse: 'return' },
  variables: [{ name: 'amount', label: '金额', type: 'number', required: true }],
  steps: [step('复核'), step('财务', { only: { variable: 'amount', by: '>', value: '1000' } })],
}
const graphOf = async (straight: Straight): Promise<ProcessGraph> => {
  const { graph } = await readXml(straightXml(straight, ({ zh }) => zh))
  if (graph === undefined) throw new Error('this is no process')
  return graph
}
const said = async (after: Straight, before = base) =>
  differencesOf(await graphOf(before), await graphOf(after), ({ kind, ref }) => `${kind} ${ref}`)
    .filter(({ isSilent }) => isSilent !== true)
    .map(({ mark, where, what }) => [mark, where.zh, ...what.map(({ zh }) => zh)].join(' | '))

describe('[22.4] what two versions have different', () => {
  test('of the same drawing nothing', async () => expect(await said(base)).toEqual([]))

  test('people, signing, times, conditions and fields, in words', async () => {
    const [first, second] = base.steps as [StraightStep, StraightStep]
    expect(
      await said({
        ...base,
        name: '采购申请',
        variables: [
          { name: 'amount', label: '金额（元）', type: 'number', required: false },
          { name: 'head', label: '领导', type: 'user', required: true },
        ],
        steps: [
          { ...first, who: [{ kind: 'manager', ref: '' }], dueHours: 48 },
          { ...second, name: '财务', sign: 'all', otherPerson: true, only: { variable: 'amount', by: '>', value: '5000' } },
        ],
      }),
    ).toEqual([
      'changed | 流程 | 名称：采购 → 采购申请',
      'changed | 字段“金额” | 名称：金额 → 金额（元） | 必填：是 → 否',
      'added | 字段“领导”',
      'changed | 复核 | 办理人：role reviewer1 → manager  | 办理时限：无 → 48 小时',
      'changed | 财务 | 多人办理方式：一人签收办理 → 会签：全部同意 | 须由另一人办理：否 → 是',
      'changed | 从“条件分支”到“财务”的连线 | 条件：金额 > 1000 → 金额（元） > 5000',
    ])
  })

  test('a step that was put in is one that was put in, though the ids behind it are numbered anew', async () => {
    const [first, second] = base.steps as [StraightStep, StraightStep]
    const after = { ...base, steps: [first, step('科长'), second] }
    const [before, now] = [await graphOf(base), await graphOf(after)]
    const found = differencesOf(before, now, ({ ref }) => ref)
    expect(found.filter(({ where }) => where.zh === '科长')).toEqual([
      { mark: 'added', before: null, after: 'step2', where: { zh: '科长', en: '科长' }, what: [] },
    ])
    expect(found.some(({ where }) => where.zh === '财务' || where.zh === '复核')).toBe(false)
    expect(await said(base, after)).toEqual(['removed | 科长', 'added | 从“复核”到“条件分支”的连线'])
  })

  test('a name that changed is the same step; a line that leads elsewhere is another', async () => {
    const [first, second] = base.steps as [StraightStep, StraightStep]
    expect(await said({ ...base, steps: [{ ...first, name: '初审' }, second] })).toEqual(['changed | 初审 | 名称：复核 → 初审'])
    const graph = await graphOf({ ...base, steps: [first] })
    const moved = { ...graph, flows: { ...graph.flows, line2: { id: 'line2', name: '', from: 'step1', to: 'step1', condition: null } } }
    expect(differencesOf(graph, moved, ({ ref }) => ref).map(({ mark, before, after }) => [mark, before, after])).toEqual([
      ['removed', 'line2', null],
      ['added', null, 'line2'],
    ])
  })
})
