import { Type } from 'typebox'
import { keywordOf, markOf, shows, showsAbout, showsAll, showsByKey } from '../kernel/field-rule.ts'
import { cappedPageOf, countInput, pageInput, pageOf } from '../kernel/page.ts'
import { defineRoute } from '../kernel/route.ts'
import { dictionary, flag, id, ids, int, nullable, optional, strict, text } from '../kernel/schema.ts'
import { answerMarks, fileMarks, signupNoun } from './signup.noun.ts'

export const advisement = Type.Object({
  kind: Type.Union([Type.Literal('item'), Type.Literal('file'), Type.Literal('post'), Type.Literal('other')]),
  key: text(60),
  label: optional(text(80)),
  advice: text(200),
})
const advisementShown = showsAbout(
  'key',
  ['oldValue', 'newValue'],
  answerMarks,
  Type.Object({
    ...advisement.properties,
    resolved: Type.Boolean(),
    oldValue: nullable(Type.Unknown()),
    newValue: nullable(Type.Unknown()),
  }),
)

export const nextAction = Type.Object({
  code: Type.String(),
  text: Type.String(),
  deadline: nullable(Type.String()),
  link: nullable(Type.String()),
})
const myState = Type.Object({ signupId: Type.String(), examine: Type.Integer(), payState: Type.Integer(), nextAction })

export const examCard = Type.Object({
  id: Type.String(),
  examName: Type.String(),
  examCode: Type.String(),
  examType: Type.Integer(),
  organizer: Type.String(),
  phase: Type.String(),
  state: Type.Integer(),
  signBegin: Type.String(),
  signEnd: Type.String(),
  payEnd: nullable(Type.String()),
  feeText: Type.String(),
  planTotal: Type.Integer(),
  postCount: Type.Integer(),
  contactPhone: Type.String(),
  my: nullable(myState),
})

const postShown = Type.Object({
  code: Type.String(),
  codeName: Type.String(),
  unit: Type.String(),
  unitName: Type.String(),
  type: Type.String(),
  typeName: Type.String(),
  planNum: Type.Integer(),
  curNum: Type.Integer(),
  postState: Type.Integer(),
  ageText: Type.String(),
  majorText: Type.String(),
  otherText: Type.String(),
  feeFen: Type.Integer(),
})

/** An automatic check as it is shown: green, amber, red (domain 3.18). */
export const conditionShown = Type.Object({
  rule: Type.String(),
  ruleLabel: Type.String(),
  field: Type.String(),
  result: Type.Union([Type.Literal('ok'), Type.Literal('no'), Type.Literal('warn')]),
  need: Type.String(),
  got: Type.String(),
  blocking: Type.Boolean(),
})

export const fileShown = Type.Object({
  fileKey: Type.String(),
  fileLabel: Type.String(),
  fileId: Type.String(),
  name: Type.String(),
  sizeBytes: Type.Integer(),
  mime: Type.String(),
  sha256: Type.String(),
  link: Type.String(),
  uploadTime: Type.String(),
  checks: nullable(Type.Array(Type.Object({ rule: Type.String(), ok: Type.Boolean(), got: Type.String() }))),
})

const conditionRuled = showsAbout('field', ['got'], answerMarks, conditionShown)
/** A file with the rule of its kind: who may not see it gets neither its name nor its link. */
const fileRuled = showsAbout('fileKey', ['name', 'link'], fileMarks, fileShown)

const recordShown = Type.Object({
  id: Type.String(),
  level: Type.Integer(),
  result: Type.Integer(),
  remark: nullable(Type.String()),
  advisementList: Type.Array(advisement),
  examinerName: Type.String(),
  examineTime: Type.String(),
  signVersion: Type.Integer(),
  beforeState: Type.Integer(),
  afterState: Type.Integer(),
  durationMs: nullable(Type.Integer()),
})

const signupColumns = {
  id: Type.String(),
  examId: Type.String(),
  signNo: nullable(Type.String()),
  name: nullable(Type.String()),
  nameRare: flag(),
  idCardMask: nullable(Type.String()),
  phoneMask: nullable(Type.String()),
  sex: nullable(Type.Integer()),
  unit: nullable(Type.String()),
  unitName: nullable(Type.String()),
  type: nullable(Type.String()),
  typeName: nullable(Type.String()),
  code: nullable(Type.String()),
  codeName: nullable(Type.String()),
  code2: nullable(Type.String()),
  type2: nullable(Type.String()),
  unit2: nullable(Type.String()),
  education: nullable(Type.String()),
  major: nullable(Type.String()),
  examine: Type.Integer(),
  examineRemark: nullable(Type.String()),
  examineTime: nullable(Type.String()),
  examineLevel: Type.Integer(),
  signVersion: Type.Integer(),
  autoCheck: nullable(Type.String()),
  waitMinutes: Type.Integer(),
  lockedBy: nullable(Type.String()),
  payState: Type.Integer(),
  submitTime: nullable(Type.String()),
}
export const signupRow = Type.Object(showsAll(signupNoun, signupColumns, { idCardMask: 'idCard', phoneMask: 'phone' }))

const formField = Type.Object({
  itemKey: Type.String(),
  itemLabel: Type.String(),
  itemLabelEn: Type.String(),
  fieldType: Type.String(),
  dictCode: nullable(Type.String()),
  options: nullable(Type.Array(Type.Object({ value: Type.String(), label: Type.String() }))),
  columns: nullable(Type.Unknown()),
  maxRows: nullable(Type.Integer()),
  maxLen: nullable(Type.Integer()),
  pattern: nullable(Type.String()),
  min: nullable(Type.String()),
  max: nullable(Type.String()),
  placeholder: nullable(Type.String()),
  help: nullable(Type.String()),
  required: Type.Boolean(),
  visibleWhen: nullable(Type.Unknown()),
  sensitive: Type.Integer(),
})
export const formGroup = Type.Object({ name: Type.String(), items: Type.Array(formField) })
export const requiredFile = Type.Object({
  fileKey: Type.String(),
  fileLabel: Type.String(),
  fileLabelEn: Type.String(),
  kind: Type.Integer(),
  accept: Type.String(),
  maxKb: Type.Integer(),
  minKb: Type.Integer(),
  maxCount: Type.Integer(),
  pixel: nullable(Type.Unknown()),
  help: nullable(Type.String()),
  required: Type.Boolean(),
  visibleWhen: nullable(Type.Unknown()),
  stage: Type.Integer(),
})

/** A sign-up with all that its reader may see. */
export const signupView = Type.Object({
  ...signupRow.properties,
  province: shows(signupNoun, 'hukouAddress', nullable(Type.String())),
  city: shows(signupNoun, 'hukouAddress', nullable(Type.String())),
  area: shows(signupNoun, 'hukouAddress', nullable(Type.String())),
  content: showsByKey(answerMarks, dictionary(Type.Unknown())),
  contentLabels: showsByKey(answerMarks, dictionary(Type.String())),
  files: Type.Array(fileRuled),
  advisementList: Type.Array(advisementShown),
  checks: Type.Array(conditionRuled),
  records: Type.Array(recordShown),
  photoState: Type.Integer(),
  adjust: flag(),
  post: nullable(postShown),
  post2: nullable(postShown),
  /** Parts that a returned sign-up may change; null when everything or nothing is open. */
  openParts: nullable(
    Type.Object({
      everything: Type.Boolean(),
      itemKeys: Type.Array(Type.String()),
      fileKeys: Type.Array(Type.String()),
      post: Type.Boolean(),
    }),
  ),
})

const examShown = Type.Object({
  ...examCard.properties,
  description: Type.String(),
  promise: Type.String(),
  undertaker: nullable(Type.String()),
  year: Type.Integer(),
  allowSecond: Type.Boolean(),
  allowAdjust: Type.Boolean(),
  allowChangePost: Type.Boolean(),
  regionLabel: Type.String(),
  needSignature: Type.Boolean(),
  feeMode: Type.Integer(),
  feeFen: Type.Integer(),
  modifyEnd: nullable(Type.String()),
  examineEnd: nullable(Type.String()),
  payBegin: nullable(Type.String()),
  ticketBegin: nullable(Type.String()),
  ticketEnd: nullable(Type.String()),
  scoreBegin: nullable(Type.String()),
  seedCommit: nullable(Type.String()),
  examItems: Type.Array(
    Type.Object({
      id: Type.String(),
      itemName: Type.String(),
      itemCode: Type.String(),
      itemType: Type.Integer(),
      startTime: Type.String(),
      endTime: Type.String(),
    }),
  ),
  changes: Type.Array(Type.Object({ time: Type.String(), text: Type.String() })),
})

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
    prefill: dictionary(Type.Unknown()),
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
    code: optional(text(20)),
    keyword: optional(keywordOf([markOf(signupNoun, 'name'), markOf(signupNoun, 'idCard'), markOf(signupNoun, 'phone')], text(60))),
    onlyMine: optional(flag()),
    autoCheck: optional(Type.Union([Type.Literal('ok'), Type.Literal('warn'), Type.Literal('no')])),
    order: optional(Type.Union([Type.Literal('wait'), Type.Literal('submit')])),
  }),
  output: cappedPageOf(signupRow),
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
export const examineInfo = defineRoute({
  method: 'GET',
  path: '/blade-signup/examine/getExamineInfo',
  access: { staff: 'examine_view' },
  input: strict({ signUpId: id(), level: optional(int(1, 2)) }),
  output: Type.Object({
    signup: signupView,
    level: Type.Integer(),
    mayDecide: Type.Boolean(),
    readOnlyReason: nullable(Type.String()),
    lockedBy: nullable(Type.String()),
    lockUntil: nullable(Type.String()),
    /** The last decision, where this reader may undo it now by `examine` with result 0. `until` is null where no time limits it. */
    undo: nullable(
      Type.Object({ result: Type.Integer(), examinerName: Type.String(), until: nullable(Type.String()), needsReason: Type.Boolean() }),
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
  }),
  means: 'takes or renews the review lock',
})
export const examine = defineRoute({
  method: 'POST',
  path: '/blade-signup/examine/examine',
  access: { staff: ['examine_first', 'examine_second'] },
  input: strict({
    signUpId: id(),
    /** 1 pass, 2 return, 3 refuse; 0 undoes the last decision (domain 4.2). */
    examineResult: int(0, 3),
    examineResultRemark: optional(text(500)),
    advisementList: optional(Type.Array(strict(advisement.properties), { maxItems: 50 })),
    signVersion: int(1, 100_000),
    level: optional(int(1, 2)),
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
    field: Type.Union([Type.Literal('idCard'), Type.Literal('phone')]),
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
export const signupRoutes = [
  revealSignup,
  examList,
  myExamList,
  examInfoOrSignUp,
  signUpItems,
  signUpFiles,
  signupDetail,
  submitSignup,
  removeSignup,
  examineList,
  examUnits,
  examineInfo,
  examine,
  releaseLock,
] as const
