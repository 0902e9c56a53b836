import { type FlowValues, holds, readCondition } from '#contract/flow/condition.ts'
import type { FlowNode, ProcessGraph } from '#contract/flow/process-graph.ts'
import { decidesOnPass } from '#contract/flow/read-process.ts'

/** Where a process is: a token waits at a task, a call, a join, or at the start for its applicant. */
export interface FlowToken {
  readonly id: number
  /** Id of the node. */
  readonly at: string
  /** The line it came by. */
  readonly via: string | null
  readonly wait: 'task' | 'call' | 'join' | 'applicant' | null
}
export interface FlowPlace {
  /** Of the last token. */
  readonly seq: number
  readonly tokens: readonly FlowToken[]
}
/** What happened on the way, in its order. */
export type FlowStep =
  | { readonly is: 'line'; readonly flow: string }
  | { readonly is: 'passed'; readonly node: FlowNode }
  | { readonly is: 'task' | 'call'; readonly node: FlowNode; readonly token: number }
  | { readonly is: 'service'; readonly node: FlowNode }
  /** A token was taken away with what waits for it. */
  | { readonly is: 'dropped'; readonly token: number }
export interface Moved {
  readonly place: FlowPlace
  readonly steps: readonly FlowStep[]
  readonly ended: boolean
}

/** A process has 300 nodes at most, and the upload lets no loop pass that has no task: more steps than this are a defect. */
const mostSteps = 100_000

const nodeOf = (graph: ProcessGraph, id: string): FlowNode => {
  const node = graph.nodes[id]
  if (!node) throw new Error(`the process ${graph.key} has no element ${id}`)
  return node
}

/** Moves every token on until all of them wait or the process has ended. Pure: a place and the variables in, a place and what happened out. */
const run = (graph: ProcessGraph, from: FlowPlace, values: FlowValues, before: readonly FlowStep[]): Moved => {
  const types = Object.fromEntries(graph.variables.map(({ name, type }) => [name, type]))
  const steps: FlowStep[] = [...before]
  let { seq } = from
  let tokens: FlowToken[] = [...from.tokens]
  const drop = (ids: readonly number[]): void => {
    tokens = tokens.filter(({ id }) => !ids.includes(id))
  }
  const follow = (flow: string): void => {
    const line = graph.flows[flow]
    if (!line) throw new Error(`the process ${graph.key} has no line ${flow}`)
    seq += 1
    tokens.push({ id: seq, at: line.to, via: flow, wait: null })
    steps.push({ is: 'line', flow })
  }
  const stay = (token: FlowToken, wait: FlowToken['wait']): void => {
    tokens = tokens.map(one => (one.id === token.id ? { ...one, wait } : one))
  }
  const chosen = (node: FlowNode): string => {
    if (node.outgoing.length === 1) return node.outgoing[0] ?? ''
    const open = node.outgoing.find(flow => {
      const text = graph.flows[flow]?.condition
      if (flow === node.defaultFlow || text == null) return false
      const condition = readCondition(text, types)
      // Deployed by a release that read it otherwise: no branch is taken on a guess.
      if ('problem' in condition)
        throw new Error(`the process ${graph.key} has at its line ${flow} a condition that is none: ${condition.problem.en}`)
      return holds(condition, values)
    })
    return open ?? node.defaultFlow ?? ''
  }
  for (let count = 0; ; count += 1) {
    const token = tokens.find(({ wait }) => wait === null)
    if (token === undefined) break
    if (count > mostSteps) throw new Error(`the process ${graph.key} does not come to rest`)
    const node = nodeOf(graph, token.at)
    if (node.type === 'userTask' || node.type === 'callActivity') {
      stay(token, node.type === 'userTask' ? 'task' : 'call')
      steps.push({ is: node.type === 'userTask' ? 'task' : 'call', node, token: token.id })
      continue
    }
    if (node.type === 'parallelGateway' && node.incoming.length > 1) {
      stay(token, 'join')
      // One token of each line; what came twice by one waits for the next round.
      const here = tokens.filter(({ at, wait }) => at === node.id && wait === 'join')
      const one = node.incoming.map(flow => here.find(({ via }) => via === flow)?.id)
      if (one.some(id => id === undefined)) continue
      drop(one as number[])
    } else drop([token.id])
    steps.push({ is: node.type === 'serviceTask' ? 'service' : 'passed', node })
    if (node.type === 'endEvent') continue
    for (const flow of node.type === 'exclusiveGateway' ? [chosen(node)] : node.outgoing) follow(flow)
  }
  return { place: { seq, tokens }, steps, ended: tokens.length === 0 }
}

export const begin = (graph: ProcessGraph, values: FlowValues): Moved =>
  run(graph, { seq: 1, tokens: [{ id: 1, at: graph.start, via: null, wait: null }] }, values, [])

const waiting = (place: FlowPlace, token: number): FlowToken => {
  const found = place.tokens.find(({ id, wait }) => id === token && (wait === 'task' || wait === 'call'))
  if (!found) throw new Error(`no token ${token} waits`)
  return found
}

/** A task, or a process that was called, is done: its token goes on by the line of its node, or by that of its timer. */
export const goOn = (graph: ProcessGraph, place: FlowPlace, token: number, values: FlowValues, by?: FlowNode): Moved => {
  const { at } = waiting(place, token)
  const node = by ?? nodeOf(graph, at)
  const others = place.tokens.filter(({ id }) => id !== token)
  const [flow = ''] = node.outgoing
  const line = graph.flows[flow]
  if (!line) throw new Error(`nothing leaves ${node.id}`)
  const seq = place.seq + 1
  const steps: readonly FlowStep[] = [...(by ? [{ is: 'passed', node: by } as const] : []), { is: 'line', flow }]
  return run(graph, { seq, tokens: [...others, { id: seq, at: line.to, via: flow, wait: null }] }, values, steps)
}

export interface RefusalWay {
  readonly to: 'applicant' | 'end' | 'step' | 'on'
  /** The steps that are opened then. */
  readonly steps: readonly string[]
}
/** Where a refusal at a step leads: the way that the drawing has for it, back to the applicant, or to the end. `on`: it waits for other branches. */
export const refusalWay = (graph: ProcessGraph, place: FlowPlace, token: number, values: FlowValues, canReturn: boolean): RefusalWay => {
  const at = place.tokens.find(({ id, wait }) => id === token && wait === 'task')?.at ?? ''
  if (!decidesOnPass(graph, at)) return { to: canReturn ? 'applicant' : 'end', steps: [] }
  const { steps, ended } = goOn(graph, place, token, { ...values, pass: false })
  const opened = steps.flatMap(one => (one.is === 'task' || one.is === 'call' ? [one.node.name] : []))
  return { to: opened.length > 0 ? 'step' : ended ? 'end' : 'on', steps: opened }
}

const isWithin = (block: readonly string[], outer: readonly string[]): boolean => outer.every((branch, at) => block[at] === branch)

/** All from which lines, or the timers of tasks, lead to a node. */
const leadingTo = (graph: ProcessGraph, to: string): ReadonlySet<string> => {
  const found = new Set([to])
  const open = [to]
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    const node = nodeOf(graph, one)
    const before = [...node.incoming.flatMap(flow => graph.flows[flow]?.from ?? []), ...(node.attachedTo === null ? [] : [node.attachedTo])]
    for (const id of before)
      if (!found.has(id)) {
        found.add(id)
        open.push(id)
      }
  }
  return found
}

/**
 * Steps that one may be returned to from a node: tasks that were passed and lead to it, in the same branch or before the branches parted. What was
 * passed before an earlier return and lies ahead again is none of them.
 */
export const returnTargets = (graph: ProcessGraph, from: string, passed: ReadonlySet<string>): readonly FlowNode[] => {
  const { block } = nodeOf(graph, from)
  const leading = leadingTo(graph, from)
  return Object.values(graph.nodes).filter(
    ({ id, type, block: other }) => type === 'userTask' && id !== from && passed.has(id) && leading.has(id) && isWithin(block, other),
  )
}

/** Back to a step: whatever waits in the branches that parted behind it is taken away. */
export const goBack = (graph: ProcessGraph, place: FlowPlace, to: string, values: FlowValues): Moved => {
  const { block } = nodeOf(graph, to)
  const gone = place.tokens.filter(({ at }) => isWithin(nodeOf(graph, at).block, block))
  const seq = place.seq + 1
  return run(
    graph,
    { seq, tokens: [...place.tokens.filter(token => !gone.includes(token)), { id: seq, at: to, via: null, wait: null }] },
    values,
    gone.map(({ id }) => ({ is: 'dropped', token: id })),
  )
}

/** Back to the applicant: one token waits at the start for them. */
export const goToApplicant = (graph: ProcessGraph, place: FlowPlace): Moved => {
  const seq = place.seq + 1
  return {
    place: { seq, tokens: [{ id: seq, at: graph.start, via: null, wait: 'applicant' }] },
    steps: place.tokens.map(({ id }) => ({ is: 'dropped', token: id })),
    ended: false,
  }
}

/** The applicant has sent it again. */
export const sendAgain = (graph: ProcessGraph, place: FlowPlace, values: FlowValues): Moved => {
  const seq = place.seq + 1
  return run(graph, { seq, tokens: [{ id: seq, at: graph.start, via: null, wait: null }] }, values, [])
}
