import type { Label } from '../kernel/label.ts'
import { defineMachine } from '../kernel/machine.ts'

/** What is done with a post that too few have signed up for; the position plus one is the number on the wire (domain 3.17 `action`). */
export const reductionActions = ['reduce', 'cancel', 'merge', 'keep'] as const
export type ReductionAction = (typeof reductionActions)[number]
export const actionLabels: Readonly<Record<ReductionAction, Label>> = {
  reduce: { zh: '核减', en: 'Reduce' },
  cancel: { zh: '取消', en: 'Cancel the post' },
  merge: { zh: '合并', en: 'Merge into another post' },
  keep: { zh: '保留（特批）', en: 'Keep by approval' },
}
/** The people of such a post have to choose another one, or their money back. */
export const movesPeople = (action: ReductionAction): boolean => action === 'cancel' || action === 'merge'

export type ReductionState = 'draft' | 'published' | 'ended'
/** A decision about a post (domain 4.4). */
export const reductionMachine = defineMachine<ReductionState, 'publish' | 'end'>({
  name: 'reduction',
  initial: 'draft',
  on: { draft: { publish: 'published' }, published: { end: 'ended' }, ended: {} },
  wire: { draft: 0, published: 1, ended: 2 },
  label: {
    draft: { zh: '草稿', en: 'Draft' },
    published: { zh: '已公布', en: 'Published' },
    ended: { zh: '已结束', en: 'Ended' },
  },
  tone: { draft: 'draft', published: 'active', ended: 'closed' },
})

/** What somebody on the list has chosen, or what was done for them; the position is the number on the wire (domain 3.17 `choice`). */
export const transferChoices = ['none', 'transfer', 'refund', 'late', 'kept'] as const
export type TransferChoice = (typeof transferChoices)[number]
export const choiceLabels: Readonly<Record<TransferChoice, Label>> = {
  none: { zh: '未选择', en: 'Not chosen' },
  transfer: { zh: '改报', en: 'Another post' },
  refund: { zh: '退费退出', en: 'Money back' },
  late: { zh: '逾期未选', en: 'Not chosen in time' },
  kept: { zh: '保留资格', en: 'Place kept' },
}

export type TransferState = 'open' | 'review' | 'done' | 'refunding' | 'removed'
export type TransferEvent =
  /** Another post is chosen: its conditions are looked at as those of a new sign-up. */
  | 'transfer'
  | 'refund'
  /** Nothing had been paid, so nothing goes back. */
  | 'leave'
  | 'pass'
  | 'refuse'
  | 'refunded'
  | 'remove'
/** Somebody on the list of a cancelled post (domain 3.17, 4.4). */
export const transferMachine = defineMachine<TransferState, TransferEvent>({
  name: 'transfer',
  initial: 'open',
  on: {
    open: { transfer: 'review', refund: 'refunding', leave: 'done', pass: 'done', remove: 'removed' },
    review: { transfer: 'review', refund: 'refunding', leave: 'done', pass: 'done', refuse: 'open', remove: 'removed' },
    refunding: { refunded: 'done', remove: 'removed' },
    done: { remove: 'removed' },
    removed: {},
  },
  wire: { open: 0, review: 1, done: 2, refunding: 3, removed: 4 },
  label: {
    open: { zh: '待选择', en: 'To choose' },
    review: { zh: '改报待审', en: 'New post under review' },
    done: { zh: '已完成', en: 'Done' },
    refunding: { zh: '退费中', en: 'Refund under way' },
    removed: { zh: '已移出', en: 'Taken off' },
  },
  tone: { open: 'waiting', review: 'active', done: 'passed', refunding: 'active', removed: 'closed' },
})
