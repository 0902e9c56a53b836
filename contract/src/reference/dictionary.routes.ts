import { Type } from 'typebox'
import { defineRoute } from '../kernel/route.ts'
import { named, strict, text } from '../kernel/schema.ts'

const dictEntry = Type.Object({
  code: Type.String(),
  dictKey: Type.String(),
  dictValue: Type.String(),
  dictValueEn: Type.String(),
  sort: Type.Integer(),
  remark: Type.String(),
})
const dictionaryOf = <const P extends string>(path: P) =>
  defineRoute({
    method: 'GET',
    path,
    access: { public: true, because: 'labels of the registration form; nothing personal is in a dictionary' },
    input: strict({ code: named({ zh: '字典编号', en: 'Dictionary code' }, text(60)) }),
    output: Type.Array(dictEntry),
    tx: 'read',
  })
export const dictionary = dictionaryOf('/blade-system/dict/dictionary')
export const dictionaryBiz = dictionaryOf('/blade-system/dict-biz/dictionary')

export const dictionaryRoutes = [dictionary, dictionaryBiz] as const
