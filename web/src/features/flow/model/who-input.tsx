import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { FlowVariable, PeopleRule } from '#contract/flow/process-graph.ts'
import { api } from '#web/kernel/api.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { Labelled, LabelledSelect } from '#web/ui/labelled.tsx'
import { WorkPeople } from '../work/people.tsx'
import { PersonNames } from '../work/person-names.tsx'
import { modelTexts } from './texts.ts'

type Kind = PeopleRule['kind']
const kinds: readonly Kind[] = ['manager', 'user', 'role', 'post', 'dept', 'variable', 'starter']
interface Choice {
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

interface Props {
  readonly value: readonly PeopleRule[]
  readonly variables: readonly FlowVariable[]
  readonly onChange: (value: readonly PeopleRule[]) => void
  readonly error?: string | undefined
}

/** Who gets a step: people, roles, posts, departments, or somebody who depends on the applicant. */
export const WhoInput = ({ value, variables, onChange, error }: Props) => {
  const t = useT(modelTexts)
  const choices = useChoices()
  const [kind, setKind] = useState<Kind>('manager')
  const people = variables.filter(({ type }) => type === 'user')
  const add = (ref: string) => {
    if (!value.some(rule => rule.kind === kind && rule.ref === ref)) onChange([...value, { kind, ref }])
  }
  const nameOf = ({ kind: of, ref }: PeopleRule): string => {
    if (of === 'starter' || of === 'manager') return t(`who.${of}`)
    if (of === 'variable') return variables.find(({ name }) => name === ref)?.label ?? ref
    if (of === 'dept' && ref === 'starter') return t('who.deptStarter')
    if (of === 'user') return ref
    return choices[of].find(choice => choice.value === ref)?.label.trim() ?? ref
  }
  const options: readonly Choice[] =
    kind === 'role' || kind === 'post'
      ? choices[kind]
      : kind === 'dept'
        ? [{ value: 'starter', label: t('who.deptStarter') }, ...choices.dept]
        : kind === 'variable'
          ? people.map(({ name, label }) => ({ value: name, label }))
          : []
  return (
    <fieldset className="flow-who" aria-label={t('who.title')}>
      <legend>{t('who.title')}</legend>
      {value.length === 0 ? <p className={error === undefined ? 'flow-hint' : 'field-error'}>{error ?? t('who.none')}</p> : null}
      <ul className="flow-chips">
        {value.map(rule => (
          <li key={`${rule.kind} ${rule.ref}`}>
            {rule.kind === 'user' ? <PersonNames ids={rule.ref} /> : nameOf(rule)}
            <button
              type="button"
              className="link-button"
              aria-label={t('who.remove', { name: nameOf(rule) })}
              onClick={() => onChange(value.filter(each => each !== rule))}
            >
              ×
            </button>
          </li>
        ))}
      </ul>
      <div className="flow-row">
        <LabelledSelect
          label={t('who.kind')}
          value={kind}
          options={kinds.filter(each => each !== 'variable' || people.length > 0).map(each => ({ value: each, label: t(`who.${each}`) }))}
          onChange={setKind}
        />
        {kind === 'user' ? (
          <Labelled label={t('who.user')}>
            {id => <WorkPeople id={id} value="" single onChange={chosen => typeof chosen === 'string' && chosen !== '' && add(chosen)} />}
          </Labelled>
        ) : kind === 'starter' || kind === 'manager' ? (
          <button type="button" className="button button-small" onClick={() => add('')}>
            {t('who.add')}
          </button>
        ) : (
          <LabelledSelect
            label={t(`who.${kind}`)}
            value=""
            options={[{ value: '', label: t('who.choose') }, ...options]}
            onChange={chosen => chosen !== '' && add(chosen)}
          />
        )}
      </div>
      {value.length > 1 ? <p className="flow-hint">{t('who.several')}</p> : null}
    </fieldset>
  )
}
