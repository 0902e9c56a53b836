import { defineErrors, refuserOf } from '../kernel/refusal.ts'

/** Data sources that are read, models after their tables, and code that is generated. */
export const developErrors = defineErrors({
  'develop/source-failed': {
    code: 2001,
    status: 409,
    zh: '数据源“{source}”读取失败：{reason}',
    en: 'The data source “{source}” could not be read: {reason}',
  },
  'develop/no-table': {
    code: 404,
    status: 404,
    zh: '数据源“{source}”中没有表“{table}”，或该账号无权读取',
    en: 'There is no table “{table}” in “{source}”, or the account may not read it',
  },
  'develop/nothing-left': {
    code: 2001,
    status: 409,
    zh: '模型“{model}”没有可用于生成的字段，请至少在表单中保留一个字段',
    en: 'Nothing of the model “{model}” can be generated: keep at least one field in its form',
  },
  'develop/model-in-use': {
    code: 2001,
    status: 409,
    zh: '模型“{model}”已用于代码生成配置“{code}”，请先删除该配置',
    en: 'The model “{model}” is used by the configuration “{code}”: remove that first',
  },
  'develop/noun-taken': {
    code: 2001,
    status: 409,
    zh: '接口名称“{noun}”已被占用，请换一个',
    en: 'The name “{noun}” is taken: choose another',
  },
  'develop/no-noun-name': {
    code: 400,
    status: 400,
    zh: '“{model}”无法得出英文名称，请在配置中填写名称（小写字母、数字和连字符）',
    en: 'No name follows from “{model}”: give one in the configuration, of lower-case letters, digits and hyphens',
  },
  'develop/unknown-context': {
    code: 400,
    status: 400,
    zh: '没有模块“{context}”，可选：{known}',
    en: 'There is no context “{context}”; there are {known}',
  },
  'develop/unknown-menu': {
    code: 400,
    status: 400,
    zh: '所选菜单不是程序自带的目录，生成的代码不能放在其下',
    en: 'The chosen menu is none that the program brings and that others stand in: generated code cannot stand there',
  },
  'develop/unknown-role': {
    code: 400,
    status: 400,
    zh: '没有角色“{role}”，可选：{known}',
    en: 'There is no role “{role}”; there are {known}',
  },
  'develop/column-missing': {
    code: 400,
    status: 400,
    zh: '“{field}”须是模型“{model}”中的字段，“{column}”不是',
    en: '“{field}” has to be a column of the model “{model}”; “{column}” is none',
  },
  'develop/unknown-columns': {
    code: 400,
    status: 400,
    zh: '模型“{model}”没有这些字段：{columns}。请重新读取表结构',
    en: 'The model “{model}” has no such columns: {columns}. Read the table anew',
  },
  'develop/too-many-columns': {
    code: 2001,
    status: 409,
    zh: '表“{table}”有 {count} 个字段，最多支持 {limit} 个',
    en: 'The table “{table}” has {count} columns; {limit} are taken',
  },
})
export const refuseDevelop = refuserOf(developErrors)
