import { ref, text } from '../kernel/field.ts'
import { defineResource } from '../kernel/resource.ts'

/** What is known of a table that a screen is to be made of (S7.27): where it stands and, in rows of their own, its columns. */
export const dataModel = defineResource({
  name: 'data-model',
  ownRules: true,
  answers: 'row',
  basePath: '/blade-develop/model',
  menuPath: '/tool/model',
  label: { zh: '数据模型', en: 'Data model' },
  menu: { under: 'system', after: 'datasource', icon: 'param', roles: ['administrator'] },
  nulls: 'empty',
  scope: 'platform',
  because: 'a model reads the tables of a database',
  choice: ['modelName'],
  lead: {
    zh: '选择数据源中的一张表，确定各字段在列表、表单和搜索中的用法，供代码生成使用',
    en: 'Choose a table of a data source and how its columns are used in the list, the form and the search; code is generated from it',
  },
  fields: {
    datasourceId: ref('datasource', {
      label: { zh: '数据源', en: 'Data source' },
      immutable: true,
      help: { zh: '不选表示本系统数据库', en: 'None: the database of this system' },
    }),
    modelTable: text(130, {
      label: { zh: '数据表', en: 'Table' },
      required: true,
      requiredMessage: { zh: '请选择数据表', en: 'Please select a table' },
      immutable: true,
      search: 'like',
    }),
    modelName: text(60, { label: { zh: '模型名称', en: 'Name' }, required: true, search: 'like' }),
    modelCode: text(60, {
      label: { zh: '模型编号', en: 'Code' },
      required: true,
      unique: true,
      pattern: '^[A-Za-z][A-Za-z0-9_-]*$',
      help: { zh: '字母开头，由字母、数字、“_”和“-”组成', en: 'Begins with a letter; letters, digits, “_” and “-”' },
      search: 'like',
    }),
    modelClass: text(60, {
      label: { zh: '模型类名', en: 'Class' },
      required: true,
      pattern: '^[A-Za-z][A-Za-z0-9]*$',
      help: { zh: '字母开头，由字母和数字组成', en: 'Begins with a letter; letters and digits' },
      list: false,
    }),
    modelRemark: text(255, { label: { zh: '备注', en: 'Remark' }, widget: 'textarea', list: false }),
  },
})
