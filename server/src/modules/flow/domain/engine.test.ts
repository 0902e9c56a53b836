import { describe, expect, test } from 'vitest'
import type { FlowValues } from '#contract/flow/condition.ts'
import { drawing, expr, line, task } from '../../../../test/support/drawing.ts'
import { type Block, randomModel, randomSteps } from '../../../../test/support/random-models.ts'
import { readModel } from '../commands/deploy.ts'
import { begin, goBack, goOn, goToApplicant, type Moved, returnTargets, sendAgain } from './engine.ts'

/** What of a block is still to do: the meaning of a drawing, said without tokens. Undefined: it is done. */
type Rest =
  | { readonly is: 'task'; readonly id: string }
  | { readonly is: 'row'; readonly now: Rest; readonly after: readonly Block[] }
  | { readonly is: 'all'; readonly parts: readonly (Rest | undefined)[] }
const beginBlock = (block: Block, values: FlowValues): Rest | undefined => {
  if (block.is === 'task') return block
  if (block.is === 'all') return joined(block.parts.map(part => beginBlock(part, values)))
  if (block.is === 'row') return inRow(undefined, block.parts, values)
  const way = values[block.variable] === true ? block.yes : block.no
  return way && beginBlock(way, values)
}
const joined = (parts: readonly (Rest | undefined)[]): Rest | undefined =>
  parts.every(part => part === undefined) ? undefined : { is: 'all', parts }
const inRow = (now: Rest | undefined, after: readonly Block[], values: FlowValues): Rest | undefined => {
  if (now) return { is: 'row', now, after }
  const [next, ...more] = after
  return next && inRow(beginBlock(next, values), more, values)
}
const without = (rest: Rest, id: string, values: FlowValues): Rest | undefined => {
  if (rest.is === 'task') return rest.id === id ? undefined : rest
  if (rest.is === 'row') return inRow(without(rest.now, id, values), rest.after, values)
  return joined(rest.parts.map(part => part && without(part, id, values)))
}
const openIn = (rest: Rest | undefined): readonly string[] => {
  if (!rest) return []
  if (rest.is === 'task') return [rest.id]
  return rest.is === 'row' ? openIn(rest.now) : rest.parts.flatMap(openIn)
}
const open = ({ place }: Moved): readonly string[] =>
  place.tokens
    .filter(({ wait }) => wait === 'task')
    .map(({ at }) => at)
    .sort()

describe('[S7.32] where tokens go', () => {
  test('200 random processes, step by step: what is open is what their blocks mean, and each of them ends', async () => {
    let steps = 0
    for (let seed = 1; seed <= 200; seed += 1) {
      const { block, xml, variables } = randomModel(seed)
      const { graph, problems } = await readModel(xml)
      if (!graph) throw new Error(`${seed}: ${JSON.stringify(problems)}`)
      const choose = randomSteps(seed, variables)
      let values = choose.values()
      let meant = beginBlock(block, values)
      let moved = begin(graph, values)
      for (let count = 0; ; count += 1) {
        expect([seed, count, open(moved)]).toEqual([seed, count, [...openIn(meant)].sort()])
        expect(moved.ended).toBe(meant === undefined)
        if (moved.ended) break
        if (count > 500) throw new Error(`${seed} does not end`)
        const id = choose.pick(open(moved))
        values = choose.values()
        meant = without(meant as Rest, id, values)
        if (meant === undefined && values['again'] === true) meant = beginBlock(block, values)
        const token = moved.place.tokens.find(({ at, wait }) => at === id && wait === 'task')
        moved = goOn(graph, moved.place, token?.id ?? 0, values)
        steps += 1
      }
    }
    expect(steps).toBeGreaterThan(500)
  })

  test('from wherever a random process is returned to, it comes to its end, and never holds two tokens of one branch', async () => {
    let returned = 0
    for (let seed = 1; seed <= 200; seed += 1) {
      const { xml, variables } = randomModel(seed)
      const { graph } = await readModel(xml)
      if (!graph) throw new Error(String(seed))
      const choose = randomSteps(seed, variables)
      const values = { ...choose.values(), again: false }
      const passed = new Set<string>()
      let moved = begin(graph, values)
      for (let count = 0; !moved.ended; count += 1) {
        if (count > 400) throw new Error(`${seed} does not end`)
        const id = choose.pick(open(moved))
        const [target] = count < 60 && count % 3 === 2 ? returnTargets(graph, id, passed) : []
        if (target) {
          moved = goBack(graph, moved.place, target.id, values)
          returned += 1
        } else {
          passed.add(id)
          moved = goOn(graph, moved.place, moved.place.tokens.find(({ at, wait }) => at === id && wait === 'task')?.id ?? 0, values)
        }
        expect(new Set(open(moved)).size).toBe(open(moved).length)
      }
      expect(moved.place.tokens).toEqual([])
    }
    expect(returned).toBeGreaterThan(20)
  })

  test('one returns to a step that was passed and leads here, in the same branch or before the branches part', async () => {
    const fork = (id: string) => `<parallelGateway id="${id}"/>`
    const mine = `flowable:assignee="${expr('starter')}"`
    const { graph } = await readModel(
      drawing(
        'branches',
        `<startEvent id="s"/><endEvent id="e"/>${fork('p')}${fork('j')}${['a', 'b', 'c', 'd', 'z'].map(id => task(id, mine)).join('')}${line('f1', 's', 'a')}${line('f2', 'a', 'p')}${line('f3', 'p', 'b')}${line('f4', 'b', 'c')}${line('f5', 'c', 'j')}${line('f6', 'p', 'd')}${line('f7', 'd', 'j')}${line('f8', 'j', 'z')}${line('f9', 'z', 'e')}`,
      ),
    )
    if (!graph) throw new Error('no graph')
    const from = (id: string, ...passed: string[]) => returnTargets(graph, id, new Set(passed)).map(node => node.id)
    expect([from('c', 'a', 'b', 'd'), from('d', 'a', 'b', 'c'), from('z', 'a', 'b', 'c', 'd'), from('b', 'a', 'b', 'c', 'd', 'z')]).toEqual(
      [...[['a', 'b'], ['a'], ['a'], ['a']]],
    )
  })

  test('back to the applicant all tokens go, and sent again it begins at the start', async () => {
    const { xml } = randomModel(7)
    const { graph } = await readModel(xml)
    if (!graph) throw new Error('no graph')
    const first = begin(graph, {})
    const back = goToApplicant(graph, first.place)
    expect(back.place.tokens.map(({ at, wait }) => [at, wait])).toEqual([['s', 'applicant']])
    expect(back.steps.filter(({ is }) => is === 'dropped')).toHaveLength(first.place.tokens.length)
    expect(open(sendAgain(graph, back.place, {}))).toEqual(open(first))
  })
})
