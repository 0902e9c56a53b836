import { office } from '../access/menu-roles.ts'
import type { MenuEntry } from '../kernel/menu-entry.ts'

/** The screens about messages; those of declared nouns stand with them. */
export const messageMenus: readonly MenuEntry[] = [
  {
    code: 'sending',
    after: 'pay',
    zh: '消息',
    en: 'Messages',
    path: '/send',
    icon: 'send',
    roles: ['administrator', 'admin', 'exam_admin', 'unit_hr', 'finance', 'auditor'],
  },
  {
    code: 'send',
    under: 'sending',
    zh: '短信发送',
    en: 'Send messages',
    path: '/send/send',
    icon: 'send',
    roles: [...office, 'unit_hr', 'auditor'],
    buttons: [
      ['view', '查看', 'View', [...office, 'unit_hr', 'finance', 'auditor']],
      ['add', '发送', 'Send', [...office, 'unit_hr']],
      ['import', '导入名单', 'Import people', [...office, 'unit_hr']],
      ['approve', '审批', 'Approve', office],
      ['cancel', '取消剩余', 'Cancel the rest', [...office, 'unit_hr']],
      ['delete', '删除', 'Delete', [...office, 'unit_hr']],
    ],
  },
  {
    code: 'sendbalance',
    under: 'sending',
    after: 'send',
    zh: '套餐充值',
    en: 'Packages and balance',
    path: '/send/balance',
    icon: 'pay',
    roles: ['admin', 'finance'],
    buttons: [
      ['view', '查看', 'View', ['admin', 'exam_admin', 'finance', 'auditor']],
      ['pay', '充值', 'Buy', ['admin', 'finance']],
    ],
  },
]
