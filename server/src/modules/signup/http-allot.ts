import {
  allotCheck,
  examUserDetail,
  examUserList,
  examUserRemove,
  examUserSubmit,
  getAllotted,
  getExamAllot,
  getExamUsers,
  getRecusals,
  recuseSelf,
  removeRecusal,
  saveCheck,
  saveRecusal,
  transferAllot,
} from '#contract/signup/allot.routes.ts'
import { type Handler, handle } from '#kernel/http/context.ts'
import { allotSignups, readAllotment, readExamUsers, saveExamUsers } from './commands/allot-signups.ts'
import { pageExamUsers, readExamUser, removeExamUsers, submitExamUser } from './commands/exam-users.ts'
import { addRecusal, liftRecusal, readRecusals, recuseOneself } from './commands/recusals.ts'
import { moveAllotted, readAllotted } from './commands/transfer-allot.ts'
import type { SignupContext } from './deps.ts'

export const allotHandlers = (kit: SignupContext): Handler[] => [
  handle(getExamAllot, ({ ctx, db, input }) => readAllotment(db, ctx, input)),
  handle(allotCheck, ({ ctx, db, input }) => allotSignups(kit, db, ctx, input)),
  handle(getExamUsers, ({ db, input }) => readExamUsers(db, input)),
  handle(saveCheck, ({ ctx, db, input }) => saveExamUsers(db, ctx, input)),
  handle(getAllotted, ({ ctx, db, input }) => readAllotted(db, ctx, input)),
  handle(transferAllot, ({ ctx, db, input }) => moveAllotted(db, ctx, input)),
  handle(getRecusals, ({ ctx, db, input }) => readRecusals(db, ctx, input)),
  handle(saveRecusal, ({ ctx, db, input }) => addRecusal(kit, db, ctx, input)),
  handle(removeRecusal, ({ ctx, db, input }) => liftRecusal(kit, db, ctx, input)),
  handle(recuseSelf, ({ ctx, db, input }) => recuseOneself(kit, db, ctx, input)),
  handle(examUserList, ({ db, input }) => pageExamUsers(db, input)),
  handle(examUserDetail, ({ db, input }) => readExamUser(db, input)),
  handle(examUserSubmit, ({ ctx, db, input }) => submitExamUser(db, ctx, input)),
  handle(examUserRemove, ({ ctx, db, input }) => removeExamUsers(db, ctx, input)),
]
