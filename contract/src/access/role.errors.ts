import { defineErrors, refuserOf } from '../kernel/refusal.ts'

/** Roles and what is granted to them (S7.20). */
export const roleErrors = defineErrors({
  'role/system': {
    code: 2001,
    status: 409,
    zh: '“{role}”是系统角色，程序按它的别名判断，不能删除，也不能修改别名',
    en: '"{role}" is a role of the program, which decides by its alias; it cannot be removed and keeps its alias',
  },
  'role/not-yours': {
    code: 403,
    status: 403,
    zh: '角色“{role}”不在您可以管理的范围内',
    en: 'The role "{role}" is not among those you manage',
  },
  'role/own': {
    code: 403,
    status: 403,
    zh: '您自己持有角色“{role}”，请由其他管理员为它授权',
    en: 'You hold the role "{role}" yourself; ask another administrator to change what it holds',
  },
  'role/beyond-own': {
    code: 403,
    status: 403,
    zh: '这些超出您自己的权限，不能授予：{what}',
    en: 'These are beyond your own rights and cannot be granted by you: {what}',
  },
  'role/rights-apart': {
    code: 403,
    status: 403,
    zh: '这些权限与您的角色须分开，只能由本就拥有它们的角色授予或收回，或由系统运维人员用服务器上的命令 admin 办理：{what}',
    en: 'These rights are kept apart from your role: {what}. They are given and taken by whose role has them, or by the operator of the server with its command admin',
  },
  'role/apart': {
    code: 2001,
    status: 409,
    zh: '{who}会同时拥有租户管理员、安全管理员、审计监督须分开的权限，不能授予（请取消勾选，可另设角色由不同的人担任）：{what}',
    en: '{who} would hold rights of administrator, security administrator and auditor that are kept apart from each other; clear these, or give them to a role of their own that other people hold: {what}',
  },
  'role/works': {
    code: 2001,
    status: 409,
    zh: '角色“{role}”办理业务（{work}），不能同时授予他人权限（{what}）：请为授权另设角色，由不同的账号担任',
    en: 'The role "{role}" does other work ({work}) and cannot give rights as well ({what}): make a role of its own for that, which another account holds',
  },
  'role/not-alone': {
    code: 2001,
    status: 409,
    zh: '{account} 除“{role}”外还有其他角色，授予他人权限（{what}）的角色须单独担任：请先调整该账号的角色',
    en: '{account} holds other roles beside "{role}"; one that gives rights ({what}) goes with no other in one account. Change the roles of that account first',
  },
  'role/scopes-by-keepers': {
    code: 403,
    status: 403,
    zh: '数据范围和接口范围只能由租户管理员或安全管理员调整',
    en: 'Data and API scopes are changed by the tenant administrator or the security administrator only',
  },
  'role/fields-by-keepers': {
    code: 403,
    status: 403,
    zh: '字段权限只能由租户管理员或安全管理员调整',
    en: 'What roles see of fields is changed by the tenant administrator or the security administrator only',
  },
  'role/candidate-fields': {
    code: 2001,
    status: 409,
    zh: '考生看到的是自己的信息，不按角色隐藏',
    en: 'Candidates see what is their own; nothing of it is hidden by role',
  },
  'role/held': {
    code: 2004,
    status: 409,
    zh: '角色“{role}”还有 {count} 人持有，请先调整这些人的角色',
    en: '{count} people hold the role "{role}"; change their roles first',
  },
  'role/no-review': {
    code: 2001,
    status: 409,
    zh: '角色“{role}”没有审核权限，没有可切换的撤回权限',
    en: 'The role "{role}" does not review, so there is nothing to pull back',
  },
})
export const refuseRole = refuserOf(roleErrors)
