import type { Label } from '../kernel/label.ts'

export interface ValueName {
  readonly value: string
  readonly label: Label
}
const list = (...entries: readonly (readonly [string, string, string])[]): readonly ValueName[] =>
  entries.map(([value, zh, en]) => ({ value, label: { zh, en } }))

/** What bare values mean, by the name of the field (domain 3.2–3.5). */
export const valueNames = {
  fieldType: list(
    ['text', '文本', 'Text'],
    ['textarea', '多行文本', 'Long text'],
    ['number', '数字', 'Number'],
    ['date', '日期', 'Date'],
    ['month', '年月', 'Month'],
    ['select', '下拉', 'List'],
    ['radio', '单选', 'One of'],
    ['checkbox', '多选', 'Some of'],
    ['cascader', '级联', 'Levels'],
    ['region', '地区', 'Region'],
    ['school', '院校', 'School'],
    ['major', '专业', 'Major'],
    ['table', '表格', 'Table'],
    ['image', '图片', 'Image'],
    ['signature', '签名', 'Signature'],
    ['idcard', '证件号', 'Id card'],
    ['phone', '手机号', 'Phone'],
  ),
  kind: list(
    ['1', '证件照', 'Photo'],
    ['2', '身份证人像面', 'Id card, portrait side'],
    ['3', '身份证国徽面', 'Id card, emblem side'],
    ['4', '学历证书', 'Diploma'],
    ['5', '学位证书', 'Degree certificate'],
    ['6', '学信网备案表', 'CHSI record'],
    ['7', '执业/资格证', 'Licence'],
    ['8', '职称证', 'Title certificate'],
    ['9', '规培证', 'Residency certificate'],
    ['10', '户口簿', 'Household register'],
    ['11', '应届证明/就业推荐表', 'Proof of fresh graduate'],
    ['12', '单位同意报考证明', 'Consent of the employer'],
    ['13', '诚信承诺书', 'Integrity undertaking'],
    ['14', '其他', 'Other'],
  ),
  sensitive: list(['0', '普通', 'Normal'], ['1', '个人信息', 'Personal'], ['2', '敏感（加密）', 'Sensitive (sealed)']),
  stage: list(['1', '报名时', 'At sign-up'], ['2', '资格复审时', 'At the re-review']),
  sex: list(['0', '不限', 'Any'], ['1', '男', 'Male'], ['2', '女', 'Female']),
  fresh: list(['0', '不限', 'Any'], ['1', '仅应届', 'Fresh graduates only'], ['2', '仅往届', 'Others only']),
  ticketState: list(['0', '未编排', 'Not allocated'], ['1', '已编排', 'Allocated'], ['2', '已发布', 'Released'], ['3', '已结束', 'Ended']),
  scoreState: list(['0', '未导入', 'Not imported'], ['1', '已导入', 'Imported'], ['2', '已发布', 'Released']),
} satisfies Readonly<Record<string, readonly ValueName[]>>

/** The same for the declaration of a field: workbooks say what the page says. */
export const wordsOf = (field: keyof typeof valueNames): Readonly<Record<string, Label>> =>
  Object.fromEntries(valueNames[field].map(({ value, label }) => [value, label]))
