import { type Label, label } from '#contract/kernel/label.ts'
import { movesPeople, type ReductionAction, reductionActions } from '#contract/reduction/reduction.state.ts'

/** A decision as somebody wants it. */
export interface WantedCut {
  readonly code: string
  readonly action: ReductionAction
  readonly afterNum: number
  readonly toCodes: readonly string[]
  readonly reason: string
  readonly approveFile: string | undefined
}

interface RowInput {
  readonly code: string
  readonly action: number
  readonly afterNum: number
  readonly toCodes?: readonly string[] | undefined
  readonly reason: string
  readonly approveFile?: string | undefined
}
/** A row of the call; what its action settles is not asked. */
export const wantedCut = (row: RowInput, curNum: number): WantedCut => {
  const action = reductionActions[row.action - 1] ?? 'keep'
  const afterNum = action === 'cancel' ? 0 : action === 'keep' ? curNum : row.afterNum
  return {
    ...{ code: row.code, action, afterNum, toCodes: [...new Set(row.toCodes ?? [])] },
    ...{ reason: row.reason.trim(), approveFile: row.approveFile },
  }
}

interface PostFacts {
  readonly code: string
  readonly codeName: string
  readonly curNum: number
  readonly postState: number
}

const cancelled = 2

/** What is wrong with one decision; undefined when nothing is. */
export const cutProblem = (
  cut: WantedCut,
  posts: ReadonlyMap<string, PostFacts>,
  /** Posts that the same decisions cancel. */
  leaving: ReadonlySet<string>,
): Label | undefined => {
  const post = posts.get(cut.code)
  if (!post) return label(`本考试没有岗位 ${cut.code}`, `There is no post ${cut.code}`)
  const of = (zh: string, en: string): Label => label(`岗位 ${cut.code} ${zh}`, `Post ${cut.code}: ${en}`)
  if (post.postState === cancelled) return of('已经取消', 'it is cancelled already')
  if (cut.reason === '') return of('请填写原因', 'give a reason')
  if (cut.action === 'reduce' && (cut.afterNum < 1 || cut.afterNum >= post.curNum))
    return of(`核减后人数须为 1 至 ${post.curNum - 1}`, `the places kept must be 1 to ${post.curNum - 1}`)
  if (cut.action === 'merge' && cut.toCodes.length === 0) return of('请填写合并到的岗位', 'say which post it is merged into')
  if (cut.action === 'merge' && cut.afterNum > post.curNum)
    return of(`并入的人数最多 ${post.curNum}`, `at most ${post.curNum} places can be moved`)
  if (cut.action === 'keep' && cut.approveFile === undefined) return of('保留须上传批准文件', 'keeping it needs the approval')
  for (const code of cut.toCodes) {
    const target = posts.get(code)
    if (!target) return of(`推荐的岗位 ${code} 不存在`, `the recommended post ${code} does not exist`)
    if (code === cut.code || target.postState === cancelled || target.postState === 4 || leaving.has(code))
      return of(`不能推荐岗位 ${code}`, `post ${code} cannot be recommended`)
  }
  return undefined
}

/** Posts after the decisions: their places, and that they take people of others. */
export const cutsOf = (
  cuts: readonly WantedCut[],
  posts: ReadonlyMap<string, PostFacts>,
): { readonly code: string; readonly curNum: number; readonly postState: number }[] => {
  const after = new Map<string, { code: string; curNum: number; postState: number }>()
  const at = (code: string) => {
    const post = posts.get(code)
    const known = after.get(code) ?? { code, curNum: post?.curNum ?? 0, postState: post?.postState ?? 0 }
    after.set(code, known)
    return known
  }
  for (const { code, action, afterNum } of cuts) {
    if (action === 'reduce') Object.assign(at(code), { curNum: afterNum, postState: 1 })
    if (movesPeople(action)) Object.assign(at(code), { curNum: 0, postState: cancelled })
  }
  for (const { action, afterNum, toCodes } of cuts.filter(cut => movesPeople(cut.action))) {
    for (const code of toCodes) if (at(code).postState === 0) at(code).postState = 3
    const [first] = toCodes
    if (action === 'merge' && first !== undefined) at(first).curNum += afterNum
  }
  return [...after.values()].toSorted((one, other) => (one.code < other.code ? -1 : 1))
}
