import { Type } from 'typebox'
import { keywordOf, markOf, shows, showsAbout, showsByKey } from '../kernel/field-rule.ts'
import { cappedPageOf, countInput, pageInput } from '../kernel/page.ts'
import { defineRoute } from '../kernel/route.ts'
import { dictionary, flag, id, int, named, nullable, optional, strict, text } from '../kernel/schema.ts'
import { userNoun } from '../organisation/user.noun.ts'
import { proposedFlag } from './papers.routes.ts'
import { answerMarks, signupNoun } from './signup.noun.ts'
import { advisement, fileRuled, formGroup, signupRow, signupView } from './signup.shapes.ts'

export const examineList = defineRoute({
  method: 'GET',
  path: '/blade-signup/examine/getExamineList',
  access: { staff: 'examine_view' },
  input: strict({
    ...pageInput,
    ...countInput,
    examId: id(),
    level: optional(int(1, 2)),
    examine: optional(int(0, 7)),
    unit: optional(text(20)),
    code: optional(named({ zh: '岗位代码', en: 'Post code' }, text(20))),
    keyword: optional(keywordOf([markOf(signupNoun, 'name'), markOf(signupNoun, 'idCard'), markOf(signupNoun, 'phone')], text(60))),
    onlyMine: optional(flag()),
    /** What the caller may decide on now: as the first page counts it. */
    mayTake: optional(flag()),
    proposed: optional(proposedFlag),
    autoCheck: optional(Type.Union([Type.Literal('ok'), Type.Literal('warn'), Type.Literal('no')])),
    order: optional(named({ zh: '排序', en: 'Order' }, Type.Union([Type.Literal('wait'), Type.Literal('submit')]))),
  }),
  output: cappedPageOf(
    Type.Object({
      ...signupRow.properties,
      /** Why whoever asks does not decide on it though it waits: a conflict of interest, or their own first review. */
      recusal: nullable(Type.String()),
    }),
  ),
  tx: 'read',
})
/** Whom an earlier end of a window concerns: asked before a released examination's window is shortened. */
export const windowReach = defineRoute({
  method: 'GET',
  path: '/blade-signup/examine/getWindowReach',
  access: { staff: 'examination_edit' },
  input: strict({ examId: id() }),
  output: Type.Object({
    /** Forms that were begun and not sent. */
    drafts: Type.Integer(),
    /** Sign-ups sent back for corrections. */
    returned: Type.Integer(),
    /** Sign-ups that nobody has decided on. */
    waiting: Type.Integer(),
    /** People who still owe something that ends with the examination's payments. */
    unpaid: Type.Integer(),
  }),
  tx: 'read',
})
export const examUnits = defineRoute({
  method: 'GET',
  path: '/blade-signup/examine/getExamUnits',
  access: { staff: 'examine_view' },
  input: strict({ examId: id() }),
  output: Type.Array(
    Type.Object({
      unit: Type.String(),
      unitName: Type.String(),
      total: Type.Integer(),
      /** For the caller's decision; for those who decide on no level, for anybody's. */
      waiting: Type.Integer(),
      passed: Type.Integer(),
      returned: Type.Integer(),
      rejected: Type.Integer(),
    }),
  ),
  tx: 'read',
})
const examineView = Type.Object({
  signup: signupView,
  /** What the region of the sign-up means; null where a field of the form asks for it, or nothing does. */
  regionLabel: nullable(Type.String()),
  /** Of answers that are pictures, by key: a link for this reader, ten minutes long. */
  answerLinks: showsByKey(answerMarks, dictionary(Type.String())),
  level: Type.Integer(),
  mayDecide: Type.Boolean(),
  readOnlyReason: nullable(Type.String()),
  /** Windows of the examination that are over, in words: whoever passes now comes too late for them. */
  late: Type.Array(Type.String()),
  lockedBy: nullable(Type.String()),
  lockUntil: nullable(Type.String()),
  /** The last decision, where this reader may undo it now by `examine` with result 0. `until` is null where no time limits it. */
  undo: nullable(
    Type.Object({
      result: Type.Integer(),
      examinerName: shows(userNoun, 'realName', Type.String()),
      until: nullable(Type.String()),
      needsReason: Type.Boolean(),
    }),
  ),
  changedItems: Type.Array(
    showsAbout(
      'key',
      ['before', 'after'],
      answerMarks,
      Type.Object({ key: Type.String(), label: Type.String(), before: nullable(Type.Unknown()), after: nullable(Type.Unknown()) }),
    ),
  ),
  changedFiles: Type.Array(Type.String()),
  /** The files of the version before under the keys that changed, to lay beside the new ones. */
  previousFiles: Type.Array(fileRuled),
  items: Type.Array(formGroup),
  fileLabels: dictionary(Type.String()),
  serverTime: Type.String(),
})
const openInput = strict({ signUpId: id(), level: optional(int(1, 2)) })
/** `mayDecide` is true while the caller holds the lock, which `open` takes. */
export const examineInfo = defineRoute({
  method: 'GET',
  path: '/blade-signup/examine/getExamineInfo',
  access: { staff: 'examine_view' },
  input: openInput,
  output: examineView,
  means: 'a sign-up as reviewers see it, without taking its lock',
})
export const examineOpen = defineRoute({
  method: 'POST',
  path: '/blade-signup/examine/open',
  access: { staff: 'examine_view' },
  input: openInput,
  output: examineView,
  means: 'takes or renews the review lock, and answers what the review rests on',
})
/** An empty one would tell nobody what to do. */
const adviceText = text(200, { minLength: 1, 'x-label': { zh: '修改意见', en: 'Advice' } })
export const examine = defineRoute({
  method: 'POST',
  path: '/blade-signup/examine/examine',
  access: { staff: ['examine_first', 'examine_second', 'examine_correct'] },
  input: strict({
    signUpId: id(),
    /** 1 pass, 2 return, 3 refuse; 0 undoes the last decision (domain 4.2). At level 4, of a sign-up that has passed: 2 returns it, 3 proposes to disqualify. */
    examineResult: int(0, 3),
    examineResultRemark: optional(text(500)),
    advisementList: optional(Type.Array(strict({ ...advisement.properties, advice: adviceText }), { maxItems: 50 })),
    signVersion: int(1, 100_000),
    level: optional(Type.Union([Type.Literal(1), Type.Literal(2), Type.Literal(4)])),
    extendHours: optional(int(1, 24)),
    photoState: optional(int(0, 2)),
  }),
  output: Type.Object({ examine: Type.Integer(), nextId: nullable(Type.String()), payState: Type.Integer() }),
})
export const revealSignup = defineRoute({
  method: 'POST',
  path: '/blade-signup/signup/reveal',
  access: { staff: 'signup_reveal' },
  input: strict({
    id: id(),
    field: named({ zh: '查看项目', en: 'What is shown' }, Type.Union([Type.Literal('idCard'), Type.Literal('phone')])),
    /** 1 compares papers, 2 contacts the candidate, 3 handles a complaint, 4 another duty by law. */
    purpose: int(1, 4),
  }),
  output: Type.Object({ value: Type.String() }),
  tx: 'own',
  means: 'one full id number or phone; kept with its purpose, at most `reveal.perHour` in an hour',
})
export const releaseLock = defineRoute({
  method: 'POST',
  path: '/blade-signup/examine/release',
  access: { staff: 'examine_view' },
  input: strict({ signUpId: id() }),
  output: Type.Object({ released: Type.Boolean() }),
  means: 'gives the review lock back when the reviewer leaves',
})
export const examineRoutes = [examineList, examUnits, windowReach, examineInfo, examineOpen, examine, revealSignup, releaseLock] as const
