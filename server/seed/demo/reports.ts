import { dataSetOf } from '#contract/report/data-sets.ts'
import { byLabels, type Design } from '#contract/report/design.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'

const labels = { by: byLabels, descending: false }

/** What the office asks for every week. */
const reports: readonly { readonly name: string; readonly owner: string; readonly roles: readonly string[]; readonly design: Design }[] = [
  {
    name: '各岗位报名人数（按性别）',
    owner: 'examadmin1',
    roles: ['admin', 'exam_admin', 'unit_hr', 'auditor'],
    design: {
      dataSet: 'signups',
      rows: ['exam', 'post'],
      columns: ['sex'],
      measures: ['rows'],
      filters: [],
      order: { by: 'rows', descending: true },
      totals: 'both',
      chart: 'stacked',
    },
  },
  {
    name: '每日缴费',
    owner: 'finance1',
    roles: ['admin', 'finance', 'auditor'],
    design: {
      dataSet: 'dues',
      rows: ['day'],
      columns: [],
      measures: ['rows', 'paid', 'refunded'],
      filters: [{ dimension: 'state', values: ['paid', 'refunding', 'refunded'] }],
      order: labels,
      totals: 'rows',
      chart: 'bar',
      chartMeasure: 'paid',
    },
  },
  {
    name: '各审核人审核用时',
    owner: 'examadmin1',
    roles: ['admin', 'exam_admin', 'auditor'],
    design: {
      dataSet: 'reviews',
      rows: ['reviewer'],
      columns: ['level'],
      measures: ['rows', 'meanSeconds', 'minutes'],
      filters: [],
      order: labels,
      totals: 'both',
      chart: 'bar',
      chartMeasure: 'minutes',
    },
  },
]

/** Three reports that people of a demo find when they come in. */
export const addReports = async (db: TenantDb): Promise<void> => {
  for (const { name, owner, roles, design } of reports)
    await db.run(sql`
      with made as (
        insert into report (tenant_id, report_name, data_set, data_set_version, design, owner_id, created_by, updated_by)
        select ${db.actor.tenantId}, ${name}, ${design.dataSet}, ${dataSetOf(design.dataSet)?.version ?? 1}, ${JSON.stringify(design)}, a.id, a.id, a.id
        from account a where a.account = ${owner} returning tenant_id, id)
      insert into report_role (tenant_id, report_id, role_id)
      select m.tenant_id, m.id, r.id from made m join role r on r.tenant_id = m.tenant_id and r.role_alias = any(${[...roles]}::text[]) and not r.is_deleted`)
}
