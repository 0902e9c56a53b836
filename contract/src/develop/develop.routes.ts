import { type Static, Type } from 'typebox'
import type { Access } from '../kernel/route.ts'
import { defineRoute } from '../kernel/route.ts'
import { flag, id, ids, named, optional, strict, text } from '../kernel/schema.ts'

const S = Type.String()
const I = Type.Integer()
const because = 'data sources, models and generated code stand above all tenants'
const held = (...staff: readonly (`datasource_${string}` | `datamodel_${string}` | `code_${string}`)[]) =>
  ({ staff, platform: true, because }) as const satisfies Access
const label = (zh: string, en: string) => ({ zh, en })
const sourceId = () => optional(named(label('数据源', 'Data source'), Type.Union([id(), Type.Literal('')])))
const modelId = () => named(label('数据模型', 'Data model'), id())

const checkSource = defineRoute({
  method: 'POST',
  path: '/blade-develop/datasource/check',
  access: held('datasource_edit'),
  input: strict({ id: id() }),
  output: Type.Object({
    isReached: I,
    /** What is said of it, whole. */
    text: S,
    version: S,
    tables: I,
    isEncrypted: I,
    mayWrite: I,
    /** What somebody should change, a sentence each. */
    warnings: Type.Array(S),
  }),
  tx: 'own',
  means: 'opens a data source for reading and says what it found; never more than five seconds, nothing of its answers leaves',
})

const table = Type.Object({ name: S, comment: S })
const tableList = defineRoute({
  method: 'GET',
  path: '/blade-develop/model/table-list',
  access: held('datamodel_view', 'code_view'),
  input: strict({ datasourceId: sourceId() }),
  output: Type.Array(table),
  tx: 'own',
  means: 'the tables of a data source; without one those of this program that the caller’s tenant may read',
})

/** How a column is used on the screen that is made of it. */
const fieldRow = Type.Object({
  id: S,
  modelId: S,
  jdbcName: S,
  jdbcType: S,
  jdbcComment: S,
  /** The same under the names by which clients of the framework know them. */
  name: S,
  comment: S,
  propertyName: S,
  propertyType: S,
  propertyEntity: S,
  isList: I,
  isForm: I,
  isRow: I,
  isRequired: I,
  isQuery: I,
  componentType: S,
  dictCode: S,
  /** The dictionary is named and not there: generated code declares it. */
  isNewDict: I,
  queryType: S,
  isKey: I,
  isUnique: I,
  isForeign: I,
  /** Why nothing is made of it; empty where something is. */
  leftOut: S,
})
export type FieldRow = Static<typeof fieldRow>

const tableInfo = defineRoute({
  method: 'GET',
  path: '/blade-develop/model/table-info',
  access: held('datamodel_view', 'code_view'),
  input: strict({
    tableName: optional(named(label('数据表', 'Table'), text(130))),
    modelId: optional(modelId()),
    datasourceId: sourceId(),
  }),
  output: Type.Object({ name: S, comment: S, entityName: S, fields: Type.Array(fieldRow) }),
  tx: 'own',
})
const prototype = defineRoute({
  method: 'GET',
  path: '/blade-develop/model/model-prototype',
  access: held('datamodel_view'),
  input: strict({ modelId: modelId(), datasourceId: sourceId() }),
  output: Type.Array(fieldRow),
  also: ['GET /blade-develop/model-prototype/select'],
  tx: 'own',
  means: 'the columns of a model as they are used, in the order of its table',
})
const refresh = defineRoute({
  method: 'POST',
  path: '/blade-develop/model/refresh',
  access: held('datamodel_edit'),
  input: strict({ id: id() }),
  output: Type.Object({ added: I, removed: I, changed: I }),
  tx: 'own',
  means: 'reads the table anew: what was chosen for a column stays as long as the column does',
})

export const components = ['input', 'textarea', 'editor', 'select', 'tree', 'radio', 'checkbox', 'switch', 'date'] as const
export const queryTypes = ['equal', 'notequal', 'gt', 'ge', 'lt', 'le', 'between', 'like', 'likeleft', 'likeright'] as const
const mark = (zh: string, en: string) => optional(named(label(zh, en), flag()))
/** Facts about a column are the table's and not taken: clients send back what they were shown. */
const told = (zh: string, en: string) =>
  optional(named(label(zh, en), Type.Union([Type.String({ maxLength: 500 }), Type.Number(), Type.Null()])))
const sentRow = strict({
  jdbcName: optional(named(label('字段', 'Column'), text(64))),
  name: optional(named(label('字段', 'Column'), text(64))),
  propertyName: optional(named(label('属性名', 'Property'), text(40))),
  jdbcComment: optional(named(label('字段说明', 'Label'), Type.Union([text(200), Type.Null()]))),
  isList: mark('列表', 'List'),
  isForm: mark('表单', 'Form'),
  isRow: mark('独占一行', 'Whole row'),
  isRequired: mark('必填', 'Required'),
  isQuery: mark('搜索', 'Search'),
  componentType: optional(named(label('组件', 'Component'), Type.Union([Type.Literal(''), Type.Enum([...components])]))),
  dictCode: optional(
    named(label('字典编号', 'Dictionary'), Type.Union([Type.String({ pattern: '^$|^[a-z][a-z0-9_]{0,39}$' }), Type.Null()])),
  ),
  queryType: optional(named(label('搜索方式', 'Kind of search'), Type.Union([Type.Literal(''), Type.Enum([...queryTypes])]))),
  id: told('编号', 'Number'),
  modelId: optional(modelId()),
  comment: told('说明', 'Comment'),
  jdbcType: told('字段类型', 'Type'),
  propertyType: told('属性类型', 'Type of the property'),
  propertyEntity: told('属性类', 'Class of the property'),
  isNewDict: told('字典尚不存在', 'The dictionary is not there yet'),
  isKey: told('主键', 'Key'),
  isUnique: told('唯一', 'Unique'),
  isForeign: told('外键', 'Foreign key'),
  leftOut: told('未生成原因', 'Why it is left out'),
})
export type SentRow = Static<typeof sentRow>
const submitList = defineRoute({
  method: 'POST',
  path: '/blade-develop/model/submit-list',
  access: held('datamodel_edit'),
  input: strict({
    list: named(label('字段', 'Columns'), Type.Array(sentRow, { minItems: 1, maxItems: 400 })),
    modelId: optional(modelId()),
  }),
  output: Type.Object({
    changed: I,
    /** Dictionaries that are named and not there: generated code declares them. */
    newDictionaries: Type.Array(S),
  }),
  also: ['POST /blade-develop/model-prototype/submit-list'],
  tx: 'own',
  means: 'how the columns of a model are used; the body may be the bare list, whose rows then name the model',
})

const copy = defineRoute({
  method: 'POST',
  path: '/blade-develop/code/copy',
  access: held('code_add'),
  input: strict({ id: id() }),
  output: Type.Object({ id: S }),
})
const genCode = defineRoute({
  method: 'POST',
  path: '/blade-develop/code/gen-code',
  access: held('code_gen'),
  input: strict({ ids: optional(ids()), system: optional(named(label('模板', 'Template'), text(30))) }),
  output: Type.Unknown(),
  answer: 'file',
  kinds: ['zip'],
  tx: 'own',
  means: 'a zip of what the configurations make; what was made last is kept to compare with',
})
const genCodeFast = defineRoute({
  method: 'POST',
  path: '/blade-develop/code/gen-code-fast',
  access: held('code_gen'),
  input: strict({
    datasourceId: sourceId(),
    tableName: optional(named(label('数据表', 'Table'), text(130))),
    modelId: optional(modelId()),
    codeName: optional(named(label('功能名称', 'Name'), text(60))),
    serviceName: optional(named(label('所属模块', 'Context'), text(30))),
    nounName: optional(named(label('接口名称', 'Noun'), Type.String({ pattern: '^$|^[a-z][a-z0-9]*(-[a-z0-9]+)*$', maxLength: 40 }))),
    menuId: optional(named(label('上级菜单', 'Menu'), Type.Union([id(), Type.Literal('')]))),
    roles: optional(named(label('有权角色', 'Roles'), text(200))),
  }),
  output: Type.Unknown(),
  answer: 'file',
  kinds: ['zip'],
  tx: 'own',
  means: 'the same of one table or model, with nothing saved',
})
const preview = defineRoute({
  method: 'GET',
  path: '/blade-develop/code/preview',
  access: held('code_view'),
  input: strict({ id: id() }),
  output: Type.Object({
    /** Of the last generation; empty before the first. */
    generatedTime: S,
    files: Type.Array(Type.Object({ path: S, text: S, before: Type.Union([S, Type.Null()]) })),
  }),
  tx: 'own',
  means: 'the files as they would be made now, each with what it was at the last generation',
})
const options = defineRoute({
  method: 'GET',
  path: '/blade-develop/code/options',
  access: held('code_view'),
  input: strict({}),
  output: Type.Object({
    contexts: Type.Array(S),
    roles: Type.Array(S),
    menus: Type.Array(Type.Object({ id: S, name: S })),
  }),
  tx: 'read',
  means: 'what a configuration chooses from: contexts of the program, its roles, and the menus that others stand in',
})

export const develop = { checkSource, tableList, tableInfo, prototype, refresh, submitList, copy, genCode, genCodeFast, preview, options }
export const developRoutes = [
  checkSource,
  tableList,
  tableInfo,
  prototype,
  refresh,
  submitList,
  copy,
  genCode,
  genCodeFast,
  preview,
  options,
] as const
