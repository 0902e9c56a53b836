import type { FlowLine, FlowNode } from './process-graph.ts'

interface Edge {
  readonly id: string
  readonly from: string
  readonly to: string
}

/**
 * Pairs every parallel gateway that splits with the one where its branches meet, the innermost first, and says in which branches each node lies.
 * A pair that was found counts as one plain node from then on. What cannot be paired (`open`) could wait for ever, or end while something waits.
 */
export const blocksOf = (
  nodes: Readonly<Record<string, FlowNode>>,
  flows: Readonly<Record<string, FlowLine>>,
): { readonly blocks: ReadonlyMap<string, readonly string[]>; readonly open: readonly string[] } => {
  const blocks = new Map<string, readonly string[]>(Object.keys(nodes).map(id => [id, []]))
  /** What stands for what: a pair that was found stands for all within it. */
  const within = new Map<string, readonly string[]>(Object.keys(nodes).map(id => [id, [id]]))
  let edges: readonly Edge[] = [
    ...Object.values(flows).map(({ id, from, to }) => ({ id, from, to })),
    // A timer is one more way out of its task.
    ...Object.values(nodes).flatMap(({ id, attachedTo }) => (attachedTo === null ? [] : [{ id: `at ${id}`, from: attachedTo, to: id }])),
  ]
  const parallel = new Set(
    Object.values(nodes)
      .filter(({ type, incoming, outgoing }) => type === 'parallelGateway' && (incoming.length > 1 || outgoing.length > 1))
      .map(({ id }) => id),
  )
  const isSplit = (id: string): boolean => parallel.has(id) && edges.filter(({ from }) => from === id).length > 1

  /** All that one branch of a fork passes, and where it ends; undefined when it does not end in one line of one join. */
  const branchOf = (fork: string, first: Edge): { readonly inside: ReadonlySet<string>; readonly last: Edge } | undefined => {
    const inside = new Set<string>()
    const lasts: Edge[] = []
    const waiting = [first]
    for (let edge = waiting.pop(); edge !== undefined; edge = waiting.pop()) {
      const { to } = edge
      if (to === fork || isSplit(to) || nodes[to]?.type === 'endEvent') return undefined
      if (parallel.has(to)) lasts.push(edge)
      else if (!inside.has(to)) {
        inside.add(to)
        waiting.push(...edges.filter(({ from }) => from === to))
      }
    }
    const [last, ...more] = lasts
    if (last === undefined || more.length > 0) return undefined
    const isEntered = edges.some(edge => edge !== first && inside.has(edge.to) && !inside.has(edge.from))
    return isEntered ? undefined : { inside, last }
  }
  const close = (fork: string): boolean => {
    const branches = edges.filter(({ from }) => from === fork).map(edge => branchOf(fork, edge))
    const [one] = branches
    const join = one?.last.to
    if (join === undefined || branches.some(branch => branch?.last.to !== join)) return false
    if (edges.filter(({ to }) => to === join).length !== branches.length || isSplit(join)) return false
    const inner = branches.flatMap(branch => [...(branch?.inside ?? [])])
    if (new Set(inner).size !== inner.length) return false
    branches.forEach((branch, number) => {
      for (const id of branch?.inside ?? [])
        for (const member of within.get(id) ?? []) blocks.set(member, [`${fork}#${number}`, ...(blocks.get(member) ?? [])])
    })
    const gone = new Set([...inner, join])
    within.set(fork, [...(within.get(fork) ?? []), ...[...gone].flatMap(id => within.get(id) ?? [])])
    edges = edges
      .filter(({ from, to }) => !(from === fork || gone.has(to) || (gone.has(from) && from !== join)))
      .map(edge => (edge.from === join ? { ...edge, from: fork } : edge))
    parallel.delete(fork)
    parallel.delete(join)
    return true
  }
  for (let isMoving = true; isMoving; ) {
    isMoving = false
    for (const fork of [...parallel]) if (isSplit(fork) && close(fork)) isMoving = true
  }
  return { blocks, open: [...parallel] }
}
