import { Type } from 'typebox'
import { shows, showsAbout, showsAll, showsByKey } from '../kernel/field-rule.ts'
import { dictionary, flag, named, nullable, optional, text } from '../kernel/schema.ts'
import { userNoun } from '../organisation/user.noun.ts'
import { answerMarks, fileMarks, signupNoun } from './signup.noun.ts'

// What calls about sign-ups show and take; the calls stand in signup.routes.ts and examine.routes.ts.

export const advisement = Type.Object({
  kind: named(
    { zh: '意见类别', en: 'Kind of advice' },
    Type.Union([Type.Literal('item'), Type.Literal('file'), Type.Literal('post'), Type.Literal('other')]),
  ),
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
  /** Of who waits for the first review: how many come before, and about how long it takes (domain 4.2). */
  hint: nullable(Type.String()),
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
  /** 2: judged for the second choice. */
  choice: Type.Integer(),
  result: Type.Union([Type.Literal('ok'), Type.Literal('no'), Type.Literal('warn')]),
  need: Type.String(),
  got: Type.String(),
  /** False where the form does not hold the answer yet. */
  isSaid: Type.Boolean(),
  blocking: Type.Boolean(),
})

/** A form, finished or not, held against the posts it chooses and against itself. */
export const judgedShown = {
  /** Conditions of both choices, and what is doubtful whatever the post. */
  autoCheck: Type.Array(conditionShown),
  /** What the chosen posts ask for and is not given, and answers that contradict each other; a submit is refused for them. */
  told: Type.Array(Type.Object({ field: Type.String(), msg: Type.String() })),
  /** Keys of the answers that the chosen posts ask for, given or not. */
  demanded: Type.Array(Type.String()),
}

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
export const fileRuled = showsAbout('fileKey', ['name', 'link'], fileMarks, fileShown)

const recordShown = Type.Object({
  id: Type.String(),
  level: Type.Integer(),
  result: Type.Integer(),
  remark: nullable(Type.String()),
  advisementList: Type.Array(advisement),
  examinerName: shows(userNoun, 'realName', Type.String()),
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
  /** Opens what the file should look like, ten minutes long. */
  sampleUrl: nullable(Type.String()),
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

export const examShown = Type.Object({
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
