import type { Label } from '#contract/kernel/label.ts'
import { toWireDay } from '#contract/kernel/when.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type Ctx, sessionOf } from '#kernel/http/context.ts'
import { type Erasure, keptDays, listOwnErasures } from '../data/erase.repo.ts'

const dayMs = 86_400_000
const words: Readonly<Record<Erasure, Label>> = {
  draft: { zh: '没有提交的报名：填写的全部内容和材料', en: 'A sign-up that was never handed in: all answers and files' },
  refused: { zh: '未通过或已撤回的报名：上传的材料、照片和签名', en: 'A refused or withdrawn sign-up: files, photo and signature' },
  eliminated: { zh: '未被聘用的报名：照片', en: 'A sign-up that was not hired: the photo' },
}

/** What the nightly erasure will take of the caller's, told in its own rules. */
export const ownErasuresOf = async (ctx: Ctx, db: TenantDb) =>
  (await listOwnErasures(db, sessionOf(ctx).userId)).map(({ signupId, examName, kind, closedAt }) => ({
    ...{ signupId, examName, what: ctx.say(words[kind]), days: keptDays[kind] },
    on: closedAt && toWireDay(new Date(closedAt.getTime() + keptDays[kind] * dayMs)),
  }))
