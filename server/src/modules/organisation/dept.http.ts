import { refuse, refuseField } from '#contract/kernel/errors.ts'
import { idsOf } from '#contract/kernel/ids.ts'
import type { Label } from '#contract/kernel/label.ts'
import type { Refusal } from '#contract/kernel/refusal.ts'
import type { InputOf } from '#contract/kernel/route.ts'
import { toWireTime } from '#contract/kernel/when.ts'
import { type DeptRow, dept, deptLevels } from '#contract/organisation/dept.routes.ts'
import { audit } from '#kernel/audit.ts'
import { duplicateValue } from '#kernel/crud/duplicate.ts'
import { lock } from '#kernel/db/lock.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type Ctx, type Handler, handle, handleExport, Refused } from '#kernel/http/context.ts'
import type { KeptAnswers } from '#kernel/http/kept-answers.ts'
import { isNarrowed } from '#kernel/http/row-scope.ts'
import { DataAsJson } from '#kernel/http/written-answer.ts'
import { countAbleStaff, deptScope, findDepartmentsOf, treeWithAncestors, userScope } from '#modules/access/index.ts'
import { listEntries } from '#modules/reference/index.ts'
import { planDepts } from './commands/export-depts.ts'
import {
  type DeptFilter,
  type DeptRecord,
  type DeptUses,
  findDept,
  insertDept,
  isDeptNameTaken,
  levelsBelow,
  listDeptNodes,
  listDepts,
  nextSort,
  removeDepts,
  updateDept,
  usesOfDepts,
} from './data/dept.repo.ts'
import { deptTree, deptTreeJson } from './dept-json.ts'
import type { DeptNodes } from './dept-nodes.ts'
import { placeDept } from './domain/dept-place.ts'

type Submit = InputOf<typeof dept.submit>

const problems = {
  'parent-missing': { zh: '上级部门不存在', en: 'There is no such parent department' },
  'below-itself': { zh: '部门不能移到自己或自己的下级之下', en: 'A department cannot stand below itself or its own departments' },
  'too-deep': {
    zh: `部门最多 ${deptLevels} 级，含随之移动的下级`,
    en: `Departments have at most ${deptLevels} levels, those below included`,
  },
} satisfies Readonly<Record<string, Label>>
const texts = {
  kind: { zh: '部门类型不在字典中，请重新选择', en: 'There is no such kind of department, choose again' },
  leader: { zh: '负责人须是本租户的工作人员', en: 'Leaders must be members of staff of this tenant' },
} satisfies Readonly<Record<string, Label>>

/** Key of `org_category` that says department. */
const plainDepartment = 2

/** What the kinds of departments are called, sealed ones too. */
type KindNames = ReadonlyMap<string, string>
const kindNames = async (ctx: Ctx, db: TenantDb): Promise<KindNames> =>
  new Map((await listEntries(db, ['org_category'])).map(entry => [entry.key, ctx.say(entry)]))

const present = (row: DeptRecord): Omit<DeptRow, 'deptCategoryName'> => ({
  id: row.id,
  tenantId: row.tenantId,
  parentId: row.parentId,
  ancestors: ['0', ...row.ancestorIds].join(','),
  deptName: row.deptName,
  fullName: row.fullName,
  deptCategory: row.deptCategory,
  leaderId: row.leaderId,
  sort: row.sort,
  remark: row.remark,
  createTime: toWireTime(row.createdAt),
  updateTime: toWireTime(row.updatedAt),
  version: row.version,
})
const presentRow =
  (kinds: KindNames) =>
  (row: DeptRecord): DeptRow => ({ ...present(row), deptCategoryName: kinds.get(String(row.deptCategory)) ?? '' })
const presentLine = (kinds: KindNames) => (row: DeptRecord) => ({
  ...presentRow(kinds)(row),
  parentName: row.parentName,
  hasChildren: row.hasChildren,
})
const node = (row: Pick<DeptRecord, 'id' | 'parentId' | 'deptName'>) => ({
  id: row.id,
  parentId: row.parentId,
  title: row.deptName,
  key: row.id,
  value: row.id,
})

/** What the caller's data scopes leave of the departments. */
const scopeOf =
  (ctx: Ctx): NonNullable<DeptFilter['scope']> =>
  id =>
    deptScope(ctx.session, id)
/** Departments whose parent is out of reach stand at the top. */
const raised = <T extends { readonly id: string; readonly parentId: string }>(
  rows: readonly T[],
  all: readonly { readonly id: string }[] = rows,
): T[] => {
  const known = new Set(all.map(row => row.id))
  return rows.map(row => (row.parentId === '0' || known.has(row.parentId) ? row : { ...row, parentId: '0' }))
}

/** Leaders as they are stored: each once, each a living member of staff, new ones of those whom the writer may see. */
const leadersOf = async (ctx: Ctx, db: TenantDb, given: string, before: string): Promise<string> => {
  const ids = idsOf(given)
  if (ids.length === 0) return ''
  const added = ids.filter(id => !idsOf(before).includes(id))
  if ((await countAbleStaff(db, added, userScope(ctx.session))) !== added.length) throw new Refused(refuseField('leaderId', texts.leader))
  return ids.join(',')
}

/** Whether a kind of department is an entry of its dictionary, which a tenant can extend. */
const isKind = async (db: TenantDb, kind: number): Promise<boolean> =>
  (await listEntries(db, ['org_category'])).some(entry => entry.key === String(kind))

/** Without a name: the departments of this session. */
const deptsOfPerson = async (ctx: Ctx, db: TenantDb, userId: string | undefined): Promise<readonly string[]> => {
  if (userId === undefined || userId === ctx.session?.userId) return idsOf(ctx.session?.deptId)
  if (!ctx.session?.permissions.has('user_view')) throw new Refused(refuse('kernel/forbidden', {}))
  const person = await findDepartmentsOf(db, userId, userScope(ctx.session))
  if (!person) throw new Refused(refuse('kernel/not-found', {}))
  return idsOf(person.deptId)
}

const submit = async (ctx: Ctx, db: TenantDb, nodes: DeptNodes, input: Submit): Promise<{ id: string } | Refusal> => {
  const id = input.id || undefined
  if (!ctx.session?.permissions.has(id === undefined ? 'dept_add' : 'dept_edit')) return refuse('kernel/forbidden', {})
  // One change of the tree at a time: two moves that are right each by itself could make a ring together.
  await lock(db, 'dept-tree')
  const before = id === undefined ? undefined : await findDept(db, id, scopeOf(ctx))
  if (id !== undefined && !before) return refuse('kernel/not-found', {})
  if (before && input.version !== undefined && input.version !== before.version) return refuse('kernel/changed-meanwhile', {})
  const parentId = input.parentId ?? before?.parentId ?? '0'
  const target = parentId === '' ? '0' : parentId
  const place = placeDept(
    before,
    target,
    // It may stay where it is, below one that its writer does not see.
    target === '0' ? undefined : await findDept(db, target, target === before?.parentId ? undefined : scopeOf(ctx)),
    before ? await levelsBelow(db, before) : 0,
  )
  if ('problem' in place) throw new Refused(refuseField('parentId', problems[place.problem]))
  const deptCategory = input.deptCategory ?? before?.deptCategory ?? plainDepartment
  if (deptCategory !== before?.deptCategory && !(await isKind(db, deptCategory))) throw new Refused(refuseField('deptCategory', texts.kind))
  if (await isDeptNameTaken(db, target, input.deptName, id))
    return duplicateValue('deptName', { zh: '同一上级下的部门名称', en: 'Under this parent the name' }, input.deptName)
  const values = {
    ancestorIds: place.ancestorIds,
    deptName: input.deptName,
    fullName: input.fullName,
    deptCategory,
    leaderId:
      input.leaderId === undefined ? (before?.leaderId ?? '') : await leadersOf(ctx, db, input.leaderId ?? '', before?.leaderId ?? ''),
    sort: input.sort ?? before?.sort ?? (await nextSort(db, target)),
    remark: input.remark === undefined ? (before?.remark ?? '') : (input.remark ?? ''),
  }
  if (before) await updateDept(db, before, values)
  const savedId = before?.id ?? (await insertDept(db, values))
  db.afterCommit(() => nodes.touched(ctx.tenantId, [savedId]))
  const after = await findDept(db, savedId, scopeOf(ctx))
  // Written where the writer could not read it.
  if (!after) return refuse('kernel/out-of-scope', {})
  await audit(db, ctx, {
    action: before ? 'dept.updated' : 'dept.added',
    entity: 'dept',
    entityId: savedId,
    ...(before ? { before: present(before) } : {}),
    after: present(after),
  })
  return { id: savedId }
}

/** Names the first thing that keeps a department. */
const inUse = ({ name, below, people, units, exams }: DeptUses): Refusal | undefined => {
  const what: Label | undefined =
    below > 0
      ? { zh: `${name} 下还有 ${below} 个部门`, en: `${name} has ${below} departments below it` }
      : people > 0
        ? { zh: `${name} 还有 ${people} 名人员`, en: `${name} has ${people} people` }
        : units > 0
          ? { zh: `${name} 还有 ${units} 个单位编码`, en: `${name} has ${units} units` }
          : exams > 0
            ? { zh: `${name} 还有 ${exams} 场考试`, en: `${name} has ${exams} examinations` }
            : undefined
  return what && refuse('kernel/in-use', { what })
}

const remove = async (ctx: Ctx, db: TenantDb, nodes: DeptNodes, raw: string | undefined): Promise<{ removed: number } | Refusal> => {
  const ids = idsOf(raw)
  if (ids.length === 0) return refuse('kernel/select-one', {})
  await lock(db, 'dept-tree')
  const rows = await listDepts(db, { ids, scope: scopeOf(ctx) })
  if (rows.length !== ids.length) return refuse('kernel/not-found', {})
  for (const uses of await usesOfDepts(db, ids)) {
    const refused = inUse(uses)
    if (refused) return refused
  }
  await removeDepts(db, ids)
  db.afterCommit(() => nodes.touched(ctx.tenantId, ids))
  for (const row of rows) await audit(db, ctx, { action: 'dept.removed', entity: 'dept', entityId: row.id, before: present(row) })
  return { removed: rows.length }
}

export const deptHandlers = (keep: KeptAnswers, nodes: DeptNodes): Handler[] => [
  handle(dept.list, async ({ ctx, db, input }) => {
    const isSearch = Boolean(input.deptName || input.fullName)
    const [all, matching, kinds] = await Promise.all([
      listDepts(db, { scope: scopeOf(ctx) }),
      isSearch ? listDepts(db, { ...input, scope: scopeOf(ctx) }) : undefined,
      kindNames(ctx, db),
    ])
    const found = matching ?? all
    const shown = presentRow(kinds)
    return treeWithAncestors(raised(found.map(shown), all), raised(all.map(shown)))
  }),
  handle(dept.lazyList, async ({ ctx, db, input }) => {
    const isSearch = Boolean(input.deptName || input.fullName)
    // A search looks at every level unless one is named (framework-contract 1.6).
    const parentId = input.parentId || (isSearch ? undefined : '0')
    const [rows, kinds] = await Promise.all([
      listDepts(db, { ...input, parentId: isSearch && parentId === '0' ? undefined : parentId, scope: scopeOf(ctx) }),
      kindNames(ctx, db),
    ])
    return rows.map(presentLine(kinds))
  }),
  handle(dept.tree, ({ ctx }) => {
    const read = (ids?: readonly string[]) => ctx.tx(db => listDeptNodes(db, scopeOf(ctx), ids))
    // Whoever sees them all sees the same; somebody narrowed has a tree of their own.
    const { session } = ctx
    const isWhole = session !== undefined && session.departments === null && !isNarrowed(session, 'dept')
    if (!isWhole) return read().then(deptTree)
    return keep.of(ctx.tenantId, 'dept.tree', async () => {
      const all = await nodes.of(ctx.tenantId, read)
      return new DataAsJson(
        () => deptTreeJson(all),
        () => deptTree(all),
      )
    })
  }),
  handle(dept.lazyTree, async ({ ctx, db, input }) =>
    (await listDepts(db, { parentId: input.parentId || '0', scope: scopeOf(ctx) })).map(row => ({
      ...node(row),
      ...(row.hasChildren ? { hasChildren: true } : {}),
    })),
  ),
  handle(dept.select, async ({ ctx, db, input }) => {
    const ids = input.deptId ? idsOf(input.deptId) : await deptsOfPerson(ctx, db, input.userId)
    return (await listDepts(db, { ids, scope: scopeOf(ctx) })).map(({ id, parentId, deptName, fullName }) => ({
      id,
      parentId,
      deptName,
      fullName,
    }))
  }),
  handle(dept.detail, async ({ ctx, db, input }) => {
    const [row, kinds] = await Promise.all([findDept(db, input.id, scopeOf(ctx)), kindNames(ctx, db)])
    return row ? presentLine(kinds)(row) : refuse('kernel/not-found', {})
  }),
  handleExport(dept.export, ({ ctx, input }) => planDepts(ctx, input, scopeOf(ctx))),
  handle(dept.submit, ({ ctx, db, input }) => submit(ctx, db, nodes, input)),
  handle(dept.remove, ({ ctx, db, input }) => remove(ctx, db, nodes, input.ids)),
]
