import { Type } from 'typebox'
import { pageInput, pageOf } from '../kernel/page.ts'
import { defineRoute } from '../kernel/route.ts'
import { dictionary, flag, id, ids, int, nullable, optional, strict, text } from '../kernel/schema.ts'
import { conditionShown, examCard, examShown, fileShown, formGroup, nextAction, requiredFile, signupView } from './signup.shapes.ts'

export const examList = defineRoute({
  method: 'GET',
  path: '/blade-signup/signup/examList',
  access: { public: true, because: 'open examinations are announced to everybody; the own state is added for a candidate' },
  input: strict({ ...pageInput, examType: optional(int(1, 5)), keyword: optional(text(60)) }),
  output: pageOf(examCard),
  tx: 'read',
})
export const myExamList = defineRoute({
  method: 'GET',
  path: '/blade-signup/signup/myExamList',
  access: { candidate: 'own' },
  input: strict(pageInput),
  output: pageOf(
    Type.Object({
      signupId: Type.String(),
      examId: Type.String(),
      examName: Type.String(),
      examCode: Type.String(),
      phase: Type.String(),
      signNo: nullable(Type.String()),
      unitName: nullable(Type.String()),
      codeName: nullable(Type.String()),
      code: nullable(Type.String()),
      examine: Type.Integer(),
      examineRemark: nullable(Type.String()),
      payState: Type.Integer(),
      signVersion: Type.Integer(),
      submitTime: nullable(Type.String()),
      ticketReleased: Type.Boolean(),
      scoreReleased: Type.Boolean(),
      canWithdraw: Type.Boolean(),
      canAppeal: Type.Boolean(),
      nextAction,
    }),
  ),
  tx: 'read',
})
export const examInfoOrSignUp = defineRoute({
  method: 'GET',
  path: '/blade-signup/signup/getExamInfoOrSignUpInfo',
  access: { candidate: 'own' },
  input: strict({ examId: id() }),
  output: Type.Object({
    exam: examShown,
    items: Type.Array(formGroup),
    /** No field of the form asks for the place the region means, so the first step does. */
    asksRegion: Type.Boolean(),
    files: Type.Array(requiredFile),
    signup: nullable(signupView),
    draft: nullable(Type.Unknown()),
    /** When a draft was last saved, from whichever device. */
    savedAt: nullable(Type.String()),
    prefill: dictionary(Type.Unknown()),
    /** Answers that are the account's: shown, never typed; they change by a request (`userupdateinfo`). */
    verified: dictionary(Type.Unknown()),
    canSubmit: Type.Boolean(),
    reason: nullable(Type.String()),
    /** The refused post may be handed in once more, as an appeal. */
    canAppeal: Type.Boolean(),
    serverTime: Type.String(),
  }),
  tx: 'read',
  means: 'all that the sign-up form needs, in one call',
})
export const signUpItems = defineRoute({
  method: 'GET',
  path: '/blade-exam/examination/getSignUpItems',
  access: { signedIn: true, because: 'the form of a released examination is no secret; drafts are for staff' },
  input: strict({ examId: id() }),
  output: Type.Object({ groups: Type.Array(formGroup), prefill: dictionary(Type.Unknown()) }),
  tx: 'read',
})
export const signUpFiles = defineRoute({
  method: 'GET',
  path: '/blade-signup/signup/getSignUpFiles',
  access: { signedIn: true, because: 'which files are asked for is no secret; own uploads are added for a candidate' },
  input: strict({ examId: id() }),
  output: Type.Array(Type.Object({ ...requiredFile.properties, uploads: Type.Array(fileShown) })),
  tx: 'read',
})
export const signupDetail = defineRoute({
  method: 'GET',
  path: '/blade-signup/signup/detail',
  access: { staff: ['signup_view', 'examine_view'], candidate: 'own' },
  input: strict({ id: id() }),
  output: signupView,
  tx: 'read',
})

const partBytes = 10_240 * 1024
export const submitSignup = defineRoute({
  method: 'POST',
  path: '/blade-signup/signup/submit',
  access: { candidate: 'own' },
  input: strict({
    id: optional(id()),
    examId: id(),
    province: optional(text(6)),
    city: optional(text(6)),
    area: optional(text(6)),
    code: optional(text(20)),
    type: optional(text(20)),
    unit: optional(text(20)),
    code2: optional(text(20)),
    type2: optional(text(20)),
    unit2: optional(text(20)),
    content: optional(dictionary(Type.Unknown())),
    /** File ids of earlier uploads by file key. */
    fileIds: optional(dictionary(Type.Array(id(), { maxItems: 10 }))),
    submitType: optional(flag()),
    promise: optional(flag()),
    appeal: optional(flag()),
    adjust: optional(flag()),
    signVersion: optional(int(0, 100_000)),
    signatureFileId: optional(id()),
  }),
  output: Type.Object({
    id: Type.String(),
    examine: Type.Integer(),
    signNo: nullable(Type.String()),
    signVersion: Type.Integer(),
    autoCheck: Type.Array(conditionShown),
    savedAt: Type.String(),
  }),
  files: [{ name: 'file_*', maxBytes: partBytes, maxCount: 30 }],
  tx: 'own',
  keyed: 'own',
})
export const removeSignup = defineRoute({
  method: 'POST',
  path: '/blade-signup/signup/remove',
  access: { candidate: 'own' },
  input: strict({ ids: ids() }),
  output: Type.Object({ withdrawn: Type.Integer() }),
  tx: 'own',
  means: 'withdraws; nothing that was submitted is ever deleted',
})
export const signupRoutes = [
  examList,
  myExamList,
  examInfoOrSignUp,
  signUpItems,
  signUpFiles,
  signupDetail,
  submitSignup,
  removeSignup,
] as const
