import type { Draft } from './edit/draft.ts'

export interface MovedLine {
  /** `passScore`, `interviewPass`, or the id of the paper whose line it is. */
  readonly key: string
  /** The name of the paper whose line it is; null: a line of the examination. */
  readonly paper: string | null
  /** Empty: none. */
  readonly old: string
  readonly next: string
}

const textOf = (line: unknown): string => (line === null || line === undefined ? '' : String(line).trim())
/** Whether two lines say the same: 60 is 60.00. */
const isSame = (a: string, b: string): boolean => (a === '' || b === '' ? a === b : Number(a) === Number(b))

export const lineOfPaper = (
  paper: { readonly id: string; readonly itemName: string },
  old: unknown,
  next: unknown,
): readonly MovedLine[] => {
  const [before, after] = [textOf(old), textOf(next)]
  return isSame(before, after) ? [] : [{ key: paper.id, paper: paper.itemName, old: before, next: after }]
}

/** Pass lines that differ from what is stored; a paper that is new has no results yet. */
export const movedLines = (draft: Draft, saved: Draft): readonly MovedLine[] => [
  ...(['passScore', 'interviewPass'] as const).flatMap(key => {
    const [old, next] = [textOf(saved.values[key]), textOf(draft.values[key])]
    return isSame(old, next) ? [] : [{ key, paper: null, old, next }]
  }),
  ...draft.examitems.flatMap(({ id, itemName, passScore }) => {
    const before = saved.examitems.find(paper => paper.id === id)
    return id === undefined || before === undefined ? [] : lineOfPaper({ id, itemName }, before.passScore, passScore)
  }),
]
