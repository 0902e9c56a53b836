import { defineErrors, refuserOf } from '../kernel/refusal.ts'

/** Administration of accounts (S7.19). */
export const userErrors = defineErrors({
  'user/self': {
    code: 2001,
    status: 409,
    zh: '不能对自己的账号执行此操作，请由其他管理员处理',
    en: 'This cannot be done to your own account; ask another administrator',
  },
  'user/candidate': {
    code: 2001,
    status: 409,
    zh: '{account} 是考生账号，其资料由本人维护，这里只能审核、停用、启用、锁定和解锁',
    en: '{account} is a candidate, who keeps their own data; here the account can only be decided on, disabled, enabled, locked and unlocked',
  },
  'user/state': {
    code: 2201,
    status: 409,
    zh: '{account} 的状态为“{state}”，不能执行此操作，请刷新',
    en: 'The state of {account} is "{state}", which does not allow this; please refresh',
  },
  'user/no-change': {
    code: 2001,
    status: 409,
    zh: '该账号没有待同意的变更，请刷新',
    en: 'Nothing waits to be agreed to for this account; please refresh',
  },
  'user/no-second-factor': {
    code: 2001,
    status: 409,
    zh: '{account} 没有开启两步验证，请刷新',
    en: '{account} has no second factor; please refresh',
  },
  'user/beyond-own': {
    code: 403,
    status: 403,
    zh: '角色“{role}”含有您没有的权限，不能由您授予或管理',
    en: 'The role "{role}" holds rights that you do not have, so you can neither grant nor manage it',
  },
  'user/kept-apart': {
    code: 403,
    status: 403,
    zh: '“{role}”属于或含有与您的角色须分开的权限，须由不同的人担任，您不能新增、变更或删除这类人员及其角色，请由系统运维人员用服务器上的命令 admin 办理',
    en: '“{role}” is kept apart from your role, or holds rights that are: you can neither make, change nor remove people who hold it, nor the role; the operator of the server does so with its command admin',
  },
  'user/apart': {
    code: 2001,
    status: 409,
    zh: '租户管理员、安全管理员、审计监督三者及含有其权限的角色不能由同一人担任',
    en: 'Tenant administrator, security administrator and auditor, and roles with their rights, must be held by different people',
  },
  'user/not-alone': {
    code: 2001,
    status: 409,
    zh: '“{role}”不能与其他角色由同一账号担任：授予权限或监督他人的人不办理业务。请为业务工作另设账号',
    en: '“{role}” goes with no other role in one account: whoever gives rights, or watches over others, does no work with them. Use another person’s account for that work',
  },
  'user/no-successor': {
    code: 2001,
    status: 409,
    zh: '接收工作的人须是在岗的其他工作人员，请重新选择',
    en: 'Work is handed over to another active member of staff; choose again',
  },
  'user/roles-stay': {
    code: 403,
    status: 403,
    zh: '{account} 担任“{role}”，其角色不能在系统内变更（包括由其他管理员变更），请由系统运维人员用服务器上的命令 admin roles 办理',
    en: '{account} holds “{role}”: such roles are changed by nobody in the console, other administrators included; the operator of the server does so with its command admin roles',
  },
})
export const refuseUser = refuserOf(userErrors)
