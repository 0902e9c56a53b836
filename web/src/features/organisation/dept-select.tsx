import { TreeSelect } from 'antd'
import { isFoundIn } from '#contract/kernel/search-fold.ts'
import type { TreeOf } from '#contract/kernel/tree.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { useCall } from '#web/kernel/query.ts'
import type { InputProps } from '#web/resource/input-props.ts'
import { clearByKey } from '#web/ui/clear-by-key.ts'
import { Icon, iconPaths, treeSwitcher } from '#web/ui/icon.tsx'
import { peopleTexts } from './texts.ts'

export type DeptNode = TreeOf<{ readonly id: string; readonly title: string }>

interface TreeData {
  readonly value: string
  readonly title: string
  readonly disabled: boolean
  readonly children?: TreeData[]
}
/** A department does not stand below itself, so neither it nor what is below it may be chosen. */
const dataOf = (nodes: readonly DeptNode[], without: string | undefined, isBelow = false): TreeData[] =>
  nodes.map(node => {
    const disabled = isBelow || node.id === without
    return {
      value: node.id,
      title: node.title,
      disabled,
      ...(node.children === undefined ? {} : { children: dataOf(node.children, without, disabled) }),
    }
  })

/** Chooses one department, or several as the wire has them: comma-joined. */
export const DeptSelect = ({
  value,
  onChange,
  multiple = false,
  without,
  ...rest
}: InputProps & { readonly multiple?: boolean; readonly without?: string | undefined; readonly disabled?: boolean }) => {
  const t = useT(peopleTexts)
  const depts = useCall('GET /blade-system/dept/tree', {})
  const chosen = String(value ?? '')
    .split(',')
    .filter(id => id !== '' && id !== '0')
  return (
    <TreeSelect<string | string[]>
      {...rest}
      onKeyDown={multiple ? undefined : clearByKey(() => onChange?.(''))}
      allowClear={{ clearIcon: <Icon d={iconPaths.close} size={12} /> }}
      switcherIcon={treeSwitcher}
      suffixIcon={<Icon d={iconPaths.down} size={12} />}
      showSearch={{ filterTreeNode: (typed, { title }) => isFoundIn(String(title), typed) }}
      treeDefaultExpandedKeys={(depts.data ?? []).map(node => node.id)}
      loading={depts.isFetching}
      multiple={multiple}
      placeholder={t('dept.choose')}
      treeData={dataOf(depts.data ?? chosen.map(id => ({ id, title: '…' })), without)}
      value={(multiple ? chosen : chosen[0]) as string}
      onChange={next => onChange?.(Array.isArray(next) ? next.join(',') : (next ?? ''))}
    />
  )
}
