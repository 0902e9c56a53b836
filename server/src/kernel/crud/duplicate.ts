import { refuse } from '#contract/kernel/errors.ts'
import { type Label, label } from '#contract/kernel/label.ts'
import type { Refusal } from '#contract/kernel/refusal.ts'

/** Another row has this value already; the field is named for the form. */
export const duplicateValue = (field: string, { zh, en }: Label, value: string): Refusal => {
  const refusal = refuse('kernel/duplicate', { what: label(`${zh} ${value} `, `${en} ${value}`) })
  return { ...refusal, data: { fields: [{ field, msg: refusal.text }] } }
}
/** The same of several values, each at its field; the first is told as the message of the whole. At least one. */
export const duplicateValues = (all: readonly { readonly field: string; readonly label: Label; readonly value: string }[]): Refusal => {
  const each = all.map(one => ({ field: one.field, refusal: duplicateValue(one.field, one.label, one.value) }))
  const [first] = each
  if (first === undefined) throw new Error('nothing is taken')
  return { ...first.refusal, data: { fields: each.map(({ field, refusal }) => ({ field, msg: refusal.text })) } }
}
