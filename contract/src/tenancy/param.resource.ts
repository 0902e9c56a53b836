import { flag, text } from '../kernel/field.ts'
import { defineResource } from '../kernel/resource.ts'
import { parameterRules } from './parameter-rules.ts'

/** System parameters (S2.50, S3.01, S5.01). */
export const param = defineResource({
  name: 'param',
  ownRules: true,
  basePath: '/blade-system/param',
  menuPath: '/system/param',
  menu: { under: 'system', after: 'post', label: { zh: '参数管理', en: 'Parameters' }, icon: 'param', roles: ['administrator', 'admin'] },
  label: { zh: '系统参数', en: 'Parameter' },
  nulls: 'empty',
  waits: true,
  actions: [
    {
      key: 'reset',
      label: { zh: '恢复平台值', en: 'Reset to the platform’s value' },
      call: 'POST /blade-system/param/reset',
      right: 'edit',
      row: { ids: 'id' },
      when: { isOwn: 1 },
      ask: { zh: '将 {paramName} 恢复为平台的值，立即生效。', en: 'Resets {paramName} to the value of the platform at once.' },
      done: { zh: '已恢复 {changed} 项', en: '{changed} reset' },
    },
  ],
  keeps: {
    field: 'paramKey',
    values: Object.keys(parameterRules),
    why: {
      zh: '参数 {value} 由程序使用，不能删除；可以“恢复平台值”',
      en: 'The program uses the parameter {value}: it cannot be removed, but reset to the platform’s value',
    },
  },
  workbook: { kind: 'T0c', key: 'paramKey' },
  fields: {
    paramName: text(64, {
      label: { zh: '参数名称', en: 'Name' },
      required: true,
      requiredMessage: { zh: '请输入参数名称', en: 'Please enter the name' },
      search: 'like',
    }),
    paramKey: text(128, {
      label: { zh: '参数键名', en: 'Key' },
      required: true,
      requiredMessage: { zh: '请输入参数键名', en: 'Please enter the key' },
      pattern: '^[A-Za-z][A-Za-z0-9]*([._\\-][A-Za-z0-9]+)*$',
      help: {
        zh: '字母开头，只用字母和数字，各段以点、下划线或短横线相连，例如 account.failCount',
        en: 'begin with a letter; letters and digits, in parts joined by a dot, _ or -, as account.failCount',
      },
      search: 'like',
      unique: true,
    }),
    paramValue: text(2000, {
      label: { zh: '参数键值', en: 'Value' },
      required: true,
      requiredMessage: { zh: '请输入参数键值', en: 'Please enter the value' },
      search: 'like',
      widget: 'textarea',
    }),
    isOwn: flag({
      label: { zh: '本租户设置', en: 'Own value' },
      form: false,
      search: 'eq',
      width: 120,
      words: { 1: { zh: '本租户', en: 'own' }, 0: { zh: '平台', en: 'platform' } },
      tones: { 1: 'active', 0: 'closed' },
    }),
    remark: text(255, { label: { zh: '备注', en: 'Remark' }, list: false, widget: 'textarea' }),
  },
})
