import { Tree } from 'antd'
import { useMemo } from 'react'
import { useT } from '#web/kernel/i18n/index.ts'
import { useCall } from '#web/kernel/query.ts'
import { treeSwitcher } from '#web/ui/icon.tsx'
import { Loaded } from '#web/ui/states.tsx'
import { type DeptNode, DeptSelect } from '../dept-select.tsx'
import { userTexts } from './texts.ts'
import './user.css'

interface Item {
  readonly key: string
  readonly title: string
  readonly children?: Item[]
}
const itemsOf = (nodes: readonly DeptNode[]): Item[] =>
  nodes.map(node => ({ key: node.id, title: node.title, ...(node.children === undefined ? {} : { children: itemsOf(node.children) }) }))

interface Props {
  readonly value: string
  readonly onChange: (id: string) => void
}

/** Departments beside a list: the chosen one and everything below it narrow the list. */
export const DeptSide = ({ value, onChange }: Props) => {
  const t = useT(userTexts)
  const depts = useCall('GET /blade-system/dept/tree', {})
  const items = useMemo(() => itemsOf(depts.data ?? []), [depts.data])
  return (
    <aside className="dept-side card" aria-label={t('user.depts')}>
      <button type="button" className="link-button" aria-pressed={value === ''} onClick={() => onChange('')}>
        {t('user.allDepts')}
      </button>
      <Loaded query={depts} skeletonRows={5}>
        {() => (
          <Tree
            blockNode
            switcherIcon={treeSwitcher}
            virtual
            height={560}
            treeData={items}
            defaultExpandedKeys={items.map(item => item.key)}
            selectedKeys={value === '' ? [] : [value]}
            onSelect={([key]) => onChange(key === undefined ? '' : String(key))}
          />
        )}
      </Loaded>
    </aside>
  )
}

/** The same choice where there is no room beside the list, under the title of its page. */
export const DeptPick = ({ value, onChange }: Props) => {
  const t = useT(userTexts)
  return (
    <>
      <label htmlFor="user-dept">{t('user.dept')}</label>
      <DeptSelect id="user-dept" value={value} onChange={next => onChange(String(next ?? ''))} />
    </>
  )
}
