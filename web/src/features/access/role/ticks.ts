/** A line of a tree whose lines are ticked. */
export interface TickNode {
  readonly id: string
  /** 0: shown, and ticked or cleared by nobody here. */
  readonly may: number
  readonly children?: readonly TickNode[]
}
export type Ticks = ReadonlySet<string>

const all = (nodes: readonly TickNode[]): readonly TickNode[] => nodes.flatMap(node => [node, ...all(node.children ?? [])])

/** A line with everything below it, and the lines above it from the root. */
const pathTo = (nodes: readonly TickNode[], id: string): readonly TickNode[] | undefined => {
  for (const node of nodes) {
    if (node.id === id) return [node]
    const rest = pathTo(node.children ?? [], id)
    if (rest) return [node, ...rest]
  }
  return undefined
}

/**
 * The ticks after one line was pressed. Linked: a ticked line takes what is below and above it along, because a button shows on its page only;
 * a cleared one clears what is below. Otherwise the line alone. Lines that nobody may change stay as they are.
 */
export const press = (nodes: readonly TickNode[], ticks: Ticks, id: string, linked: boolean): Ticks => {
  const path = pathTo(nodes, id)
  const node = path?.at(-1)
  if (!path || node?.may !== 1) return ticks
  const isOn = !ticks.has(id)
  const touched = (linked ? [...all([node]), ...(isOn ? path : [])] : [node]).filter(one => one.may === 1)
  const next = new Set(ticks)
  for (const one of touched) {
    if (isOn) next.add(one.id)
    else next.delete(one.id)
  }
  return next
}

export const tickAll = (nodes: readonly TickNode[], ticks: Ticks): Ticks =>
  new Set([...ticks, ...all(nodes).flatMap(node => (node.may === 1 ? [node.id] : []))])

export const invert = (nodes: readonly TickNode[], ticks: Ticks): Ticks => {
  const mine = all(nodes).filter(node => node.may === 1)
  const ids = new Set(mine.map(node => node.id))
  return new Set([...[...ticks].filter(id => !ids.has(id)), ...mine.flatMap(node => (ticks.has(node.id) ? [] : [node.id]))])
}

/** How many of the lines that may be changed are ticked. */
export const counted = (nodes: readonly TickNode[], ticks: Ticks): { readonly on: number; readonly of: number } => {
  const mine = all(nodes).filter(node => node.may === 1)
  return { on: mine.filter(node => ticks.has(node.id)).length, of: mine.length }
}

/** The first lines of a tree, in its order, and how many are left out. */
export const firstLines = <Node extends { readonly children?: readonly Node[] }>(
  nodes: readonly Node[],
  most: number,
): { readonly nodes: readonly Node[]; readonly left: number } => {
  let done = 0
  const take = (level: readonly Node[]): readonly Node[] =>
    level.flatMap(node => {
      done += 1
      const isIn = done <= most
      const children = take(node.children ?? [])
      return isIn ? [node.children === undefined ? node : { ...node, children }] : []
    })
  const taken = take(nodes)
  return { nodes: taken, left: Math.max(0, done - most) }
}
