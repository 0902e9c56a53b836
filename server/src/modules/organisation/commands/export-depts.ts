import { idsOf } from '#contract/kernel/ids.ts'
import type { Label } from '#contract/kernel/label.ts'
import { planSheet } from '#kernel/crud/export.ts'
import type { Ctx, ExportPlan } from '#kernel/http/context.ts'
import { listEntries } from '#modules/reference/index.ts'
import type { DeptFilter, DeptRecord } from '../data/dept.repo.ts'
import { listDepts } from '../data/dept.repo.ts'
import { accountsOfStaff } from '../data/user-admin.repo.ts'
import { deptPaths } from '../domain/dept-sheet.ts'

/** Columns of the workbook, in order; export, template and import have the same. */
export const deptSheetLabels = {
  parent: { zh: '上级部门', en: 'Parent department' },
  name: { zh: '部门名称', en: 'Name' },
  fullName: { zh: '部门全称', en: 'Full name' },
  category: { zh: '部门类型', en: 'Kind' },
  leaders: { zh: '负责人账号', en: 'Accounts of leaders' },
  sort: { zh: '排序', en: 'Order' },
  remark: { zh: '备注', en: 'Remark' },
} satisfies Readonly<Record<string, Label>>

/** Departments as the reader reaches them, each below those above it. */
export const planDepts = async (
  ctx: Ctx,
  filter: { readonly deptName?: string; readonly fullName?: string },
  scope: DeptFilter['scope'],
): Promise<ExportPlan> => {
  const { all, found, kinds, accounts } = await ctx.tx(async db => {
    const all = await listDepts(db, { scope })
    const found = filter.deptName || filter.fullName ? await listDepts(db, { ...filter, scope }) : all
    const people = await accountsOfStaff(db, [...new Set(found.flatMap(row => idsOf(row.leaderId)))])
    return { all, found, kinds: await listEntries(db, ['org_category']), accounts: new Map(people.map(one => [one.id, one.account])) }
  })
  const paths = deptPaths(all)
  const rows = [...found].sort((a, b) => ((paths.get(a.id) ?? '') < (paths.get(b.id) ?? '') ? -1 : 1))
  const kindOf = (row: DeptRecord): string => {
    const kind = kinds.find(one => one.key === String(row.deptCategory))
    return kind ? ctx.say(kind) : String(row.deptCategory)
  }
  return planSheet(ctx, {
    label: { zh: '部门', en: 'Departments' },
    action: 'dept.exported',
    entity: 'dept',
    filter,
    total: rows.length,
    columns: [
      { name: 'parent', label: deptSheetLabels.parent, value: row => paths.get(row.parentId) ?? '' },
      { name: 'name', label: deptSheetLabels.name, value: row => row.deptName },
      { name: 'fullName', label: deptSheetLabels.fullName, value: row => row.fullName },
      { name: 'category', label: deptSheetLabels.category, value: kindOf },
      {
        name: 'leaders',
        label: deptSheetLabels.leaders,
        value: row =>
          idsOf(row.leaderId)
            .flatMap(id => accounts.get(id) ?? [])
            .join(','),
      },
      { name: 'sort', label: deptSheetLabels.sort, value: row => String(row.sort) },
      { name: 'remark', label: deptSheetLabels.remark, value: row => row.remark },
    ],
    rows,
  })
}
