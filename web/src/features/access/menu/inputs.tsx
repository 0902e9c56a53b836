import { useQuery } from '@tanstack/react-query'
import { Input, Select } from 'antd'
import { useEffect, useState } from 'react'
import { menuPathProblem } from '#contract/access/menu.ts'
import { api } from '#web/kernel/api.ts'
import { useLabel, useT } from '#web/kernel/i18n/index.ts'
import type { InputProps } from '#web/resource/input-props.ts'
import { iconNames, MenuIcon } from '#web/shell/icons.tsx'
import { usePage } from '#web/shell/page-context.tsx'
import { menuTexts } from './texts.ts'

interface TreeNode {
  readonly id: string
  readonly title: string
  readonly children?: readonly TreeNode[]
}
const flat = (nodes: readonly TreeNode[], depth: number): readonly { readonly value: string; readonly label: string }[] =>
  nodes.flatMap(node => [{ value: node.id, label: `${'　'.repeat(depth)}${node.title}` }, ...flat(node.children ?? [], depth + 1)])

/** Which menu it stands below; indented like the tree. */
export const ParentInput = ({ value, onChange, id, noRoot }: InputProps & { readonly noRoot: boolean }) => {
  const t = useT(menuTexts)
  const tree = useQuery({
    queryKey: ['list', 'menu', 'parents'],
    queryFn: ({ signal }) => api.call('GET /blade-system/menu/tree', {}, { signal }),
    staleTime: 0,
  })
  const options = flat((tree.data ?? []) as readonly TreeNode[], noRoot ? 0 : 1)
  return (
    <Select
      {...(id === undefined ? {} : { id })}
      loading={tree.isPending}
      // What was chosen stands alone: it is not indented like the list.
      labelRender={({ label }) => String(label).trim()}
      options={noRoot ? [...options] : [{ value: '0', label: t('menu.root') }, ...options]}
      value={typeof value === 'string' && tree.data !== undefined ? value : undefined}
      onChange={next => onChange?.(next)}
    />
  )
}

export const ChoiceInput = ({
  value,
  onChange,
  id,
  options,
}: InputProps & { readonly options: readonly { readonly value: number; readonly label: string }[] }) => (
  <Select
    {...(id === undefined ? {} : { id })}
    options={[...options]}
    value={typeof value === 'number' && value > 0 ? value : undefined}
    onChange={next => onChange?.(next)}
  />
)

export const IconInput = ({ value, onChange, id }: InputProps) => {
  const t = useT(menuTexts)
  const shown = typeof value === 'string' && iconNames.includes(value) ? value : ''
  return (
    <Select
      {...(id === undefined ? {} : { id })}
      value={shown}
      onChange={next => onChange?.(next)}
      options={['', ...iconNames].map(name => ({
        value: name,
        label:
          name === '' ? (
            t('menu.icon.default')
          ) : (
            <span className="access-icon">
              <MenuIcon code="" path={null} source={name} /> {name}
            </span>
          ),
      }))}
    />
  )
}

/** The path with what it would open, so that a slip of the finger shows before somebody meets a 404. */
export const PathInput = ({ value, onChange, id }: InputProps) => {
  const t = useT(menuTexts)
  const label = useLabel()
  const { titleAt } = usePage()
  const path = typeof value === 'string' ? value.trim() : ''
  const problem = path === '' ? null : menuPathProblem(path)
  const [found, setFound] = useState<{ readonly path: string; readonly text: string } | null>(null)
  useEffect(() => {
    let isOver = false
    if (path === '' || problem !== null) return
    if (/^https?:/i.test(path)) return setFound({ path, text: t('menu.path.frame') })
    void titleAt(path.split(/[?#]/)[0] ?? path).then(title => {
      if (!isOver) setFound({ path, text: title === null ? t('menu.path.none') : t('menu.path.opens', { title: label(title) }) })
    })
    return () => {
      isOver = true
    }
  }, [path, problem, label, t, titleAt])
  return (
    <>
      <Input
        {...(id === undefined ? {} : { id })}
        value={typeof value === 'string' ? value : ''}
        autoComplete="off"
        onChange={event => onChange?.(event.target.value)}
      />
      <span className="access-hint" role="status">
        {problem !== null ? label(problem) : found?.path === path ? found.text : ''}
      </span>
    </>
  )
}
