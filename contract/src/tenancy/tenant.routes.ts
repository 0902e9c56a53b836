import { type Static, Type } from 'typebox'
import { exportJobView } from '../kernel/export-job.ts'
import { pageInput, pageOf } from '../kernel/page.ts'
import { defineRoute, type PermissionCode } from '../kernel/route.ts'
import { id, ids, int, named, optional, strict, text, time } from '../kernel/schema.ts'

/** Calls on tenants (S7.16, framework-contract 3.1): for staff of the platform's tenant only. */
const platform = (...staff: readonly PermissionCode[]) => ({ staff, platform: true, because: 'it is about other tenants' }) as const

/** 1 live, -1 in the recycle bin. */
const tenantRow = Type.Object({
  id: Type.String(),
  tenantId: Type.String(),
  tenantName: Type.String(),
  /** Where its login page is reached, with or without scheme. */
  domain: Type.String(),
  /** The same, as newer servers of the framework call it. */
  domainUrl: Type.String(),
  linkman: Type.String(),
  contactNumber: Type.String(),
  address: Type.String(),
  titleZh: Type.String(),
  titleEn: Type.String(),
  /** Members of staff it may have; -1 = any number. */
  accountNumber: Type.Integer(),
  /** Members of staff it has. */
  accountCount: Type.Integer(),
  /** Empty = never. */
  expireTime: Type.String(),
  packageId: Type.String(),
  packageName: Type.String(),
  datasourceId: Type.String(),
  datasourceName: Type.String(),
  logoUrl: Type.String(),
  backgroundUrl: Type.String(),
  status: Type.Integer(),
  createTime: Type.String(),
  version: Type.Integer(),
})
export type TenantRow = Static<typeof tenantRow>

const search = {
  tenantId: optional(text(12)),
  tenantName: optional(text(60)),
  linkman: optional(text(60)),
  contactNumber: optional(text(60)),
  status_equal: optional(named({ zh: '状态', en: 'State' }, Type.Union([Type.Literal(1), Type.Literal(-1)]))),
}
const listed = <const P extends string>(path: P) =>
  defineRoute({
    method: 'GET',
    path,
    access: platform('tenant_view'),
    input: strict({ ...pageInput, ...search }),
    output: pageOf(tenantRow),
    tx: 'own',
  })
/** For selectors: name and number of live tenants. */
const choice = Type.Array(Type.Object({ tenantId: Type.String(), tenantName: Type.String() }))
const batch = <const P extends string>(path: P, means: string) =>
  defineRoute({
    method: 'POST',
    path,
    access: platform('tenant_delete'),
    input: strict({ ids: optional(ids()) }),
    output: Type.Object({ changed: Type.Integer() }),
    tx: 'own',
    means,
  })

const accountName = text(60, {
  minLength: 2,
  pattern: '^[A-Za-z0-9_.@-]{2,60}$',
  'x-label': { zh: '管理员账号', en: 'Administrator’s account' },
  'x-required': { zh: '请输入管理员账号', en: 'Please enter the administrator’s account' },
})
const limit = Type.Integer({ minimum: -1, maximum: 1_000_000, 'x-label': { zh: '账号额度', en: 'Accounts' } })

export const tenant = {
  list: listed('/blade-system/tenant/list'),
  page: listed('/blade-system/tenant/page'),
  detail: defineRoute({
    method: 'GET',
    path: '/blade-system/tenant/detail',
    access: platform('tenant_view'),
    input: strict({ id: id() }),
    output: tenantRow,
    tx: 'own',
  }),
  select: defineRoute({
    method: 'GET',
    path: '/blade-system/tenant/select',
    access: {
      signedIn: true,
      reachesAll: 'asked',
      because: 'forms of accounts, roles, departments and posts name the tenant; whoever does not keep the tenants gets their own alone',
    },
    input: strict({ tenantName: optional(text(60)) }),
    output: choice,
    tx: 'own',
  }),
  findByName: defineRoute({
    method: 'GET',
    path: '/blade-system/tenant/find-by-name',
    access: platform('tenant_view'),
    input: strict({ name: named({ zh: '租户名称', en: 'Tenant name' }, text(60, { minLength: 1 })) }),
    output: choice,
    tx: 'own',
    means: 'live tenants whose name holds these words',
  }),
  export: defineRoute({
    method: 'GET',
    path: '/blade-system/tenant/export-tenant',
    access: platform('tenant_export'),
    input: strict(search),
    output: exportJobView,
    answer: 'file',
    tx: 'own',
  }),
  submit: defineRoute({
    method: 'POST',
    path: '/blade-system/tenant/submit',
    also: ['POST /blade-system/tenant/save', 'POST /blade-system/tenant/update'],
    access: platform('tenant_add', 'tenant_edit'),
    input: strict({
      id: optional(Type.Union([id(), Type.Literal('')])),
      version: optional(Type.Integer({ minimum: 0 })),
      tenantName: text(60, {
        minLength: 1,
        'x-label': { zh: '租户名称', en: 'Tenant name' },
        'x-required': { zh: '请输入租户名称', en: 'Please enter the tenant name' },
      }),
      linkman: text(60, {
        minLength: 1,
        'x-label': { zh: '联系人', en: 'Contact' },
        'x-required': { zh: '请输入联系人', en: 'Please enter the contact' },
      }),
      contactNumber: optional(text(60)),
      address: optional(text(255)),
      domain: optional(
        text(255, {
          pattern: '^$|^([Hh][Tt][Tt][Pp][Ss]?://)?[\\p{L}\\p{M}\\p{N}.-]{1,200}(:[0-9]{1,5})?/?$',
          'x-how': {
            zh: '如 https://recruit.example 或 招聘.中国，可带端口，不带路径',
            en: 'such as https://recruit.example, with a port if need be, without a path',
          },
          'x-label': { zh: '域名地址', en: 'Domain' },
        }),
      ),
      titleZh: optional(text(100)),
      titleEn: optional(text(160)),
      /** Of an addition only: later they are changed by `setting` and `package-setting`. */
      accountNumber: optional(limit),
      expireTime: optional(Type.Union([time(), Type.Literal('')])),
      packageId: optional(Type.Union([id(), Type.Literal('')])),
      adminAccount: optional(accountName),
      adminName: optional(text(50)),
    }),
    output: Type.Object({
      id: Type.String(),
      tenantId: Type.String(),
      /** Of an addition: the administrator and the password that is shown this once. */
      account: Type.String(),
      password: Type.String(),
    }),
    tx: 'own',
  }),
  setting: defineRoute({
    method: 'POST',
    path: '/blade-system/tenant/setting',
    access: platform('tenant_setting'),
    input: strict({ ids: optional(ids()), accountNumber: optional(limit), expireTime: optional(Type.Union([time(), Type.Literal('')])) }),
    output: Type.Object({ changed: Type.Integer(), endedSessions: Type.Integer() }),
    tx: 'own',
    means: 'how many accounts and until when; what is left out stays, an empty time is never',
  }),
  datasource: defineRoute({
    method: 'POST',
    path: '/blade-system/tenant/datasource',
    access: platform('tenant_setting'),
    input: strict({ tenantId: text(12, { minLength: 1 }), datasourceId: optional(Type.Union([id(), Type.Literal('')])) }),
    output: Type.Object({ tenantId: Type.String() }),
    tx: 'own',
  }),
  packageDetail: defineRoute({
    method: 'GET',
    path: '/blade-system/tenant/package-detail',
    access: platform('tenant_view'),
    input: strict({ tenantId: text(20, { minLength: 1 }) }),
    output: Type.Object({
      id: optional(Type.String()),
      packageName: optional(Type.String()),
      menuId: optional(Type.String()),
      remark: optional(Type.String()),
    }),
    tx: 'own',
    means: 'tenantId is the row id or the number; without a package the answer is empty',
  }),
  packageSetting: defineRoute({
    method: 'POST',
    path: '/blade-system/tenant/package-setting',
    access: platform('tenant_setting'),
    input: strict({ tenantId: text(20, { minLength: 1 }), packageId: optional(Type.Union([id(), Type.Literal('')])) }),
    output: Type.Object({ tenantId: Type.String() }),
    tx: 'own',
    means: 'tenantId is the number or the row id; an empty packageId takes the package away',
  }),
  recycle: batch('/blade-system/tenant/recycle', 'into the recycle bin: nobody logs in, the data stays'),
  pass: batch('/blade-system/tenant/pass', 'out of the recycle bin'),
  remove: batch('/blade-system/tenant/remove', 'for good, from the recycle bin only'),
  setPicture: defineRoute({
    method: 'POST',
    path: '/blade-system/tenant/picture',
    access: platform('tenant_edit'),
    input: strict({
      tenantId: text(12, { minLength: 1 }),
      kind: named({ zh: '图片用途', en: 'Which picture' }, Type.Union([Type.Literal('logo'), Type.Literal('background')])),
      remove: optional(int(0, 1)),
    }),
    files: [{ name: 'file', maxBytes: 2 * 1024 * 1024, maxCount: 1 }],
    output: Type.Object({ url: Type.String() }),
    tx: 'own',
  }),
  picture: defineRoute({
    method: 'GET',
    path: '/blade-system/tenant/picture',
    access: { public: true, because: 'the login page shows logo and background before anybody is known' },
    input: strict({
      tenantId: text(12, { minLength: 1 }),
      kind: named({ zh: '图片用途', en: 'Which picture' }, Type.Union([Type.Literal('logo'), Type.Literal('background')])),
      v: optional(text(20)),
    }),
    output: Type.Unknown(),
    answer: 'file',
    kinds: ['jpg', 'png'],
    tx: 'own',
    background: true,
  }),
} as const

export const tenantRoutes = Object.values(tenant)
