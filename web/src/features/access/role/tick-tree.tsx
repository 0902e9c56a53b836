import { useDeferredValue, useId, useMemo, useState } from 'react'
import { isFoundIn } from '#contract/kernel/search-fold.ts'
import { tidyLine } from '#contract/kernel/tidy-text.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { Icon, iconPaths } from '#web/ui/icon.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { roleTexts } from './texts.ts'
import { counted, firstLines, invert, press, type TickNode, type Ticks, tickAll } from './ticks.ts'

export interface GrantLine extends TickNode {
  readonly title: string
  /** 1 menu, 2 button, 3 scope. */
  readonly kind: number
  readonly code: string
  readonly children?: readonly GrantLine[]
}

interface Props {
  readonly nodes: readonly GrantLine[]
  readonly ticks: Ticks
  readonly onChange: (ticks: Ticks) => void
  readonly readOnly?: boolean
}

/** The lines that hold the word, with what is above them and, for a menu that fits, below it. */
const narrowed = (nodes: readonly GrantLine[], word: string): readonly GrantLine[] =>
  nodes.flatMap(node => {
    if (isFoundIn(`${node.title} ${node.code}`, word)) return [node]
    const children = narrowed(node.children ?? [], word)
    return children.length > 0 ? [{ ...node, children }] : []
  })

const Branch = ({
  node,
  depth,
  open,
  onToggle,
  ticks,
  onPress,
  readOnly,
}: {
  readonly node: GrantLine
  readonly depth: number
  readonly open: ReadonlySet<string> | null
  readonly onToggle: (id: string) => void
  readonly ticks: Ticks
  readonly onPress: (id: string) => void
  readonly readOnly: boolean
}) => {
  const t = useT(roleTexts)
  const id = useId()
  const children = node.children ?? []
  const isOpen = open === null || open.has(node.id)
  return (
    <li>
      <div className="tick-line" style={{ paddingInlineStart: depth * 20 }}>
        {children.length > 0 ? (
          <button
            type="button"
            className="icon-button tick-arrow"
            aria-expanded={isOpen}
            aria-label={t(isOpen ? 'grant.close' : 'grant.open', { name: node.title })}
            onClick={() => onToggle(node.id)}
          >
            <Icon d={isOpen ? iconPaths.down : iconPaths.right} size={12} />
          </button>
        ) : (
          <span className="tick-arrow" />
        )}
        <input
          id={id}
          type="checkbox"
          checked={ticks.has(node.id)}
          disabled={readOnly || node.may !== 1}
          onChange={() => onPress(node.id)}
        />
        <label htmlFor={id} title={node.may === 1 ? node.code : `${node.code} · ${t('grant.beyond')}`}>
          {node.title}
          {node.kind === 2 ? <span className="tick-kind">{t('grant.button')}</span> : null}
        </label>
      </div>
      {children.length > 0 && isOpen ? (
        <ul>
          {children.map(child => (
            <Branch key={child.id} {...{ node: child, depth: depth + 1, open, onToggle, ticks, onPress, readOnly }} />
          ))}
        </ul>
      ) : null}
    </li>
  )
}

/** A letter that stands in thousands of lines draws no more of them at once. */
const drawnAtOnce = 200

/** A tree whose lines are ticked, with a search, all, invert, and levels that go along or not. */
export const TickTree = ({ nodes, ticks, onChange, readOnly = false }: Props) => {
  const t = useT(roleTexts)
  const [word, setWord] = useState('')
  const [linked, setLinked] = useState(true)
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  // Typing goes before drawing what is found.
  const wanted = tidyLine(useDeferredValue(word))
  const [most, setMost] = useState(drawnAtOnce)
  const shown = useMemo(() => (wanted === '' ? nodes : narrowed(nodes, wanted)), [nodes, wanted])
  const drawn = useMemo(() => (wanted === '' ? { nodes, left: 0 } : firstLines(shown, most)), [nodes, shown, wanted, most])
  const { on, of } = counted(nodes, ticks)
  const linkedId = useId()
  if (nodes.length === 0) return <EmptyState text={t('grant.none')} />
  const toggle = (id: string) =>
    setOpen(before => {
      const next = new Set(before)
      if (!next.delete(id)) next.add(id)
      return next
    })
  return (
    <div className="tick-tree">
      <div className="tick-tools">
        <input
          className="input"
          type="search"
          aria-label={t('grant.find')}
          placeholder={t('grant.find')}
          value={word}
          onChange={event => {
            setWord(event.target.value)
            setMost(drawnAtOnce)
          }}
        />
        {readOnly ? null : (
          <>
            <span className="tick-link">
              <input id={linkedId} type="checkbox" checked={linked} onChange={() => setLinked(!linked)} />
              <label htmlFor={linkedId}>{t('grant.linked')}</label>
            </span>
            <button type="button" className="link-button" onClick={() => onChange(tickAll(shown, ticks))}>
              {t('grant.all')}
            </button>
            <button type="button" className="link-button" onClick={() => onChange(invert(shown, ticks))}>
              {t('grant.invert')}
            </button>
          </>
        )}
        <span className="tick-count" role="status">
          {t('grant.count', { on, of })}
        </span>
      </div>
      <ul className="tick-list">
        {drawn.nodes.map(node => (
          <Branch
            key={node.id}
            node={node}
            depth={0}
            open={wanted === '' ? open : null}
            onToggle={toggle}
            ticks={ticks}
            onPress={id => onChange(press(nodes, ticks, id, linked))}
            readOnly={readOnly}
          />
        ))}
      </ul>
      {drawn.left > 0 ? (
        <button type="button" className="link-button" onClick={() => setMost(most + drawnAtOnce)}>
          {t('grant.more', { left: drawn.left })}
        </button>
      ) : null}
    </div>
  )
}
