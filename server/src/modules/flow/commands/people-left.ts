import type { FlowNode, PeopleRule, ProcessGraph } from '#contract/flow/process-graph.ts'
import type { Label } from '#contract/kernel/label.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { deptsOf, membersOf, type Named, namesOf, superiorOf } from '../data/people.repo.ts'

export const noSuperior: Label = {
  zh: '申请人没有登记上级，所在部门和上级部门也没有负责人，请管理员在“用户管理”或“部门管理”中登记后再办理',
  en: 'the applicant has no superior on record, and neither their department nor one above it has a leader; an administrator enters one, then it can go on',
}
export const onlyApplicant: Label = {
  zh: '只有申请人本人可以办理，而申请人不能审批自己的申请，也没有登记上级或部门负责人',
  en: 'only the applicant could take it, who cannot decide on their own request and has no superior or leader of the department on record',
}
export const onlyDecided: Label = {
  zh: '该步骤须由另一人办理，可以办理的人都已在本申请的其他步骤作出决定，或是申请人本人',
  en: 'this step wants another person: all who could take it have decided at another step of this request or are the applicant',
}
const kinds: Readonly<Record<Named['kind'], Label>> = {
  role: { zh: '角色', en: 'role' },
  post: { zh: '岗位', en: 'duty post' },
  dept: { zh: '部门', en: 'department' },
  user: { zh: '人员', en: 'person' },
}
/** Nobody of these is active staff: who was meant, by name. */
export const nobodyAmong = async (db: TenantDb, named: readonly Named[]): Promise<Label> => {
  if (named.length === 0) return { zh: '没有指定办理人', en: 'nobody is named' }
  const names = await namesOf(db, named)
  return {
    zh: `${names.map(({ kind, name }) => `${kinds[kind].zh}“${name.zh}”`).join('、')}没有在岗的工作人员`,
    en: `no active staff (${names.map(({ kind, name }) => `${kinds[kind].en} “${name.en}”`).join(', ')})`,
  }
}

export interface StepWithoutPeople {
  readonly element: string
  readonly elementName: string
  readonly text: Label
}
/** Whom a rule names before the process runs; undefined: that is not known yet. */
const namedBefore = async (db: TenantDb, rule: PeopleRule, starter: string | undefined): Promise<readonly Named[] | undefined> => {
  if (rule.kind === 'variable' || rule.kind === 'starter') return undefined
  if (rule.kind === 'manager') {
    if (starter === undefined) return undefined
    const superior = await superiorOf(db, starter)
    return superior === undefined ? [] : [{ kind: 'user', ref: superior }]
  }
  if (rule.kind === 'dept' && rule.ref === 'starter')
    return starter === undefined ? undefined : (await deptsOf(db, starter)).map(ref => ({ kind: 'dept', ref }))
  return [{ kind: rule.kind, ref: rule.ref }]
}
const whyNobody = async (
  db: TenantDb,
  { task }: FlowNode,
  starter: string | undefined,
  decidesOwn: boolean,
): Promise<Label | undefined> => {
  const rules = task ? [...(task.assignee ? [task.assignee] : []), ...task.candidates] : []
  const named: Named[] = []
  for (const rule of rules) {
    const known = await namedBefore(db, rule, starter)
    if (known === undefined) return undefined
    named.push(...known)
  }
  if (rules.length === 0) return undefined
  const members = await membersOf(db, named, 2)
  if (members.length === 0) return rules.every(({ kind }) => kind === 'manager') ? noSuperior : nobodyAmong(db, named)
  if (decidesOwn || starter === undefined || members.some(id => id !== starter)) return undefined
  return (await superiorOf(db, starter)) === undefined ? onlyApplicant : undefined
}
/** Steps that nobody could take as things stand: for anybody who starts it, or for this applicant. */
export const stepsWithoutPeople = async (
  db: TenantDb,
  graph: ProcessGraph,
  starter: string | undefined,
  decidesOwn: boolean,
): Promise<readonly StepWithoutPeople[]> => {
  const found: StepWithoutPeople[] = []
  for (const node of Object.values(graph.nodes)) {
    const text = node.type === 'userTask' ? await whyNobody(db, node, starter, decidesOwn) : undefined
    if (text) found.push({ element: node.id, elementName: node.name, text })
  }
  return found
}
