import type { Label } from '../kernel/label.ts'

/** Answers are kept by these keys: a name that every object has would be read as the object's own. */
export const formKeyPattern =
  '^(?!(?:constructor|prototype|hasOwnProperty|isPrototypeOf|propertyIsEnumerable|toLocaleString|toString|valueOf)$)[a-z][A-Za-z0-9]{0,39}$'
export const formKeyHow: Label = {
  zh: '小写字母开头，只用字母和数字，最多 40 个，如 workYears；不能是 constructor、toString 等保留名',
  en: 'Begins with a small letter, then letters and digits, at most 40, as in workYears; no reserved name such as constructor or toString',
}
