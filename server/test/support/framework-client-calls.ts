/**
 * What the forms of a client send that was written for the framework and not for this program (Saber 4.9, framework-contract 8), seen on the wire in
 * a browser. Additions: every field of the form, those that were left out as an empty text, numbers and texts as its controls hold them. Changes: the
 * row as it was read, with what the form adds and what was typed. `{name}` stands for the id of something that is there.
 */
export interface RecordedForm {
  readonly what: string
  /** Where it adds; changes go to the same call where `change` names no other. */
  readonly add: { readonly path: string; readonly json: Readonly<Record<string, unknown>> }
  readonly change: {
    readonly path?: string
    /** The call whose answer fills the form, and the name that it takes the row by. */
    readonly read: { readonly path: string; readonly by: string }
    readonly json: Readonly<Record<string, unknown>>
  }
  /** The row that is looked at: its table, and the column by which it is found. */
  readonly row: { readonly table: string; readonly column: string; readonly value: string }
  /** What stands in it after the addition, and what is different after the change. */
  readonly stored: Readonly<Record<string, unknown>>
  readonly changed: Readonly<Record<string, unknown>>
}

const system = '/blade-system'
/** What the grid keeps for itself beside a row. */
const grid = { $index: 0, $cellEdit: false, $parentId: '' }

export const recordedForms: readonly RecordedForm[] = [
  {
    what: 'duty post',
    add: {
      path: `${system}/post/submit`,
      json: { tenantId: '', category: 3, postCode: 'fc-p1', postName: '窗口岗', sort: 1, remark: '' },
    },
    change: { read: { path: `${system}/post/detail`, by: 'id' }, json: { ...grid, $category: '基层', category: 4, postName: '后台岗' } },
    row: { table: 'post', column: 'post_code', value: 'fc-p1' },
    stored: { category: '3', post_name: '窗口岗', sort: 1, is_deleted: false },
    changed: { category: '4', post_name: '后台岗' },
  },
  {
    what: 'parameter',
    add: { path: `${system}/param/submit`, json: { paramName: '往来', paramKey: 'fc.limit', paramValue: 5 } },
    change: { read: { path: `${system}/param/list`, by: 'paramKey' }, json: { ...grid, paramValue: '6' } },
    row: { table: 'param', column: 'param_key', value: 'fc.limit' },
    stored: { param_name: '往来', param_value: '5' },
    changed: { param_value: '6' },
  },
  {
    what: 'department',
    add: {
      path: `${system}/dept/submit`,
      json: { deptName: '往来科', tenantId: '', fullName: '往来服务科', parentId: '', sort: '2', remark: '' },
    },
    change: { read: { path: `${system}/dept/detail`, by: 'id' }, json: { ...grid, fullName: '往来管理科' } },
    row: { table: 'dept', column: 'dept_name', value: '往来科' },
    stored: { full_name: '往来服务科', dept_category: 2, sort: 2 },
    changed: { full_name: '往来管理科' },
  },
  {
    what: 'role',
    add: { path: `${system}/role/submit`, json: { roleName: '往来角色', tenantId: '', roleAlias: 'fc_role', parentId: '', sort: 30 } },
    change: { read: { path: `${system}/role/list`, by: 'roleAlias' }, json: { ...grid, roleName: '往来员' } },
    row: { table: 'role', column: 'role_alias', value: 'fc_role' },
    stored: { role_name: '往来角色', sort: 30 },
    changed: { role_name: '往来员' },
  },
  {
    what: 'menu',
    add: {
      path: `${system}/menu/submit`,
      json: {
        name: '往来',
        path: '/fc',
        parentId: '',
        source: 'iconfont iconicon_work',
        code: 'fcmenu',
        category: 1,
        alias: 'fcmenu',
        action: 1,
        sort: 20,
        isOpen: 0,
        remark: '',
      },
    },
    change: { read: { path: `${system}/menu/detail`, by: 'id' }, json: { ...grid, hasChildren: false, name: '往来台账', isOpen: 2 } },
    row: { table: 'menu', column: 'code', value: 'fcmenu' },
    stored: { name: '往来', name_en: '往来', path: '/fc', category: 1, action: 0, is_open: 1, is_system: false },
    changed: { name: '往来台账', is_open: 2 },
  },
  {
    what: 'dictionary',
    add: {
      path: `${system}/dict/submit`,
      json: { code: 'fc_kind', dictValue: '往来类型', parentId: '', dictKey: -1, sort: 40, remark: '' },
    },
    change: { read: { path: `${system}/dict/detail`, by: 'id' }, json: { ...grid, dictValue: '往来种类' } },
    row: { table: 'dict', column: 'code', value: 'fc_kind' },
    stored: { dict_value: '往来类型', dict_key: '-1', is_sealed: 0, sort: 40 },
    changed: { dict_value: '往来种类' },
  },
  {
    what: 'entry of a dictionary',
    add: {
      path: `${system}/dict/submit`,
      json: { code: 'notice', dictValue: '往来通知', parentId: '{notices}', dictKey: 71, sort: 7, remark: '' },
    },
    change: { read: { path: `${system}/dict/detail`, by: 'id' }, json: { ...grid, dictValue: '来往通知' } },
    row: { table: 'dict', column: 'dict_key', value: '71' },
    stored: { code: 'notice', dict_value: '往来通知', is_sealed: 0 },
    changed: { dict_value: '来往通知' },
  },
  {
    what: 'client',
    add: {
      path: `${system}/client/submit`,
      json: {
        clientId: 'fc-client',
        clientSecret: 'long-enough-secret-1',
        authorizedGrantTypes: 'refresh_token,password,authorization_code',
        scope: 'all',
        accessTokenValidity: 3600,
        refreshTokenValidity: 604_800,
        webServerRedirectUri: 'http://localhost:8888',
        resourceIds: '',
        authorities: '',
        autoapprove: '',
        additionalInformation: '',
      },
    },
    change: {
      read: { path: `${system}/client/detail`, by: 'id' },
      json: { ...grid, clientSecret: 'long-enough-secret-2', accessTokenValidity: '1800' },
    },
    row: { table: 'oauth_client', column: 'client_id', value: 'fc-client' },
    stored: { client_name: 'fc-client', access_token_validity: 3600, is_open: 1, secret_state: 1 },
    changed: { access_token_validity: 1800 },
  },
  {
    what: 'tenant',
    add: {
      path: `${system}/tenant/submit`,
      json: { tenantId: '', tenantName: '往来局', linkman: '张三', contactNumber: '0571-8888', address: '', domain: 'fc.example.org' },
    },
    change: { read: { path: `${system}/tenant/list`, by: 'tenantName' }, json: { ...grid, linkman: '李四' } },
    row: { table: 'tenant', column: 'tenant_name', value: '往来局' },
    stored: { contact: '张三', phone: '0571-8888', domain: 'fc.example.org', status: 1 },
    changed: { contact: '李四' },
  },
  {
    what: 'top menu',
    add: {
      path: `${system}/topmenu/submit`,
      json: { name: '往来', source: 'iconfont iconicon_work', code: 'fctop', sort: 9, path: '/fc' },
    },
    change: { read: { path: `${system}/topmenu/detail`, by: 'id' }, json: { ...grid, name: '往来台', sort: '8' } },
    row: { table: 'top_menu', column: 'code', value: 'fctop' },
    stored: { name: '往来', name_en: '往来', sort: 9, path: '/fc', is_main: false },
    changed: { name: '往来台', sort: 8 },
  },
  {
    what: 'user',
    add: {
      path: `${system}/user/submit`,
      json: {
        account: 'fcuser',
        tenantId: '000000',
        password: 'Long-enough-7',
        password2: 'Long-enough-7',
        name: '小王',
        realName: '王小明',
        roleId: '{finance}',
        deptId: '{dept}',
        code: 7,
        postId: '{post}',
        phone: '13800138000',
        email: 'fc@example.org',
        sex: 1,
        birthday: '1990-01-02 00:00:00',
        statusName: '',
      },
    },
    change: {
      path: `${system}/user/update`,
      read: { path: `${system}/user/detail`, by: 'id' },
      json: { ...grid, $sex: '男', password: '', password2: '', name: '王', sex: '2', birthday: '1990-02-03 00:00:00' },
    },
    row: { table: 'account', column: 'account', value: 'fcuser' },
    stored: {
      nick_name: '小王',
      real_name: '王小明',
      code: '7',
      phone_mask: '138****8000',
      sex: 1,
      birthday: '1990-01-02',
      status: 1,
      must_change_password: true,
    },
    changed: { nick_name: '王', sex: 2, birthday: '1990-02-03' },
  },
  {
    what: 'data scope',
    add: {
      path: `${system}/data-scope/submit`,
      json: {
        scopeName: '职务管理 [本人可见]',
        resourceCode: 'post',
        scopeColumn: 'create_user',
        scopeType: 2,
        scopeField: '*',
        scopeClass: 'com.example.PostMapper.page',
        scopeValue: '',
        remark: '',
        menuId: '{postMenu}',
      },
    },
    change: {
      read: { path: `${system}/data-scope/detail`, by: 'id' },
      json: { ...grid, $scopeType: '所在机构可见', scopeType: 3, menuId: '{postMenu}' },
    },
    row: { table: 'data_scope', column: 'scope_name', value: '职务管理 [本人可见]' },
    stored: { resource_code: 'post', scope_type: 2, scope_value: [] },
    changed: { scope_type: 3 },
  },
  {
    what: 'API scope',
    add: {
      path: `${system}/api-scope/submit`,
      json: {
        scopeName: '导出职务',
        resourceCode: 'post_out',
        scopePath: '/blade-system/post/export',
        scopeType: 1,
        remark: '',
        menuId: '{postMenu}',
      },
    },
    change: { read: { path: `${system}/api-scope/detail`, by: 'id' }, json: { ...grid, remark: '限定', menuId: '{postMenu}' } },
    row: { table: 'api_scope', column: 'scope_name', value: '导出职务' },
    stored: { scope_method: 'GET', scope_path: '/blade-system/post/export', resource_code: 'post_export' },
    changed: { remark: '限定' },
  },
  {
    what: 'data source',
    add: {
      path: '/blade-develop/datasource/submit',
      json: {
        name: 'fc-source',
        driverClass: 'com.mysql.cj.jdbc.Driver',
        username: 'root',
        password: 'p@ss word',
        url: 'jdbc:mysql://db.example.org:3306/stat?useSSL=false',
        remark: '',
      },
    },
    change: {
      read: { path: '/blade-develop/datasource/detail', by: 'id' },
      json: { ...grid, password: 'another', url: 'jdbc:mysql://db.example.org:3307/stat' },
    },
    row: { table: 'datasource', column: 'name', value: 'fc-source' },
    stored: { kind: 'mysql', host: 'db.example.org', port: 3306, database_name: 'stat', password_state: 1 },
    changed: { port: 3307, url: 'jdbc:mysql://db.example.org:3307/stat' },
  },
]

/** The lists that such a client opens, with what it sends beside the page. */
export const recordedLists: readonly string[] = [
  '/blade-system/user/list?account=&realName=',
  '/blade-system/role/list?roleName=&tenantId=&roleAlias=',
  '/blade-system/menu/list?name=&code=',
  '/blade-system/dept/list?deptName=&tenantId=&fullName=',
  '/blade-system/post/list?category=',
  '/blade-system/dict/list?code=&dictValue=&remark=',
  '/blade-system/param/list?paramName=&paramKey=',
  '/blade-system/client/list?clientId=&clientSecret=',
  '/blade-system/tenant/list?tenantId=&tenantName=&linkman=',
  '/blade-system/topmenu/list?name=&code=',
  '/blade-system/menu/lazy-menu-list?parentId=0',
  '/blade-system/data-scope/list?menuId={postMenu}',
  '/blade-system/api-scope/list?menuId={postMenu}',
  '/blade-system/region/lazy-tree?parentCode=00',
  '/blade-log/usual/list?',
  '/blade-log/api/list?',
  '/blade-log/error/list?',
  '/blade-develop/datasource/list?',
]
