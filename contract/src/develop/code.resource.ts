import { dict, instant, ref, text } from '../kernel/field.ts'
import { defineResource } from '../kernel/resource.ts'

const ofChild = { shownWith: { field: 'templateType', values: ['sub'] } } as const
const ofTree = { shownWith: { field: 'templateType', values: ['tree'] } } as const

/** What code is generated from a model, and into which part of the program (S7.28). */
export const code = defineResource({
  name: 'code',
  ownRules: true,
  basePath: '/blade-develop/code',
  menuPath: '/tool/code',
  label: { zh: '代码生成', en: 'Code generation' },
  menu: {
    under: 'system',
    after: 'datamodel',
    icon: 'list',
    roles: ['administrator'],
    buttons: [{ right: 'gen', label: { zh: '生成代码', en: 'Generate' } }],
  },
  nulls: 'empty',
  scope: 'platform',
  because: 'generated code belongs to the program, not to a tenant',
  lead: {
    zh: '生成结果是一个压缩包，由开发人员解压到源代码目录后运行；服务器上不写入任何文件。生成的功能使用一张新的空表，不读写原表；没有对应类型的字段不生成。',
    en: 'What is generated is a zip that a developer unpacks into the source tree; nothing is written on the server. What is generated keeps its rows in a new and empty table, not in the one of the model; columns of types that have no counterpart are left out.',
  },
  fields: {
    codeName: text(60, { label: { zh: '功能名称', en: 'Name' }, required: true, search: 'like' }),
    englishName: text(60, { label: { zh: '英文名称', en: 'English name' }, list: false }),
    modelId: ref('data-model', {
      label: { zh: '数据模型', en: 'Data model' },
      required: true,
      requiredMessage: { zh: '请选择数据模型', en: 'Please select a data model' },
      search: 'eq',
    }),
    templateType: dict('code_template', { label: { zh: '类型', en: 'Kind' }, required: true, search: 'eq' }),
    serviceName: text(30, { label: { zh: '所属模块', en: 'Context' }, required: true }),
    nounName: text(40, {
      label: { zh: '接口名称', en: 'Noun' },
      pattern: '^$|^[a-z][a-z0-9]*(-[a-z0-9]+)*$',
      help: {
        zh: '小写字母、数字和连字符，如 exam-site；不填则由模型编号得出',
        en: 'Lower-case letters, digits and hyphens, as exam-site; left empty it follows from the code of the model',
      },
    }),
    menuId: ref('menu', {
      label: { zh: '上级菜单', en: 'Menu' },
      list: false,
      help: { zh: '不选则放在“系统管理”下', en: 'None: under “System”' },
    }),
    roles: text(200, {
      label: { zh: '有权角色', en: 'Roles' },
      list: false,
      help: { zh: '角色别名，逗号分隔；不填为 admin', en: 'Aliases of roles with commas between; left empty it is admin' },
    }),
    subModelId: ref('data-model', { label: { zh: '子表模型', en: 'Model of the child' }, list: false, ...ofChild }),
    subFkId: text(64, { label: { zh: '子表外键字段', en: 'Column of the child that points here' }, list: false, ...ofChild }),
    treeId: text(64, { label: { zh: '树主键字段', en: 'Key column of the tree' }, list: false, ...ofTree }),
    treePid: text(64, { label: { zh: '树父级字段', en: 'Parent column of the tree' }, list: false, ...ofTree }),
    treeName: text(64, { label: { zh: '树名称字段', en: 'Name column of the tree' }, list: false, ...ofTree }),
    generatedTime: instant({ label: { zh: '最近生成', en: 'Last generated' }, form: false }),
  },
  // Clients of the framework say where its files would go, and a table instead of a model. Nothing is written to a path that somebody sends.
  takes: {
    datasourceId: ref('datasource', { label: { zh: '数据源', en: 'Data source' } }),
    tableName: text(130, { label: { zh: '数据表', en: 'Table' } }),
    tablePrefix: text(64, { label: { zh: '表前缀', en: 'Prefix of the table' } }),
    pkName: text(64, { label: { zh: '主键', en: 'Key' } }),
    packageName: text(200, { label: { zh: '包名', en: 'Package' } }),
    apiPath: text(500, { label: { zh: '后端路径', en: 'Path of the server' } }),
    webPath: text(500, { label: { zh: '前端路径', en: 'Path of the web' } }),
    baseMode: text(10, { label: { zh: '基础业务', en: 'Base mode' } }),
    wrapMode: text(10, { label: { zh: '包装器', en: 'Wrapper' } }),
    feignMode: text(10, { label: { zh: '远程调用', en: 'Feign' } }),
    codeStyle: text(30, { label: { zh: '代码风格', en: 'Style' } }),
    author: text(60, { label: { zh: '作者', en: 'Author' } }),
  },
})
