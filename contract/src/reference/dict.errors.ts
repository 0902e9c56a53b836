import { defineErrors, refuserOf } from '../kernel/refusal.ts'

/** Dictionaries of the program (S4.08). */
export const dictErrors = defineErrors({
  'dict/built-in': {
    code: 2004,
    status: 409,
    zh: '“{name}”由程序使用，已有数据靠它显示文字，不能删除；不再使用时请封存',
    en: 'The program uses "{name}" and shows data by its words, so it cannot be removed; seal it when it is not to be chosen any more',
  },
  'dict/in-use': {
    code: 2004,
    status: 409,
    zh: '“{name}”已用于{where}，不能删除；不再使用时请封存',
    en: '"{name}" is used in {where}, so it cannot be removed; seal it when it is not to be chosen any more',
  },
  'dict/key-in-use': {
    code: 2004,
    status: 409,
    zh: '“{name}”已用于{where}，编号和键值不能修改',
    en: '"{name}" is used in {where}, so its code and key stay',
  },
})
export const refuseDict = refuserOf(dictErrors)
