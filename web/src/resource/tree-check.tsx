import { type ReactNode, useId, useMemo, useState } from 'react'
import { useT } from '../kernel/i18n/index.ts'
import { Check } from '../ui/labelled.tsx'
import { resourceTexts } from './texts.ts'
import './tree-check.css'

/** What selectors of trees take (framework-contract 3.8). */
export interface CheckNode {
  readonly id: string
  readonly title: string
  readonly children?: readonly CheckNode[]
}

interface Props {
  readonly id?: string | undefined
  readonly label: string
  readonly nodes: readonly CheckNode[]
  readonly chosen: ReadonlySet<string>
  readonly onChange: (chosen: ReadonlySet<string>) => void
}

const withDescendants = (node: CheckNode): readonly string[] => [node.id, ...(node.children ?? []).flatMap(withDescendants)]

/** Node → the nodes above it, nearest last. */
const ancestorsOf = (nodes: readonly CheckNode[], above: readonly string[] = []): ReadonlyMap<string, readonly string[]> =>
  new Map(nodes.flatMap(node => [[node.id, above] as const, ...ancestorsOf(node.children ?? [], [...above, node.id])]))

/**
 * Several nodes of a tree, chosen by their boxes. Linked, a box takes along what is below it and, when it is set, what is above it; all,
 * none and the opposite are one press away (S2.47).
 */
export const TreeCheck = ({ id, label, nodes, chosen, onChange }: Props) => {
  const t = useT(resourceTexts)
  const own = useId()
  const [linked, setLinked] = useState(true)
  const all = useMemo(() => nodes.flatMap(withDescendants), [nodes])
  const ancestors = useMemo(() => ancestorsOf(nodes), [nodes])
  const toggle = (node: CheckNode) => {
    const isOn = chosen.has(node.id)
    const next = new Set(chosen)
    for (const each of linked ? withDescendants(node) : [node.id]) {
      if (isOn) next.delete(each)
      else next.add(each)
    }
    if (linked && !isOn) for (const each of ancestors.get(node.id) ?? []) next.add(each)
    onChange(next)
  }
  const draw = (list: readonly CheckNode[]): ReactNode => (
    <ul>
      {list.map(node => {
        const below = (node.children ?? []).flatMap(withDescendants)
        const some = below.some(each => chosen.has(each))
        const isPartly = below.length > 0 && chosen.has(node.id) && !below.every(each => chosen.has(each))
        return (
          <li key={node.id}>
            <label className="check">
              <input
                type="checkbox"
                checked={chosen.has(node.id)}
                ref={box => {
                  if (box !== null) box.indeterminate = isPartly || (some && !chosen.has(node.id))
                }}
                onChange={() => toggle(node)}
              />
              <span>{node.title}</span>
            </label>
            {node.children === undefined || node.children.length === 0 ? null : draw(node.children)}
          </li>
        )
      })}
    </ul>
  )
  return (
    <fieldset id={id ?? own} className="tree-check">
      <legend className="visually-hidden">{label}</legend>
      <div className="tree-check-tools">
        <Check label={t('tree.linked')} on={linked} onChange={setLinked} />
        <button type="button" className="link-button" onClick={() => onChange(new Set(all))}>
          {t('tree.all')}
        </button>
        <button type="button" className="link-button" onClick={() => onChange(new Set(all.filter(each => !chosen.has(each))))}>
          {t('tree.invert')}
        </button>
        <button type="button" className="link-button" onClick={() => onChange(new Set())}>
          {t('tree.none')}
        </button>
        <span className="tree-check-count">{t('tree.count', { count: all.filter(each => chosen.has(each)).length })}</span>
      </div>
      <div className="tree-check-nodes">{draw(nodes)}</div>
    </fieldset>
  )
}
