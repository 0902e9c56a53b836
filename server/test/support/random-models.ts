import { expr } from './drawing.ts'

// Random processes made of blocks, drawn by a seed: the same seed makes the same drawing on every machine.

/** A small generator of its own (mulberry32), so that recorded outcomes stay those of their seeds, and neighbouring seeds have nothing in common. */
export const dice = (seed: number): ((below: number) => number) => {
  let state = seed >>> 0
  return below => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below)
  }
}

/** What a drawing is made of: what it means can be said without looking at gateways and lines. */
export type Block =
  | { readonly is: 'task'; readonly id: string }
  | { readonly is: 'row'; readonly parts: readonly Block[] }
  | { readonly is: 'all'; readonly parts: readonly Block[] }
  | { readonly is: 'choice'; readonly variable: string; readonly yes: Block; readonly no: Block | undefined }
export interface RandomModel {
  readonly block: Block
  readonly xml: string
  readonly variables: readonly string[]
}

/** The whole block is repeated as long as `again` is true. */
export const randomModel = (seed: number): RandomModel => {
  const roll = dice(seed)
  let count = 0
  const next = (letter: string): string => {
    count += 1
    return `${letter}${count}`
  }
  const variables: string[] = []
  const blockOf = (depth: number): Block => {
    const kind = depth === 0 ? 0 : roll(6)
    if (kind <= 1) return { is: 'task', id: next('t') }
    if (kind === 2) return { is: 'row', parts: [blockOf(depth - 1), blockOf(depth - 1)] }
    if (kind <= 4) return { is: 'all', parts: Array.from({ length: 2 + roll(2) }, () => blockOf(depth - 1)) }
    const variable = next('v')
    variables.push(variable)
    return { is: 'choice', variable, yes: blockOf(depth - 1), no: roll(10) < 3 ? undefined : blockOf(depth - 1) }
  }
  // A loop without a task is refused, and what follows may be skipped as a whole.
  const block: Block = { is: 'row', parts: [{ is: 'task', id: next('t') }, blockOf(3)] }
  const elements: string[] = []
  const lines: string[] = []
  const line = (from: string, to: string, condition = ''): string => {
    const id = next('f')
    lines.push(
      `<sequenceFlow id="${id}" sourceRef="${from}" targetRef="${to}">${condition === '' ? '' : `<conditionExpression xsi:type="tFormalExpression">${expr(condition)}</conditionExpression>`}</sequenceFlow>`,
    )
    return id
  }
  /** Draws it. @returns where one comes in and goes out */
  const draw = (one: Block): readonly [string, string] => {
    if (one.is === 'task') {
      elements.push(`<userTask id="${one.id}" name="${one.id}" flowable:assignee="${expr('starter')}"/>`)
      return [one.id, one.id]
    }
    if (one.is === 'row') {
      const ends = one.parts.map(draw)
      for (let at = 1; at < ends.length; at += 1) line(ends[at - 1]?.[1] ?? '', ends[at]?.[0] ?? '')
      return [ends[0]?.[0] ?? '', ends.at(-1)?.[1] ?? '']
    }
    if (one.is === 'all') {
      const [fork, join] = [next('p'), next('p')]
      elements.push(`<parallelGateway id="${fork}"/>`, `<parallelGateway id="${join}"/>`)
      for (const part of one.parts) {
        const [into, out] = draw(part)
        line(fork, into)
        line(out, join)
      }
      return [fork, join]
    }
    const [split, merge] = [next('x'), next('x')]
    const yes = draw(one.yes)
    const no = one.no && draw(one.no)
    const otherwise = line(split, no?.[0] ?? merge)
    line(split, yes[0], `${one.variable} == true`)
    elements.push(`<exclusiveGateway id="${split}" default="${otherwise}"/>`, `<exclusiveGateway id="${merge}"/>`)
    line(yes[1], merge)
    if (no) line(no[1], merge)
    return [split, merge]
  }
  const [first, last] = draw(block)
  const done = line('l', 'e')
  line('l', 'm', 'again == true')
  line('s', 'm')
  line('m', first)
  line(last, 'l')
  elements.push(`<exclusiveGateway id="l" default="${done}"/>`, '<exclusiveGateway id="m"/>')
  const names = [...variables, 'again']
  const xml = `<?xml version="1.0" encoding="UTF-8"?><definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:flowable="http://flowable.org/bpmn" xmlns:kaopu="urn:kaopu:bpmn" targetNamespace="k" id="d1"><process id="p" name="p" isExecutable="true"><extensionElements>${names
    .map(name => `<kaopu:variable name="${name}" label="${name}" type="boolean"/>`)
    .join('')}</extensionElements><startEvent id="s"/><endEvent id="e"/>${elements.join('')}${lines.join('')}</process></definitions>`
  return { block, xml, variables: names }
}
/** The steps of one run: which open task is completed next, and what its variables are then. */
export const randomSteps = (seed: number, variables: readonly string[]) => {
  const roll = dice(seed ^ 0x5bd1e995)
  let rounds = 0
  return {
    values: (): Record<string, boolean> => {
      const again = rounds < 2 && roll(5) === 0
      if (again) rounds += 1
      return Object.fromEntries(variables.map(name => [name, name === 'again' ? again : roll(2) === 0]))
    },
    pick: (open: readonly string[]): string => open[roll(open.length)] ?? '',
  }
}
