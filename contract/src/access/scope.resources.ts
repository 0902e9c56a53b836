import { int, json, ref, text } from '../kernel/field.ts'
import { defineResource, type Resource } from '../kernel/resource.ts'
import type { ScopeCondition } from './data-scope.ts'
import { keeperRoles } from './role.ts'

const label = (zh: string, en: string) => ({ zh, en })
const verbs = ['list', 'page', 'detail', 'submit', 'remove', 'export'] as const
const remark = text(255, { label: label('备注', 'Remark'), list: false, widget: 'textarea' })
const name = text(120, {
  label: label('名称', 'Name'),
  required: true,
  requiredMessage: label('请输入名称', 'Please enter the name'),
  search: 'like',
})
/** Filled in by the server: the menu whose buttons the rule is about. */
const menuId = ref('menu', { label: label('菜单', 'Menu'), required: true, form: false, list: false, search: 'eq' })

/** Which rows a role sees of a noun (S7.15, framework-contract 3.15). Granted by `role/grant`. */
export const dataScope = defineResource({
  name: 'data-scope',
  ownRules: true,
  basePath: '/blade-system/data-scope',
  menuPath: '/authority/datascope',
  menu: {
    under: 'system',
    after: 'viewas',
    label: label('数据范围', 'Data scopes'),
    icon: 'dict',
    roles: keeperRoles,
    readers: ['auditor'],
  },
  label: label('数据范围', 'Data scope'),
  verbs,
  nulls: 'empty',
  fields: {
    menuId,
    scopeName: name,
    resourceCode: text(60, {
      label: label('业务对象', 'Noun'),
      required: true,
      requiredMessage: label('请选择业务对象', 'Please select the noun'),
      search: 'eq',
      immutable: true,
    }),
    scopeType: int({ label: label('范围', 'Rows'), required: true, min: 1, max: 5, search: 'eq' }),
    scopeValue: json<readonly ScopeCondition[]>()({ label: label('条件', 'Conditions') }),
    remark,
  },
  // What clients of the framework show and send back (ADR 0093): rules hold no text of a query.
  derived: {
    scopeTypeName: text(60, { label: label('范围名称', 'Rows in words') }),
    scopeColumn: text(30, { label: label('数据权限字段', 'Column') }),
    scopeField: text(30, { label: label('可见字段', 'Visible fields') }),
    scopeClass: text(60, { label: label('数据权限类名', 'Statement') }),
  },
})

/** A call kept for the roles that hold it: exact method and path (S7.15, framework-contract 3.16, 4.4). */
export const apiScope = defineResource({
  name: 'api-scope',
  ownRules: true,
  basePath: '/blade-system/api-scope',
  menuPath: '/authority/apiscope',
  menu: {
    under: 'system',
    after: 'fieldrule',
    label: label('接口范围', 'API scopes'),
    icon: 'flow',
    roles: keeperRoles,
    readers: ['auditor'],
  },
  label: label('接口范围', 'API scope'),
  verbs,
  nulls: 'empty',
  order: 'scopePath',
  fields: {
    menuId,
    scopeName: name,
    resourceCode: text(60, { label: label('权限编码', 'Permission code'), required: true, form: false, search: 'like' }),
    scopeMethod: text(4, {
      label: label('方法', 'Method'),
      required: true,
      pattern: '^(GET|POST)$',
      requiredMessage: label('请选择方法', 'Please select the method'),
    }),
    scopePath: text(160, {
      label: label('接口地址', 'Path'),
      required: true,
      requiredMessage: label('请输入接口地址', 'Please enter the path'),
      search: 'like',
    }),
    remark,
  },
  derived: {
    scopeType: int({ label: label('接口类型', 'Kind of call') }),
    scopeTypeName: text(60, { label: label('接口类型名称', 'Kind of call in words') }),
  },
})

export const scopeResources: readonly Resource[] = [dataScope, apiScope]
