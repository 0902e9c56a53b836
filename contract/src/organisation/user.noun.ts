import type { RuledNoun } from '../kernel/field-rule.ts'

/** Accounts of staff and candidates. Account names are how people are addressed everywhere, so no rule hides them. */
export const userNoun = {
  code: 'user',
  label: { zh: '用户', en: 'Users' },
  views: ['user_view'],
  entities: ['account', 'identity_appeal', 'verified_change'],
  fields: {
    realName: { label: { zh: '姓名', en: 'Name' }, mask: 'name', also: ['name'] },
    name: { label: { zh: '昵称', en: 'Nick name' }, mask: 'name', also: ['nickName'] },
    phone: { label: { zh: '手机号', en: 'Mobile phone' }, mask: 'phone' },
    idCard: { label: { zh: '证件号码', en: 'Id number' }, mask: 'idCard' },
    email: { label: { zh: '邮箱', en: 'E-mail' }, mask: 'email' },
    birthday: { label: { zh: '出生日期', en: 'Birth date' }, mask: 'none', fact: 'birthday' },
    sex: { label: { zh: '性别', en: 'Sex' }, mask: 'none', fact: 'sex' },
    avatar: { label: { zh: '头像', en: 'Picture' }, mask: 'none', fact: 'photo' },
  },
} as const satisfies RuledNoun
