import { examMachine } from '#contract/exam/exam.state.ts'
import { refuse } from '#contract/kernel/errors.ts'
import { stateOfWire } from '#contract/kernel/machine.ts'
import { sliceOf, toPage } from '#contract/kernel/page.ts'
import type { InputOf, OutputOf } from '#contract/kernel/route.ts'
import { toWireEnd, toWireTime } from '#contract/kernel/when.ts'
import { type PayState, payStateWire } from '#contract/pay/order.state.ts'
import { proposeReduction } from '#contract/reduction/proposal.ts'
import type { reductionList, reductionNames } from '#contract/reduction/reduction.routes.ts'
import {
  type ReductionAction,
  reductionActions,
  reductionMachine,
  type TransferState,
  transferChoices,
  transferMachine,
} from '#contract/reduction/reduction.state.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type Ctx, Refused, sessionOf } from '#kernel/http/context.ts'
import { findExam, listPapers, listPosts, type PostRow } from '#modules/exam/index.ts'
import { unitsOf } from '#modules/signup/index.ts'
import { type ListedName, pageNames } from '../data/name.repo.ts'
import { countPending, countValid, listReductions, type ReductionWithPeople } from '../data/reduction.repo.ts'
import type { ReductionDeps } from '../deps.ts'
import { decidesFrom } from './save-reductions.ts'

type Shown = OutputOf<typeof reductionList>
const at = (time: Date | null): string | null => (time ? toWireTime(time) : null)
const proposals = ['none', 'reduce', 'cancel'] as const
export const actionWire = (action: ReductionAction): number => reductionActions.indexOf(action) + 1

/** @param linkOf - a link to a file for this reader */
const presentDecision = (cut: ReductionWithPeople, linkOf: (fileId: string) => string): Shown['posts'][number]['decision'] => ({
  ...{ id: cut.id, action: actionWire(cut.action), beforeNum: cut.beforeNum, afterNum: cut.afterNum, validCount: cut.validCount },
  ...{
    toCodes: [...cut.toCodes],
    reason: cut.reason,
    choiceBegin: at(cut.choiceBegin),
    choiceEnd: cut.choiceEnd && toWireEnd(cut.choiceEnd),
  },
  state: reductionMachine.wire[cut.state],
  ...{ approveFileId: cut.approveFileId, approveFileUrl: cut.approveFileId && linkOf(cut.approveFileId), publishedAt: at(cut.publishedAt) },
  ...{ people: cut.people, waiting: cut.waiting },
})

/** Posts of an examination with how many valid sign-ups they have, what the rule proposes and what was decided. */
export const readReductions = async (deps: ReductionDeps, db: TenantDb, ctx: Ctx, input: InputOf<typeof reductionList>): Promise<Shown> => {
  const exam = await findExam(db, input.examId)
  if (!exam) throw new Refused(refuse('kernel/not-found', {}))
  const units = unitsOf(sessionOf(ctx))
  const [posts, valid, pending, papers, decisions] = [
    await listPosts(db, exam.id),
    await countValid(db, exam.id, exam.ratioBasis),
    await countPending(db, exam.id, exam.ratioBasis),
    await listPapers(db, exam.id),
    new Map((await listReductions(db, exam.id)).map(cut => [cut.code, cut])),
  ]
  const reader = { tenantId: ctx.tenantId, userId: sessionOf(ctx).userId }
  const isWanted = (post: PostRow): boolean =>
    (units === undefined || units.includes(post.unit)) && (input.unit === undefined || post.unit === input.unit)
  const from = decidesFrom(exam)
  return {
    examState: examMachine.wire[exam.state],
    decidesFrom: from && toWireEnd(from),
    hasBegun: papers.some(paper => paper.startTime <= ctx.arrivedAt),
    unreviewed: posts.filter(isWanted).reduce((sum, post) => sum + (pending.get(post.code)?.unreviewed ?? 0), 0),
    canDecide: exam.state === 'released' && (from === null || ctx.arrivedAt >= from),
    ...{ adjustBegin: at(exam.adjustBegin), adjustEnd: exam.adjustEnd && toWireEnd(exam.adjustEnd), ratioBasis: exam.ratioBasis },
    posts: posts.filter(isWanted).flatMap(post => {
      const count = valid.get(post.code) ?? 0
      const ratio = post.openRatio ?? exam.openRatio
      const cut = decisions.get(post.code)
      // Of a post that is cancelled nothing is left to cut.
      const proposal = post.postState === 2 ? { action: 'none' as const, afterNum: 0 } : proposeReduction(post.curNum, count, ratio)
      if (input.all !== 1 && proposal.action === 'none' && !cut) return []
      return [
        {
          ...{ code: post.code, codeName: post.codeName, unit: post.unit, unitName: post.unitName, typeName: post.typeName },
          ...{ planNum: post.planNum, curNum: post.curNum, postState: post.postState, ratio, valid: count },
          pending: pending.get(post.code)?.pending ?? 0,
          ...{ proposal: proposals.indexOf(proposal.action), proposedNum: proposal.afterNum },
          decision: cut ? presentDecision(cut, fileId => deps.file.linkFor(reader, fileId, ctx.arrivedAt)) : null,
        },
      ]
    }),
  }
}

const presentName = (row: ListedName): OutputOf<typeof reductionNames>['records'][number] => ({
  ...{ id: row.id, reductionId: row.reductionId, signupId: row.signupId, signNo: row.signNo, name: row.name, fromCode: row.fromCode },
  ...{ fromName: row.fromName ?? '', unitName: row.unitName ?? '', joinWay: row.joinWay, choice: transferChoices.indexOf(row.choice) },
  ...{ choiceTime: at(row.choiceTime), toCode: row.toCode, toName: row.toName, toUnitName: row.toUnitName },
  state: transferMachine.wire[row.state],
  payState: payStateWire[row.payState as PayState],
  ...{ sureTime: at(row.sureAt), choiceEnd: toWireEnd(row.choiceEnd) },
})

/** People on the lists of an examination. */
export const readNames = async (db: TenantDb, ctx: Ctx, input: InputOf<typeof reductionNames>) => {
  if (!(await findExam(db, input.examId))) throw new Refused(refuse('kernel/not-found', {}))
  const { current, size, offset } = sliceOf(input)
  const state: TransferState | undefined = input.state === undefined ? undefined : stateOfWire(transferMachine, input.state)
  const choice = input.choice === undefined ? undefined : transferChoices[input.choice]
  const { examId, code, keyword } = input
  const filter = { examId, code, keyword: keyword || undefined, choice, state, units: unitsOf(sessionOf(ctx)) }
  const { rows, total } = await pageNames(db, filter, size, offset)
  return toPage(rows.map(presentName), total, current, size)
}
