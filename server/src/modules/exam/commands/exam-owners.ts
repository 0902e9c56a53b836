import { refuseField } from '#contract/kernel/errors.ts'
import type { Label } from '#contract/kernel/label.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type Ctx, Refused } from '#kernel/http/context.ts'
import type { ExamRow } from '../data/exam.repo.ts'
import { listManagers, listOwnDepartments } from '../data/owner.repo.ts'

/** Departments and people that the caller may give an examination to. */
export const ownersFor = async (ctx: Ctx, db: TenantDb) => ({
  departments: await listOwnDepartments(db),
  managers: await listManagers(db),
  /** Whoever runs the tenant, or belongs to no department, may leave an examination without one. */
  mayLeaveOpen: mayLeaveOpen(ctx),
})

const mayLeaveOpen = (ctx: Ctx): boolean => (ctx.session?.departments ?? []).length === 0

const texts = {
  department: { zh: '没有这个部门，或它不在您的部门之下', en: 'There is no such department, or it is not below yours' },
  open: { zh: '请选择所属部门', en: 'Please choose the department' },
  manager: { zh: '考务管理员须是在用的考务人员账号', en: 'Managers must be active examination administrators' },
  self: {
    zh: '考试属于其他部门，移除自己后您将无法再管理它',
    en: 'The examination belongs to another department: without yourself among the managers you could no longer reach it',
  },
} satisfies Readonly<Record<string, Label>>

/**
 * Whom an examination belongs to, out of what was sent (domain 2.1). Nobody gives one away to where they do not reach, and nobody locks
 * themselves out of one: the department is one of the writer's own or below, or stays as it was.
 *
 * @param before - undefined for a new examination, which belongs to the first department of whoever makes it
 */
export const settleOwners = async (
  ctx: Ctx,
  db: TenantDb,
  before: ExamRow | undefined,
  values: Readonly<Record<string, unknown>>,
): Promise<Record<string, unknown>> => {
  const own = ctx.session?.departments ?? null
  const sent = values['deptId'] as string | null | undefined
  const deptId = before ? (sent === undefined ? before.deptId : sent) : (sent ?? own?.[0] ?? null)
  const managers = (values['managers'] as readonly string[] | undefined) ?? before?.managers ?? []
  const reached = new Set((await listOwnDepartments(db)).map(row => row.id))
  if (deptId !== (before?.deptId ?? null)) {
    if (deptId === null && !mayLeaveOpen(ctx)) throw new Refused(refuseField('deptId', texts.open))
    if (deptId !== null && !reached.has(deptId)) throw new Refused(refuseField('deptId', texts.department))
  }
  const added = managers.filter(id => !before?.managers.includes(id))
  if (added.length > 0) {
    const known = new Set((await listManagers(db)).map(row => row.id))
    if (!added.every(id => known.has(id))) throw new Refused(refuseField('managers', texts.manager))
  }
  const isReached = own === null || deptId === null || reached.has(deptId) || managers.includes(db.actor.userId)
  if (!isReached) throw new Refused(refuseField('managers', texts.self))
  return { ...values, deptId, managers: [...new Set(managers)] }
}
