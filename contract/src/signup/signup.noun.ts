import { type MarksByKey, markOf, marksOf, type RuledNoun } from '../kernel/field-rule.ts'
import { regionKey } from './region.ts'

/** Sign-ups as staff read them. Fields of forms go by their keys in the library (domain 3.3); whatever else a form asks is `answers`. */
export const signupNoun = {
  code: 'signup',
  label: { zh: '报名信息', en: 'Sign-ups' },
  views: ['signup_view', 'examine_view'],
  entities: ['signup'],
  fields: {
    name: { label: { zh: '姓名', en: 'Name' }, mask: 'name' },
    idCard: { label: { zh: '证件号码', en: 'Id number' }, mask: 'idCard' },
    phone: { label: { zh: '手机号', en: 'Mobile phone' }, mask: 'phone' },
    sex: { label: { zh: '性别', en: 'Sex' }, mask: 'none', fact: 'sex' },
    birthday: { label: { zh: '出生日期', en: 'Birth date' }, mask: 'none', fact: 'birthday' },
    nation: { label: { zh: '民族', en: 'Ethnic group' }, mask: 'none' },
    political: { label: { zh: '政治面貌', en: 'Political status' }, mask: 'none' },
    marriage: { label: { zh: '婚姻状况', en: 'Marital status' }, mask: 'none' },
    email: { label: { zh: '电子邮箱', en: 'E-mail' }, mask: 'email' },
    emergencyContact: { label: { zh: '紧急联系人', en: 'Emergency contact' }, mask: 'name' },
    emergencyPhone: { label: { zh: '紧急联系电话', en: 'Emergency phone' }, mask: 'phone' },
    hukouAddress: { label: { zh: '户籍所在地', en: 'Household registration' }, mask: 'none', fact: 'address' },
    address: { label: { zh: '通讯地址', en: 'Postal address' }, mask: 'address' },
    education: { label: { zh: '学历', en: 'Education' }, mask: 'none' },
    degree: { label: { zh: '学位', en: 'Degree' }, mask: 'none' },
    school: { label: { zh: '毕业院校', en: 'School' }, mask: 'text' },
    major: { label: { zh: '所学专业', en: 'Major' }, mask: 'text' },
    workUnit: { label: { zh: '现工作单位', en: 'Present employer' }, mask: 'text' },
    answers: { label: { zh: '其他报名信息', en: 'Other answers' }, mask: 'text' },
    photo: { label: { zh: '照片', en: 'Photo' }, mask: 'none', fact: 'photo' },
    files: { label: { zh: '材料文件', en: 'Files' }, mask: 'none' },
  },
} as const satisfies RuledNoun

const { photo: _photo, files: _files, ...asked } = marksOf(signupNoun)
/** Which field an answer of a form is. */
export const answerMarks: MarksByKey = { ...asked, [regionKey]: markOf(signupNoun, 'hukouAddress'), '*': markOf(signupNoun, 'answers') }
/** Which field an uploaded file is, by its key. */
export const fileMarks: MarksByKey = { photo: markOf(signupNoun, 'photo'), '*': markOf(signupNoun, 'files') }
