import type { Doubt } from '#contract/kernel/asking.ts'
import { type Label, label } from '#contract/kernel/label.ts'
import { toWireTime } from '#contract/kernel/when.ts'
import { formatFen } from '#contract/pay/fee.ts'
import { type DueState, dueMachine } from '#contract/pay/order.state.ts'
import { feeNameKey } from './fee-name.ts'

/** What a fee is: for a paper or `0`, by name and sum. */
export interface FeeFacts {
  readonly itemId: string
  readonly payName: string
  readonly amountFen: number
}
/** A due that is there, paid or not, whoever has made it. */
export interface KnownDue extends FeeFacts {
  readonly id: string
  readonly state: DueState
  readonly madeAt: Date
  /** 1 by the rule of the examination, 2 by a list, 3 by hand. */
  readonly source: number
  readonly madeBy: string | null
}

const makers: Readonly<Record<number, Label>> = {
  1: label('按考试规则生成', 'by the rule of the examination'),
  2: label('导入名单', 'by a list'),
  3: label('手工登记', 'by hand'),
}
const sayKnown = ({ payName, amountFen, state, madeAt, source, madeBy }: KnownDue): Label => {
  const [amount, at, how] = [formatFen(amountFen), toWireTime(madeAt).slice(0, 16), makers[source] ?? label('', '')]
  const by = source === 1 || madeBy === null ? how : label(`${madeBy}${how.zh}`, `${how.en}, ${madeBy}`)
  return label(
    `此人已有“${payName}”${amount} 元（${at} ${by.zh}，${dueMachine.label[state].zh}）`,
    `This person has “${payName}” of ${amount} yuan already (${at}, ${by.en}; ${dueMachine.label[state].en})`,
  )
}

/** With a number behind it where people could not tell the two apart. */
const tellApart = (payName: string, known: readonly FeeFacts[]): string => {
  const used = new Set(known.map(due => feeNameKey(due.payName)))
  for (let count = 2, name = payName; ; count += 1) {
    if (!used.has(feeNameKey(name))) return name
    const tail = `（${count}）`
    name = `${[...payName].slice(0, 60 - tail.length).join('')}${tail}`
  }
}

/**
 * A due that somebody wants to enter, beside those that are there and those that the rule will make: one of the same name or sum asks.
 * @returns the name it gets: that of the rule where it is the fee of the rule, so that a review finds it and asks for nothing more
 */
export const judgeDue = (
  wanted: FeeFacts,
  known: readonly KnownDue[],
  byRule: readonly FeeFacts[],
): { readonly payName: string; readonly doubts: readonly Doubt[] } => {
  const key = feeNameKey(wanted.payName)
  const own = known.filter(due => due.itemId === wanted.itemId)
  const names = new Set(own.map(due => feeNameKey(due.payName)))
  const same = own.filter(due => feeNameKey(due.payName) === key || due.amountFen === wanted.amountFen)
  const coming = byRule.filter(fee => fee.itemId === wanted.itemId && !names.has(feeNameKey(fee.payName)))
  const ruled = coming.find(fee => feeNameKey(fee.payName) === key)
  const alike = ruled ? undefined : coming.find(fee => fee.amountFen === wanted.amountFen)
  const doubts = same.map((due): Doubt => ({ id: `due.${due.id}`, field: 'payName', text: sayKnown(due) }))
  if (alike) {
    const amount = formatFen(alike.amountFen)
    const text = label(
      `此人按考试规则另有“${alike.payName}”${amount} 元`,
      `By the rules of the examination this person owes “${alike.payName}”, ${amount} yuan`,
    )
    doubts.push({ id: 'due.rule', field: 'payName', text })
  }
  return { payName: ruled?.payName ?? tellApart(wanted.payName, own), doubts }
}
