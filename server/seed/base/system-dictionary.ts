import type { PlatformDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'

interface SystemDictionary {
  readonly code: string
  readonly zh: string
  readonly en: string
  readonly entries: readonly (readonly [key: string, zh: string, en: string, remark?: string])[]
}
const fixed = (
  code: string,
  zh: string,
  en: string,
  entries: readonly (readonly [key: string, zh: string, en: string, remark?: string])[],
): SystemDictionary => ({
  code,
  zh,
  en,
  entries,
})

/**
 * Words of the platform that no tenant changes (framework-contract 3.7). Clients of the framework look for all of them here; what tenants add
 * to, such as `post_category`, they have in their business dictionary too.
 */
const seeds: readonly SystemDictionary[] = [
  fixed('datasource_kind', '数据库类型', 'Kind of database', [
    ['postgresql', 'PostgreSQL', 'PostgreSQL'],
    ['mysql', 'MySQL', 'MySQL'],
    ['oracle', 'Oracle', 'Oracle'],
    ['sqlserver', 'SQL Server', 'SQL Server'],
    ['dameng', '达梦', 'Dameng'],
    ['kingbase', '人大金仓', 'Kingbase'],
  ]),
  fixed('code_template', '代码模板', 'Kind of generated code', [
    ['crud', '单表', 'Plain'],
    ['sub', '主子表', 'With a child table'],
    ['tree', '树表', 'Tree'],
  ]),
  fixed('sex', '性别', 'Sex', [
    ['1', '男', 'Male'],
    ['2', '女', 'Female'],
  ]),
  fixed('notice', '通知类型', 'Kind of notice', [
    ['1', '发布通知', 'Publication'],
    ['2', '批转通知', 'Forwarded for action'],
    ['3', '转发通知', 'Forwarded'],
    ['4', '指示通知', 'Instruction'],
    ['5', '任免通知', 'Appointment'],
    ['6', '事务通知', 'Routine'],
  ]),
  fixed('menu_category', '菜单类型', 'Kind of menu', [
    ['1', '菜单', 'Menu'],
    ['2', '按钮', 'Button'],
  ]),
  fixed('button_func', '按钮功能', 'Place of a button', [
    ['1', '工具栏', 'Toolbar'],
    ['2', '操作栏', 'Row'],
    ['3', '工具栏和操作栏', 'Toolbar and row'],
  ]),
  fixed('flow', '流程类型', 'Kind of process', [
    ['1', '请假流程', 'Leave', 'leave'],
    ['2', '报销流程', 'Expenses', 'expense'],
    ['3', '信息变更审核', 'Verified data change', 'userupdate'],
    ['4', '通用审批', 'General approval', 'general'],
  ]),
  fixed('org_category', '部门类型', 'Kind of department', [
    ['1', '机构', 'Organisation'],
    ['2', '部门', 'Department'],
    ['3', '科室', 'Section'],
    ['4', '小组', 'Team'],
  ]),
  fixed('post_category', '职务类型', 'Duty post category', [
    ['1', '高层', 'Senior'],
    ['2', '中层', 'Middle'],
    ['3', '基层', 'Base'],
    ['4', '其他', 'Other'],
  ]),
  fixed('data_scope_type', '数据范围类型', 'Kind of data scope', [
    ['1', '全部数据', 'All rows'],
    ['2', '本人创建', 'Made by oneself'],
    ['3', '本部门人员创建', 'Made by people of one’s department'],
    ['4', '本部门及以下人员创建', 'Made by people of one’s department and below'],
    ['5', '自定义条件', 'By conditions'],
  ]),
  fixed('api_scope_type', '接口范围类型', 'Kind of API scope', [
    ['1', '系统接口', 'System'],
    ['2', '业务接口', 'Business'],
  ]),
  fixed('scope_category', '权限类型', 'Kind of scope', [
    ['1', '数据范围', 'Data scope'],
    ['2', '接口范围', 'API scope'],
  ]),
  fixed('oss', '对象存储类型', 'Kind of object storage', [
    ['1', 'MinIO', 'MinIO'],
    ['2', '七牛云', 'Qiniu'],
    ['3', '阿里云', 'Alibaba Cloud'],
    ['4', '腾讯云', 'Tencent Cloud'],
    ['5', '华为云', 'Huawei Cloud'],
    ['6', 'S3 兼容存储', 'S3-compatible service'],
    ['7', '本地存储', 'Local server'],
  ]),
  fixed('sms', '短信类型', 'Kind of text message service', [
    ['1', '云片', 'Yunpian'],
    ['2', '七牛云', 'Qiniu'],
    ['3', '阿里云', 'Alibaba Cloud'],
    ['4', '腾讯云', 'Tencent Cloud'],
  ]),
  fixed('user_type', '用户平台', 'Kind of user', [
    ['1', '工作人员', 'Staff'],
    ['2', '考生', 'Candidate'],
    ['3', '服务账号', 'Service account'],
  ]),
  fixed('datasource_category', '数据源类型', 'Kind of data source', [
    ['1', 'JDBC', 'JDBC'],
    ['2', '分库分表', 'Sharding'],
  ]),
  fixed('region', '行政区划级别', 'Level of a region', [
    ['0', '国家', 'Country'],
    ['1', '省级', 'Province'],
    ['2', '地级', 'City'],
    ['3', '县级', 'County'],
    ['4', '乡级', 'Town'],
    ['5', '村级', 'Village'],
  ]),
  fixed('yes_no', '是否', 'Yes or no', [
    ['1', '否', 'No'],
    ['2', '是', 'Yes'],
  ]),
]

/** The system dictionary of the installation. What an administrator has removed is not brought back by the next start. */
export const seedSystemDictionary = async (db: PlatformDb): Promise<void> => {
  const rows = seeds.flatMap((seed, at) => [
    { code: seed.code, key: '-1', zh: seed.zh, en: seed.en, remark: '', sort: at + 1 },
    ...seed.entries.map(([key, zh, en, remark = ''], index) => ({ code: seed.code, key, zh, en, remark, sort: index + 1 })),
  ])
  await db.run(sql`
    insert into dict (code, dict_key, dict_value, dict_value_en, remark, sort)
    select s.* from unnest(${rows.map(row => row.code)}::text[], ${rows.map(row => row.key)}::text[], ${rows.map(row => row.zh)}::text[], ${rows.map(row => row.en)}::text[], ${rows.map(row => row.remark)}::text[], ${rows.map(row => row.sort)}::int[])
      as s(code, dict_key, dict_value, dict_value_en, remark, sort)
    where not exists (select 1 from dict x where x.code = s.code and x.dict_key = s.dict_key)`)
  await db.run(
    sql`update dict c set parent_id = g.id from dict g where g.code = c.code and g.dict_key = '-1' and c.dict_key <> '-1' and c.parent_id = 0`,
  )
}
