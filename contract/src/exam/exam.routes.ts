import { Type } from 'typebox'
import { rowSchema, submitSchema } from '../kernel/crud-routes.ts'
import { exportJobView } from '../kernel/export-job.ts'
import { nounOf, showsAll } from '../kernel/field-rule.ts'
import { pageInput, pageOf } from '../kernel/page.ts'
import { defineRoute, type Route } from '../kernel/route.ts'
import { day, fen, flag, id, ids, int, named, nullable, optional, strict, text, time } from '../kernel/schema.ts'
import { contactPhoneHow, contactPhonePattern } from './contact-phone.ts'
import { examLabel } from './exam.labels.ts'
import { examItem, signFile, signItem, typeCode } from './exam.resources.ts'
import { importTypeCode } from './post-import.routes.ts'

const when = () => optional(nullable(time()))
const decimal = (digits: number) => Type.String({ pattern: `^\\d{1,${digits}}(\\.\\d{1,2})?$` })

/** What an examination is made of, apart from its state (domain 3.1). */
const plainFields = {
  examName: text(100, { minLength: 1 }),
  examCode: Type.String({ pattern: '^[A-Z0-9-]{1,20}$' }),
  examNo: int(1, 99),
  year: int(2000, 2099),
  examType: int(1, 5),
  organizer: optional(text(100)),
  undertaker: optional(nullable(text(100))),
  contactPhone: optional(text(60, { pattern: contactPhonePattern, 'x-how': contactPhoneHow })),
  coverFileId: optional(nullable(id())),
  description: optional(text(200_000)),
  noticeId: optional(nullable(id())),
  promise: optional(text(20_000)),
  signBegin: when(),
  signEnd: when(),
  modifyEnd: when(),
  examineBegin: when(),
  examineEnd: when(),
  appealEnd: when(),
  payBegin: when(),
  payEnd: when(),
  payLimitMinutes: optional(int(5, 120)),
  adjustBegin: when(),
  adjustEnd: when(),
  ticketBegin: when(),
  ticketEnd: when(),
  msTicketBegin: when(),
  msTicketEnd: when(),
  scoreBegin: when(),
  /** 0 free, 1 per person, 2 per paper, 3 per post. */
  feeMode: optional(int(0, 3)),
  feeFen: optional(fen()),
  payWhen: optional(int(1, 3)),
  /** Whoever has the permanent residence card of foreigners may sign up. */
  allowForeignCard: optional(flag()),
  /** Whoever has a passport only may sign up. */
  allowPassport: optional(flag()),
  /** Whom the examination treats as a fresh graduate (`GraduatePolicy` of the shared rules). */
  freshYears: optional(int(0, 5)),
  /** 0 nothing, 1 work, 2 work or social insurance. */
  freshEndsBy: optional(int(0, 2)),
  freshDay: optional(nullable(day())),
  residencyFresh: optional(flag()),
  residencyMaster: optional(flag()),
  allowSecond: optional(flag()),
  allowAdjust: optional(flag()),
  allowChangePost: optional(flag()),
  changePostMax: optional(int(0, 9)),
  examineLevels: optional(int(1, 2)),
  allotMode: optional(int(0, 4)),
  allowSameReviewer: optional(flag()),
  openRatio: optional(int(0, 99)),
  ratioBasis: optional(int(1, 2)),
  shortlistRatio: optional(int(1, 99)),
  writtenWeight: optional(decimal(3)),
  interviewWeight: optional(decimal(3)),
  scoreScale: optional(int(0, 4)),
  passScore: optional(nullable(decimal(4))),
  interviewPass: optional(nullable(decimal(4))),
  tieBreak: optional(Type.Array(text(40), { maxItems: 10 })),
  regionLabel: optional(text(20, { minLength: 1 })),
  refundPolicy: optional(int(0, 1)),
  feeWaiver: optional(int(0, 1)),
  hideCounts: optional(flag()),
  needSignature: optional(flag()),
  managers: optional(Type.Array(id(), { maxItems: 50 })),
  /** Null: nobody's in particular, every examination administrator reaches it. */
  deptId: optional(nullable(id())),
}
/** Each under the name by which the editor asks for it. */
const examFields = Object.fromEntries(
  Object.entries(plainFields).map(([name, schema]) => [name, named(examLabel(name), schema)]),
) as typeof plainFields
export const examFieldNames = Object.keys(examFields) as (keyof typeof examFields)[]

const shownTime = nullable(Type.String())
const examColumns = {
  id: Type.String(),
  examName: Type.String(),
  examCode: Type.String(),
  examNo: Type.Integer(),
  year: Type.Integer(),
  examType: Type.Integer(),
  state: Type.Integer(),
  phase: Type.String(),
  phaseLabel: Type.String(),
  deptId: nullable(Type.String()),
  deptName: Type.String(),
  organizer: Type.String(),
  undertaker: nullable(Type.String()),
  contactPhone: Type.String(),
  signBegin: shownTime,
  signEnd: shownTime,
  examineEnd: shownTime,
  payBegin: shownTime,
  payEnd: shownTime,
  ticketBegin: shownTime,
  ticketEnd: shownTime,
  modifyEnd: shownTime,
  adjustEnd: shownTime,
  msTicketBegin: shownTime,
  msTicketEnd: shownTime,
  feeMode: Type.Integer(),
  feeFen: Type.Integer(),
  examineLevels: Type.Integer(),
  postCount: Type.Integer(),
  planTotal: Type.Integer(),
  /** Live sign-ups that were submitted, passed, paid. */
  signCount: Type.Integer(),
  passCount: Type.Integer(),
  paidCount: Type.Integer(),
  releaseTime: shownTime,
  closeTime: shownTime,
  closeReason: nullable(Type.String()),
  createTime: Type.String(),
  updateTime: Type.String(),
  version: Type.Integer(),
}
const examRow = Type.Object({
  ...examColumns,
  /** Of a draft, when it was asked for: how many things keep it from being released. */
  missing: optional(Type.Integer()),
})

const paperRow = rowSchema(examItem)
const examDetail = Type.Object({
  ...examColumns,
  coverFileId: nullable(Type.String()),
  description: Type.String(),
  noticeId: nullable(Type.String()),
  promise: Type.String(),
  examineBegin: shownTime,
  appealEnd: shownTime,
  payLimitMinutes: Type.Integer(),
  adjustBegin: shownTime,
  scoreBegin: shownTime,
  payWhen: Type.Integer(),
  allowForeignCard: Type.Integer(),
  allowPassport: Type.Integer(),
  freshYears: Type.Integer(),
  freshEndsBy: Type.Integer(),
  freshDay: nullable(Type.String()),
  residencyFresh: Type.Integer(),
  residencyMaster: Type.Integer(),
  allowSecond: Type.Integer(),
  allowAdjust: Type.Integer(),
  allowChangePost: Type.Integer(),
  changePostMax: Type.Integer(),
  allotMode: Type.Integer(),
  allowSameReviewer: Type.Integer(),
  openRatio: Type.Integer(),
  ratioBasis: Type.Integer(),
  shortlistRatio: Type.Integer(),
  writtenWeight: Type.String(),
  interviewWeight: Type.String(),
  scoreScale: Type.Integer(),
  passScore: nullable(Type.String()),
  interviewPass: nullable(Type.String()),
  tieBreak: Type.Array(Type.String()),
  regionLabel: Type.String(),
  refundPolicy: Type.Integer(),
  feeWaiver: Type.Integer(),
  hideCounts: Type.Integer(),
  needSignature: Type.Integer(),
  managers: Type.Array(Type.String()),
  serverTime: Type.String(),
  signitems: Type.Array(rowSchema(signItem)),
  signfiles: Type.Array(rowSchema(signFile)),
  examitems: Type.Array(paperRow),
  changes: Type.Array(Type.Object({ time: Type.String(), text: Type.String() })),
})

const nested = (fields: Parameters<typeof submitSchema>[0]) => {
  const { properties } = submitSchema(fields, 'edit')
  // The examination's id comes from the body around it.
  return optional(Type.Array(strict({ ...properties, id: optional(Type.String()), examId: optional(Type.String()) }), { maxItems: 200 }))
}

const examFilter = {
  examName: optional(text(100)),
  examCode: optional(text(20)),
  examType: optional(int(1, 5)),
  state: optional(int(0, 3)),
  year: optional(int(2000, 2099)),
}
export const pageExams = defineRoute({
  method: 'GET',
  path: '/blade-exam/examination/page',
  access: { staff: 'examination_view' },
  input: strict({
    ...pageInput,
    ...examFilter,
    /** 1: counts what each draft still lacks, which costs a check of each. */
    withMissing: optional(named({ zh: '统计发布前缺项', en: 'Count what is missing before release' }, flag())),
  }),
  output: pageOf(examRow),
  tx: 'read',
})
/** The list as a workbook. */
export const exportExams = defineRoute({
  method: 'GET',
  path: '/blade-exam/examination/exportExam',
  access: { staff: 'examination_export' },
  input: strict(examFilter),
  output: exportJobView,
  answer: 'file',
  tx: 'own',
})
export const examById = defineRoute({
  method: 'GET',
  path: '/blade-exam/examination/detail',
  access: { staff: 'examination_view' },
  input: strict({ id: id() }),
  output: examDetail,
  tx: 'read',
})
export const submitExam = defineRoute({
  method: 'POST',
  path: '/blade-exam/examination/submit',
  access: { staff: ['examination_add', 'examination_edit'] },
  input: strict({
    id: optional(Type.String({ pattern: '^[0-9]{0,19}$' })),
    version: optional(Type.Integer({ minimum: 0 })),
    ...Object.fromEntries(Object.entries(examFields).map(([name, schema]) => [name, optional(schema)])),
    signitems: nested(signItem.fields),
    signfiles: nested(signFile.fields),
    examitems: nested(examItem.fields),
    /** Takes the posts of this examination over into the new one, and of form, files and papers what the body does not list itself. */
    copyFrom: optional(id()),
  }),
  output: Type.Object({ id: Type.String() }),
})
export const newExamFields = strict(examFields)
export const removeExams = defineRoute({
  method: 'POST',
  path: '/blade-exam/examination/remove',
  access: { staff: 'examination_delete' },
  input: strict({ ids: optional(ids()) }),
  output: Type.Object({ removed: Type.Integer() }),
})
const problem = Type.Object({ path: Type.String(), msg: Type.String() })
export const releaseExam = defineRoute({
  method: 'POST',
  path: '/blade-exam/examination/releaseExam',
  access: { staff: 'examination_release' },
  input: strict({ id: id(), state: optional(int(0, 1)), dryRun: optional(flag()) }),
  output: Type.Object({ state: Type.Integer(), problems: Type.Array(problem), warnings: Type.Array(problem) }),
  means: 'state 1 (default) releases, 0 withdraws; dryRun answers the release check list and changes nothing',
})
export const closeExam = defineRoute({
  method: 'POST',
  path: '/blade-exam/examination/closeExam',
  access: { staff: 'examination_close' },
  input: strict({ id: id(), state: optional(int(1, 3)), reason: optional(text(200)), confirmCode: optional(text(20)) }),
  output: Type.Object({ state: Type.Integer() }),
  means: 'state 2 (default) closes, 1 reopens, 3 archives',
})
export const examPapers = defineRoute({
  method: 'GET',
  path: '/blade-exam/examination/getExamItems',
  access: { signedIn: true, because: 'the papers of a released examination are announced; drafts are for staff' },
  input: strict({ examId: id(), itemType: optional(int(1, 4)) }),
  output: Type.Array(paperRow),
  tx: 'read',
})

export const postColumns = {
  id: Type.String(),
  examId: Type.String(),
  unit: Type.String(),
  unitName: Type.String(),
  type: Type.String(),
  typeName: Type.String(),
  code: Type.String(),
  codeName: Type.String(),
  competentDept: nullable(Type.String()),
  postLevel: nullable(Type.String()),
  planNum: Type.Integer(),
  curNum: Type.Integer(),
  openRatio: nullable(Type.Integer()),
  maxSign: Type.Integer(),
  postState: Type.Integer(),
  bornFrom: nullable(Type.String()),
  bornTo: nullable(Type.String()),
  ageText: nullable(Type.String()),
  sexText: Type.String(),
  educationText: Type.String(),
  degreeText: Type.String(),
  majorText: Type.String(),
  freshText: Type.String(),
  politicalText: Type.String(),
  hukouText: Type.String(),
  certText: Type.String(),
  titleText: Type.String(),
  workYearsText: Type.String(),
  otherText: nullable(Type.String()),
  itemCodes: Type.Array(Type.String()),
  /** Fen, null when the post has no fee of its own. */
  fee: nullable(Type.Integer()),
  phone: nullable(Type.String()),
  remark: nullable(Type.String()),
  /** Null while the examination hides its numbers. */
  signCount: nullable(Type.Integer()),
  passCount: nullable(Type.Integer()),
  match: nullable(Type.Union([Type.Literal('ok'), Type.Literal('warn'), Type.Literal('no')])),
  reasons: Type.Array(Type.String()),
}
/** A post as it is announced: to staff with rules for posts it says no more than their own list. */
const postShown = Type.Object(
  showsAll(nounOf(typeCode), postColumns, { fee: 'feeFen', sexText: 'sex', freshText: 'fresh', workYearsText: 'minWorkYears' }),
)
export const posts = defineRoute({
  method: 'GET',
  path: '/blade-exam/examination/getTypeCodeList',
  access: { signedIn: true, because: 'the posts of a released examination are announced; drafts are for staff' },
  input: strict({
    ...pageInput,
    examId: id(),
    unit: optional(text(20)),
    type: optional(named({ zh: '岗位类别', en: 'Kind of post' }, text(20))),
    keyword: optional(text(60)),
    /** 1 compares each post with the caller's last answers. */
    fit: optional(flag()),
    /** 1 compares, and leaves out the posts that the answers bar. */
    onlyFit: optional(flag()),
  }),
  output: pageOf(postShown),
  tx: 'own',
})
const postLeaf = Type.Object({
  value: Type.String(),
  label: Type.String(),
  planNum: Type.Integer(),
  curNum: Type.Integer(),
  postState: Type.Integer(),
})
export const postTree = defineRoute({
  method: 'GET',
  path: '/blade-exam/examination/getAllTypeCode',
  access: { signedIn: true, because: 'the posts of a released examination are announced; drafts are for staff' },
  input: strict({ examId: id() }),
  output: Type.Array(
    Type.Object({
      value: Type.String(),
      label: Type.String(),
      children: Type.Array(Type.Object({ value: Type.String(), label: Type.String(), children: Type.Array(postLeaf) })),
    }),
  ),
  tx: 'read',
  means: 'units, categories and posts for a cascader; the ETag follows the last change of a post',
})

/** Whom an examination may be given to, for its form. */
export const examOwners = defineRoute({
  method: 'GET',
  path: '/blade-exam/examination/getOwners',
  access: { staff: ['examination_add', 'examination_edit'] },
  input: strict({}),
  output: Type.Object({
    departments: Type.Array(Type.Object({ id: Type.String(), parentId: Type.String(), title: Type.String(), level: Type.Integer() })),
    managers: Type.Array(Type.Object({ id: Type.String(), name: Type.String(), account: Type.String() })),
    mayLeaveOpen: Type.Boolean(),
  }),
  tx: 'read',
})

/** Of all examinations of the tenant: a number that another department has is not offered to be refused. */
export const freeExamNo = defineRoute({
  method: 'GET',
  path: '/blade-exam/examination/freeNo',
  access: { staff: 'examination_add' },
  input: strict({ year: int(2000, 2099) }),
  output: Type.Object({ examNo: nullable(Type.Integer()) }),
  tx: 'own',
  means: 'the number in the year that a new examination may have; null when all 99 are taken',
})

export const dictCodes = defineRoute({
  method: 'GET',
  path: '/blade-items/items/getAllDictCodeBiz',
  access: { staff: 'items_view' },
  input: strict({}),
  output: Type.Array(Type.Object({ code: Type.String(), name: Type.String() })),
  tx: 'read',
})
export const changeItemStatus = defineRoute({
  method: 'POST',
  path: '/blade-items/items/changeStatus',
  access: { staff: 'items_edit' },
  input: strict({ id: id(), status: int(0, 1) }),
  output: Type.Object({ id: Type.String(), status: Type.Integer() }),
})

export const examRoutes = [
  pageExams,
  exportExams,
  examOwners,
  freeExamNo,
  examById,
  submitExam,
  removeExams,
  releaseExam,
  closeExam,
  examPapers,
  posts,
  postTree,
  dictCodes,
  changeItemStatus,
  importTypeCode,
] as const satisfies readonly Route[]
