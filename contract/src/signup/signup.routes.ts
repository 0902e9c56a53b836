import { Type } from 'typebox'
import { sure } from '../kernel/asking.ts'
import { pageInput, pageOf } from '../kernel/page.ts'
import { defineRoute } from '../kernel/route.ts'
import { dictionary, flag, id, ids, int, named, nullable, optional, strict, text } from '../kernel/schema.ts'
import { maxUnheard } from './draft-merge.ts'
import { examCard, examShown, fileShown, formGroup, judgedShown, nextAction, requiredFile, signupView } from './signup.shapes.ts'

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
      /** Where the sign-up stands whose post was cancelled (domain 3.7). */
      reductionState: Type.Integer(),
      signVersion: Type.Integer(),
      submitTime: nullable(Type.String()),
      ticketReleased: Type.Boolean(),
      scoreReleased: Type.Boolean(),
      /** Results that were published are being checked again. */
      scoreInCheck: Type.Boolean(),
      canWithdraw: Type.Boolean(),
      /** A sign-up that waits may be changed and handed in once more at this moment. */
      canEdit: Type.Boolean(),
      /** Changes saved beside what was handed in. */
      unsent: nullable(Type.Object({ count: Type.Integer(), savedAt: Type.String() })),
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
  // Opens the form: the first step of a sign-up, and the heaviest read of it.
  rank: 'arrive',
  input: strict({ examId: id() }),
  output: Type.Object({
    exam: examShown,
    items: Type.Array(formGroup),
    /** No field of the form asks for the place the region means, so the first step does. */
    asksRegion: Type.Boolean(),
    files: Type.Array(requiredFile),
    signup: nullable(signupView),
    draft: nullable(Type.Unknown()),
    /** Changes beside what was handed in: labels of those that may be handed in when the form may, and of those that may not. */
    unsent: nullable(Type.Object({ savedAt: Type.String(), labels: Type.Array(Type.String()), locked: Type.Array(Type.String()) })),
    /** Counts the saves of the kept form. */
    draftVersion: Type.Integer(),
    /** When a draft was last saved, from whichever device. */
    savedAt: nullable(Type.String()),
    /** The kept form against the conditions of both choices, as a save answers it. */
    judged: Type.Object(judgedShown),
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

const maxVersion = 2_147_483_647
const partBytes = 10_240 * 1024
/** What a form says: place, posts, answers, and the file ids of earlier uploads by file key. */
const formInput = {
  province: optional(text(6)),
  city: optional(text(6)),
  area: optional(text(6)),
  code: optional(named({ zh: '岗位代码', en: 'Post code' }, text(20))),
  code2: optional(named({ zh: '第二志愿岗位代码', en: 'Code of the second post' }, text(20))),
  content: optional(dictionary(Type.Unknown())),
  fileIds: optional(dictionary(Type.Array(id(), { maxItems: 10 }))),
  signatureFileId: optional(id()),
} as const
export const submitSignup = defineRoute({
  method: 'POST',
  path: '/blade-signup/signup/submit',
  keepsPlace: true,
  access: { candidate: 'own' },
  input: strict({
    id: optional(id()),
    examId: id(),
    ...formInput,
    type: optional(named({ zh: '岗位类别', en: 'Kind of post' }, text(20))),
    unit: optional(text(20)),
    type2: optional(named({ zh: '第二志愿岗位类别', en: 'Kind of the second post' }, text(20))),
    unit2: optional(named({ zh: '第二志愿单位', en: 'Unit of the second post' }, text(20))),
    submitType: optional(flag()),
    promise: optional(flag()),
    appeal: optional(flag()),
    /** Told which conditions are not met, the candidate wants a person to decide; bounds of age and sex stay. */
    insist: optional(named({ zh: '请审核人员判断', en: 'Let a person decide' }, flag())),
    sure: optional(sure()),
    adjust: optional(flag()),
    /** Confirmed before the end of the window (`intend`): the tokens of its files, by file key. They may follow ten minutes later. */
    intent: optional(
      named({ zh: '截止前确认的材料', en: 'Files confirmed before the end' }, dictionary(Type.Array(text(70), { maxItems: 10 }))),
    ),
    signVersion: optional(int(0, 100_000)),
    /** Which fields this device has changed since it last heard of the kept form; without it a save means the whole form. */
    draft: optional(
      strict({
        /** `draftVersion` the device last heard of. */
        seen: int(0, maxVersion),
        /** By item key, `file:<fileKey>`, `signup.post`, `signup.post2` and `signup.region`: when, in ms since 1970, and on which `draftVersion`. */
        edits: dictionary(
          strict({
            at: int(0, Number.MAX_SAFE_INTEGER),
            base: int(0, maxVersion),
            was: optional(Type.Array(int(0, Number.MAX_SAFE_INTEGER), { maxItems: maxUnheard })),
          }),
        ),
      }),
    ),
  }),
  output: Type.Object({
    id: Type.String(),
    examine: Type.Integer(),
    signNo: nullable(Type.String()),
    signVersion: Type.Integer(),
    ...judgedShown,
    /** Ids of the papers that people of the post sit, once the form is handed in (`exam.examItems`). */
    papers: Type.Array(Type.String()),
    /** What the post costs, in words, once the form is handed in. */
    feeText: nullable(Type.String()),
    draftVersion: Type.Integer(),
    /** Fields that another device has changed to something else since: what it saved stands until the candidate chooses. */
    conflicts: Type.Array(Type.Object({ key: Type.String(), at: Type.Integer() })),
    /** The kept form as other devices have left it; null where the sender has heard of every save. */
    draft: nullable(Type.Unknown()),
    savedAt: Type.String(),
  }),
  files: [{ name: 'file_*', maxBytes: partBytes, maxCount: 30 }],
  tx: 'own',
  keyed: 'own',
})
/** Where a block of the registration form is filled in: the post, or the field of this key. */
const sheetField = { field: Type.String() } as const
export const formSheet = defineRoute({
  method: 'POST',
  path: '/blade-signup/signup/formSheet',
  access: { candidate: 'own' },
  /** Without `content`: as it was handed in. */
  input: strict({ examId: id(), ...formInput }),
  output: Type.Object({
    examName: Type.String(),
    title: Type.String(),
    /** Says that this is not handed in; null of what was. */
    mark: nullable(Type.String()),
    numberLabel: Type.String(),
    signNo: Type.String(),
    dateText: Type.String(),
    photoLabel: Type.String(),
    /** Links to the pictures. */
    photo: nullable(Type.String()),
    blocks: Type.Array(
      Type.Union([
        Type.Object({
          ...sheetField,
          kind: Type.Literal('pairs'),
          title: Type.String(),
          pairs: Type.Array(Type.Object({ label: Type.String(), value: Type.String(), isWide: Type.Boolean() })),
        }),
        Type.Object({
          ...sheetField,
          kind: Type.Literal('table'),
          title: Type.String(),
          heads: Type.Array(Type.String()),
          rows: Type.Array(Type.Array(Type.String())),
        }),
      ]),
    ),
    undertaking: Type.Object({
      title: Type.String(),
      text: Type.String(),
      signLabel: Type.String(),
      signature: nullable(Type.String()),
      dateLabel: Type.String(),
      date: Type.String(),
    }),
    opinions: Type.Array(
      Type.Object({
        title: Type.String(),
        text: Type.String(),
        signLabel: Type.String(),
        name: Type.String(),
        dateLabel: Type.String(),
        date: Type.String(),
      }),
    ),
  }),
  tx: 'own',
  means: 'one’s registration form as it would be printed, of what is sent or of what was handed in; nothing is kept',
})
export const intend = defineRoute({
  method: 'POST',
  path: '/blade-signup/signup/intend',
  keepsPlace: true,
  access: { candidate: 'own' },
  input: strict({
    examId: id(),
    digest: named({ zh: '摘要', en: 'Digest' }, text(64, { minLength: 64 })),
  }),
  output: Type.Object({ receivedAt: Type.String(), until: Type.String() }),
  means: 'confirms a form by its digest before the window ends: the same form may then deliver its files until ten minutes after the end',
})
/** What of one's own sign-ups will be erased, and when. */
export const ownErasures = defineRoute({
  method: 'GET',
  path: '/me/erasures',
  access: { candidate: 'own' },
  input: strict({}),
  output: Type.Array(
    Type.Object({
      signupId: Type.String(),
      examName: Type.String(),
      /** What goes, in words. */
      what: Type.String(),
      /** How many days after the examination was closed. */
      days: Type.Integer(),
      /** The day; null while the examination is not closed. */
      on: nullable(Type.String()),
    }),
  ),
  tx: 'read',
  means: 'what of one’s own sign-ups will be erased, and when',
})
export const dropDraft = defineRoute({
  method: 'POST',
  path: '/blade-signup/signup/dropDraft',
  access: { candidate: 'own' },
  input: strict({ examId: id() }),
  output: Type.Object({ dropped: Type.Boolean() }),
  means: 'lets changes go that were saved after the sign-up was handed in; what was handed in stays',
})
export const removeSignup = defineRoute({
  method: 'POST',
  path: '/blade-signup/signup/remove',
  access: { candidate: 'own' },
  input: strict({ ids: ids() }),
  several: 'each',
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
  formSheet,
  intend,
  ownErasures,
  dropDraft,
  removeSignup,
] as const
