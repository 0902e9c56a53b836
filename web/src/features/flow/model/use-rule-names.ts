import { useQuery } from '@tanstack/react-query'
import type { FlowVariable, PeopleRule } from '#contract/flow/process-graph.ts'
import { api } from '#web/kernel/api.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { modelTexts } from './texts.ts'

export interface Choice {
  readonly value: string
  readonly label: string
}
interface Node {
  readonly id: string
  readonly title: string
  readonly children?: readonly Node[]
}
const flat = (nodes: readonly Node[], depth = 0): readonly Choice[] =>
  nodes.flatMap(node => [{ value: node.id, label: `${'　'.repeat(depth)}${node.title}` }, ...flat(node.children ?? [], depth + 1)])

/** Roles, posts and departments to choose among; roles by their alias, which tenants have in common. */
const useChoices = () => {
  const quiet = { quiet: true } as const
  const roles = useQuery({ queryKey: ['flow-roles'], queryFn: () => api.call('GET /blade-system/role/list', {}, quiet), retry: false })
  const posts = useQuery({ queryKey: ['flow-posts'], queryFn: () => api.call('GET /blade-system/post/select', {}, quiet), retry: false })
  const depts = useQuery({ queryKey: ['flow-depts'], queryFn: () => api.call('GET /blade-system/dept/tree', {}, quiet), retry: false })
  type Role = { readonly roleAlias: string; readonly roleName: string; readonly children?: readonly Role[] }
  const roleChoices = (rows: readonly Role[]): readonly Choice[] =>
    rows.flatMap(row => [{ value: row.roleAlias, label: row.roleName }, ...roleChoices(row.children ?? [])])
  return {
    role: roleChoices((roles.data ?? []) as readonly Role[]),
    post: (posts.data ?? []).map(({ id, postName }) => ({ value: id, label: postName })),
    dept: flat((depts.data ?? []) as readonly Node[]),
  }
}

/** What rules about people are called, and what can be chosen for them. */
export const useRuleNames = (rules: readonly PeopleRule[], variables: readonly FlowVariable[]) => {
  const t = useT(modelTexts)
  const choices = useChoices()
  const ids = [...new Set(rules.flatMap(({ kind, ref }) => (kind === 'user' ? [ref] : [])))].sort().join(',')
  const people = useQuery({
    queryKey: ['work-people', 'ids', ids],
    queryFn: () => api.call('GET /blade-flow/work/people', { userIds: ids }, { quiet: true }),
    enabled: ids !== '',
  })
  const nameOf = ({ kind, ref }: PeopleRule): string => {
    if (kind === 'starter' || kind === 'manager') return t(`who.${kind}`)
    if (kind === 'variable') return variables.find(({ name }) => name === ref)?.label ?? ref
    if (kind === 'dept' && ref === 'starter') return t('who.deptStarter')
    if (kind === 'user') return people.data?.find(({ id }) => id === ref)?.realName ?? ref
    return choices[kind].find(choice => choice.value === ref)?.label.trim() ?? ref
  }
  return { choices, nameOf }
}
