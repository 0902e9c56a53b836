import {
  addObjection,
  answerCall,
  answerObjection,
  answerProposal,
  askRecheck,
  chain,
  confirmObjectionStatement,
  confirmStatement,
  decideDisqualify,
  decideRestore,
  endObjection,
  endSelection,
  exportRecheck,
  exportStage,
  giveUp,
  handIn,
  noteContact,
  noteObjectionStatement,
  noteStatement,
  objections,
  openStages,
  ownObjections,
  ownProposals,
  ownSelections,
  proposeRestore,
  readRule,
  recheckInfo,
  recheckList,
  reviewInfo,
  saveRule,
  saveStage,
  stageList,
  standing,
  startRecheck,
} from '#contract/selection/selection.routes.ts'
import { type Handler, handle, handleExport } from '#kernel/http/context.ts'
import { answerOne, askSecond, giveUpPlace } from './commands/answer.ts'
import { noteCall } from './commands/contact.ts'
import { decideDisqualifying } from './commands/disqualify.ts'
import { planReview, planStages } from './commands/export.ts'
import { answerTo, confirmAnswer, noteAnswer, readOwnProposals } from './commands/hearing.ts'
import {
  answerToObjection,
  confirmObjectionAnswer,
  noteObjectionAnswer,
  readObjections,
  readOwnObjections,
  recordObjection,
  settleObjection,
} from './commands/objections.ts'
import { readOwn } from './commands/own.ts'
import { takePapers } from './commands/papers.ts'
import { listReview, readChain, readReview } from './commands/read-recheck.ts'
import { decideRestoring, proposeRestoring } from './commands/restore.ts'
import { decideReviewOf } from './commands/review.ts'
import { keepRule, showRule } from './commands/rules.ts'
import { endAll, listStages, openOrTry, saveOutcomes } from './commands/stages.ts'
import { readStanding } from './commands/standing.ts'
import { startReview } from './commands/start-recheck.ts'
import type { SelectionKit } from './deps.ts'

export const selectionHandlers = (kit: SelectionKit): Handler[] => [
  handle(recheckList, ({ ctx, db, input }) => listReview(ctx, db, input)),
  handle(recheckInfo, ({ ctx, db, input }) => readReview(kit, ctx, db, input.signUpId)),
  handle(startRecheck, ({ ctx, db, input }) => startReview(kit, ctx, db, input)),
  handle(reviewInfo, ({ ctx, db, input }) => decideReviewOf(kit, ctx, db, input)),
  handle(proposeRestore, ({ ctx, db, input }) => proposeRestoring(kit, ctx, db, input)),
  handle(decideRestore, ({ ctx, db, input }) => decideRestoring(kit, ctx, db, input)),
  handle(decideDisqualify, ({ ctx, db, input }) => decideDisqualifying(kit, ctx, db, input)),
  handle(standing, ({ ctx, db, input }) => readStanding(kit, ctx, db, input.signUpId)),
  handle(noteContact, ({ ctx, db, input }) => noteCall(kit, ctx, db, input)),
  handle(chain, ({ ctx, db, input }) => readChain(ctx, db, input)),
  handle(stageList, ({ ctx, db, input }) => listStages(ctx, db, input)),
  handle(openStages, ({ ctx, input }) => openOrTry(kit, ctx, input)),
  handle(saveStage, ({ ctx, db, input }) => saveOutcomes(kit, ctx, db, input)),
  handle(objections, ({ ctx, db, input }) => readObjections(kit, ctx, db, input.examId)),
  handle(addObjection, ({ ctx, db, input }) => recordObjection(kit, ctx, db, input)),
  handle(endObjection, ({ ctx, db, input }) => settleObjection(kit, ctx, db, input)),
  handleExport(exportStage, ({ ctx, input }) => planStages(ctx, input)),
  handleExport(exportRecheck, ({ ctx, input }) => planReview(ctx, input)),
  handle(readRule, ({ db, input }) => showRule(kit, db, input.examId)),
  handle(saveRule, ({ ctx, db, input }) => keepRule(ctx, db, input)),
  handle(endSelection, ({ ctx, db, input }) => endAll(kit, ctx, db, input)),
  handle(ownSelections, ({ ctx }) => readOwn(kit, ctx)),
  handle(ownProposals, ({ ctx }) => readOwnProposals(kit, ctx)),
  handle(noteStatement, ({ ctx, db, input }) => noteAnswer(kit, db, ctx, input)),
  handle(confirmStatement, ({ ctx, input }) => ctx.tx(db => confirmAnswer(kit, db, ctx, input))),
  handle(ownObjections, ({ ctx }) => readOwnObjections(kit, ctx)),
  handle(answerObjection, ({ ctx, input }) => answerToObjection(kit, ctx, input)),
  handle(noteObjectionStatement, ({ ctx, db, input }) => noteObjectionAnswer(kit, db, ctx, input)),
  handle(confirmObjectionStatement, ({ ctx, input }) => ctx.tx(db => confirmObjectionAnswer(kit, db, ctx, input))),
  handle(answerProposal, ({ ctx, input }) => answerTo(kit, ctx, input)),
  handle(answerCall, ({ ctx, input }) => answerOne(kit, ctx, input)),
  handle(giveUp, ({ ctx, input }) => giveUpPlace(kit, ctx, input)),
  handle(handIn, ({ ctx, input }) => takePapers(kit, ctx, input)),
  handle(askRecheck, ({ ctx, input }) => askSecond(kit, ctx, input.signupId)),
]
