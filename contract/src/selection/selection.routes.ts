import { Type } from 'typebox'
import { sure } from '../kernel/asking.ts'
import { exportJobView } from '../kernel/export-job.ts'
import { keywordOf, markOf, shows } from '../kernel/field-rule.ts'
import { pageInput, pageOf } from '../kernel/page.ts'
import { defineRoute } from '../kernel/route.ts'
import { day, flag, id, ids, int, named, nullable, optional, strict, text, time } from '../kernel/schema.ts'
import { userNoun } from '../organisation/user.noun.ts'
import { resultNoun } from '../result/result.noun.ts'
import { answerFiles, confirmInput, heard, noteInput } from '../signup/hearing.ts'
import { signupNoun } from '../signup/signup.noun.ts'
import { advisement, fileRuled } from '../signup/signup.shapes.ts'

const [S, I] = [Type.String(), Type.Integer()]
const name = () => shows(signupNoun, 'name', S)
const score = () => shows(resultNoun, 'score', nullable(S))
const rank = () => shows(resultNoun, 'score', nullable(I))

const adviceText = text(200, { minLength: 1, 'x-label': { zh: '需补充的内容', en: 'What to hand in' } })

const postFilter = {
  examId: id(),
  unit: optional(text(20)),
  code: optional(named({ zh: '岗位代码', en: 'Post code' }, text(20))),
  keyword: optional(keywordOf([markOf(signupNoun, 'name')], text(50))),
}
const person = {
  signupId: S,
  signNo: nullable(S),
  name: name(),
  unit: nullable(S),
  unitName: nullable(S),
  code: nullable(S),
  codeName: nullable(S),
}

/** A call to a person, and what proves that they were told (amendment A13). */
const callView = Type.Object({
  id: S,
  /** 1 on the list at first, 2 moved up. */
  kind: I,
  stage: I,
  /** 0 waiting, 1 takes part, 2 gave up, 3 not answered in time, 4 dealt with. */
  state: I,
  deadline: S,
  answerTime: nullable(S),
  callTime: S,
  /** When the person read or confirmed the message. */
  receiptTime: nullable(S),
  /** Of the text message: 0 waiting, 1 sent, 2 arrived, 3 failed; null = none was sent. */
  sms: nullable(I),
  contacts: Type.Array(Type.Object({ outcome: I, note: nullable(S), byName: shows(userNoun, 'realName', S), time: S })),
  proven: Type.Boolean(),
})

const recheckRow = Type.Object({
  ...person,
  rank: rank(),
  score: score(),
  /** Both as they were when the person was called; a correction of a score since then makes them differ. */
  calledRank: rank(),
  calledScore: score(),
  /** 1: in the re-review, and by a correction since not on the shortlist any more. */
  off: I,
  /** 1 on the list, 2 moved up, 3 out. */
  shortlist: I,
  reviewState: I,
  reviewRemark: nullable(S),
  reviewTime: nullable(S),
  callState: nullable(I),
  deadline: nullable(S),
  fileCount: I,
  /** Whether this caller may decide; else why not. */
  mayDecide: Type.Boolean(),
})

const reviewFilter = {
  ...postFilter,
  reviewState: optional(named({ zh: '复审状态', en: 'State of the re-review' }, int(1, 5))),
  /** What the person last answered to being called to the re-review. */
  callState: optional(named({ zh: '是否确认', en: 'Answer' }, int(0, 4))),
}

export const recheckList = defineRoute({
  method: 'GET',
  path: '/blade-signup/selection/recheckList',
  access: { staff: 'recheck_view' },
  input: strict({ ...pageInput, ...reviewFilter }),
  output: pageOf(recheckRow),
  tx: 'read',
  means: 'people who were called to the re-review',
})

export const recheckInfo = defineRoute({
  method: 'GET',
  path: '/blade-signup/selection/recheckInfo',
  access: { staff: 'recheck_view' },
  input: strict({ signUpId: id() }),
  output: Type.Object({
    ...recheckRow.properties,
    refusal: nullable(S),
    /** What the examination asks for at the re-review, each with what was handed in. */
    files: Type.Array(Type.Object({ fileKey: S, fileLabel: S, required: I, uploads: Type.Array(fileRuled) })),
    advisements: Type.Array(Type.Object({ label: S, advice: S })),
    calls: Type.Array(callView),
    records: Type.Array(Type.Object({ level: I, result: I, remark: nullable(S), examinerName: shows(userNoun, 'realName', S), time: S })),
    stage: I,
  }),
  means: 'one person of the re-review: papers, calls, decisions',
})

/** Calls everybody on the shortlist who was not called yet. `dryRun` answers who that is and changes nothing. */
export const startRecheck = defineRoute({
  method: 'POST',
  path: '/blade-signup/selection/startRecheck',
  access: { staff: 'recheck_start' },
  input: strict({ examId: id(), deadline: optional(time()), dryRun: optional(flag()) }),
  output: Type.Object({
    people: I,
    /** People who were called and, after a correction of results, are not on the shortlist any more: the office decides. */
    off: I,
    deadline: S,
    posts: Type.Array(Type.Object({ code: S, codeName: S, places: I, called: I, now: I })),
  }),
  means: 'calls the people of the shortlist to the re-review, each with a message they have to answer',
})

/** 1 passed, 2 more papers, 3 not passed, 4 gave up (domain 4.3). 3 and 4 call the next in rank. */
export const reviewInfo = defineRoute({
  method: 'POST',
  path: '/blade-signup/examine/reviewInfo',
  access: { staff: 'recheck_decide' },
  input: strict({
    signUpId: id(),
    examineResult: int(1, 4),
    remark: optional(text(500)),
    advisementList: optional(Type.Array(strict({ ...advisement.properties, advice: adviceText }), { maxItems: 50 })),
  }),
  output: Type.Object({ reviewState: I, nextId: nullable(S), substitutes: I }),
  means: 'decides on a person of the re-review',
})

/** An objection of somebody who was disqualified seems founded: proposed here, decided by another person. */
export const proposeRestore = defineRoute({
  method: 'POST',
  path: '/blade-signup/selection/proposeRestore',
  access: { staff: 'recheck_restore' },
  input: strict({ signUpId: id(), reason: named({ zh: '异议及理由', en: 'Objection and reasons' }, text(500, { minLength: 2 })) }),
  output: Type.Object({ id: S, state: I }),
  means: 'proposes to restore a sign-up that was disqualified',
})

/** Restored (1): passed again, back in the re-review, a free seat in every paper that is still to come. Or not (2). */
export const decideRestore = defineRoute({
  method: 'POST',
  path: '/blade-signup/selection/decideRestore',
  access: { staff: 'recheck_uphold' },
  input: strict({
    id: id(),
    outcome: named({ zh: '决定', en: 'Decision' }, Type.Union([Type.Literal(1), Type.Literal(2)])),
    decision: named({ zh: '决定理由', en: 'Reasons' }, text(500, { minLength: 2 })),
  }),
  output: Type.Object({ id: S, state: I, seats: I }),
  means: 'decides whether a disqualified sign-up is restored',
})

/**
 * Disqualified (1), or not (2): after the person answered or the days to answer are over, by somebody else than who proposed it at level 4 of
 * `examine` (domain 4.2, 5 → 7; amendment A8). What was said otherwise than in the account is noted with when and how it was heard.
 */
export const decideDisqualify = defineRoute({
  method: 'POST',
  path: '/blade-signup/selection/decideDisqualify',
  access: { staff: 'recheck_uphold' },
  input: strict({
    id: id(),
    outcome: named({ zh: '决定', en: 'Decision' }, Type.Union([Type.Literal(1), Type.Literal(2)])),
    statement: optional(named({ zh: '本人陈述申辩', en: 'What the person answered' }, text(1_000))),
    /** 1 in writing, 2 by telephone, 3 in person; with the time it is asked of whoever notes an answer. One given in the account stays. */
    statementWay: optional(named({ zh: '陈述方式', en: 'How the person answered' }, int(1, 3))),
    statementTime: optional(named({ zh: '陈述时间', en: 'When the person answered' }, time())),
    decision: named({ zh: '决定理由', en: 'Reasons' }, text(500, { minLength: 2 })),
  }),
  output: Type.Object({ id: S, state: I, substitutes: I }),
  means: 'decides whether a sign-up that has passed is disqualified',
})

/** Whoever is proposed to be disqualified answers, and may answer anew until it is decided. */
export const answerProposal = defineRoute({
  method: 'POST',
  path: '/blade-signup/selection/answerProposal',
  access: { candidate: 'own' },
  input: strict({ id: id(), statement: named({ zh: '陈述申辩', en: 'Your answer' }, text(1_000, { minLength: 2 })) }),
  files: answerFiles,
  output: Type.Object({ id: S, statedTime: S }),
  tx: 'own',
  means: 'answers to a proposal to disqualify the own sign-up',
})

const noted = Type.Object({ id: S, confirmed: nullable(S) })

/** What the person said otherwise than in the account, as staff note it; a code that confirms it goes to the person's phone. */
export const noteStatement = defineRoute({
  method: 'POST',
  path: '/blade-signup/selection/noteStatement',
  access: { staff: 'recheck_uphold' },
  input: strict(noteInput),
  output: noted,
  means: 'notes what somebody said to a proposal to disqualify them',
})

/** The noted statement is the person's: by the code of their phone, or by a signed paper that a second official has seen. */
export const confirmStatement = defineRoute({
  method: 'POST',
  path: '/blade-signup/selection/confirmStatement',
  access: { staff: 'recheck_uphold' },
  input: strict(confirmInput),
  output: noted,
  // A wrong code is counted although the call is refused.
  tx: 'own',
  means: 'confirms a noted statement by a code or a signed paper',
})

/** Proposals to disqualify own sign-ups and what became of them, the newest first. */
export const ownProposals = defineRoute({
  method: 'GET',
  path: '/blade-signup/selection/ownProposals',
  access: { candidate: 'own' },
  input: strict({}),
  output: Type.Array(
    Type.Object({
      id: S,
      examId: S,
      examName: S,
      contactPhone: S,
      /** 0 waits, 1 disqualified, 2 not. */
      state: I,
      reason: S,
      time: S,
      answerUntil: S,
      ...heard,
      /** When the person answered, in the account or as noted. */
      statedTime: nullable(S),
      decision: nullable(S),
      decidedTime: nullable(S),
    }),
  ),
  tx: 'own',
  means: 'proposals to disqualify own sign-ups',
})

const proposal = {
  id: S,
  /** 0 waits, 1 done, 2 not done. */
  state: I,
  reason: S,
  byName: shows(userNoun, 'realName', S),
  time: S,
  decision: nullable(S),
  decidedName: shows(userNoun, 'realName', nullable(S)),
  decidedTime: nullable(S),
}
/** What was proposed about the qualification of one sign-up and what became of it, the newest first. */
export const standing = defineRoute({
  method: 'GET',
  path: '/blade-signup/selection/standing',
  access: { staff: ['examine_correct', 'recheck_view', 'recheck_chain', 'recheck_restore', 'recheck_uphold'] },
  input: strict({ signUpId: id() }),
  output: Type.Object({
    disqualifications: Type.Array(
      Type.Object({
        ...proposal,
        answerUntil: S,
        /** When the person confirmed to have been told; null while they have not. */
        toldTime: nullable(S),
        /** Why the reader cannot disqualify now; null where they can, and of what was decided. */
        bar: nullable(S),
        ...heard,
      }),
    ),
    restorations: Type.Array(Type.Object(proposal)),
    /** Who moved up in this person's place and is still in the re-review: restoring leaves them there. */
    movedUp: Type.Array(name()),
  }),
  tx: 'read',
  means: 'proposals to disqualify and to restore a sign-up',
})

export const noteContact = defineRoute({
  method: 'POST',
  path: '/blade-signup/selection/noteContact',
  access: { staff: ['recheck_decide', 'selection_edit'] },
  input: strict({
    callId: named({ zh: '通知', en: 'Call' }, id()),
    outcome: named({ zh: '联系结果', en: 'Outcome' }, int(1, 4)),
    note: optional(named({ zh: '联系备注', en: 'Note' }, text(200))),
  }),
  output: callView,
  means: 'notes a telephone call to somebody who was called; after the deadline it opens a new one',
})

export const chain = defineRoute({
  method: 'GET',
  path: '/blade-signup/selection/chain',
  access: { staff: ['recheck_chain', 'selection_view'] },
  input: strict({ examId: id(), code: optional(named({ zh: '岗位代码', en: 'Post code' }, text(20))), signUpId: optional(id()) }),
  output: Type.Array(
    Type.Object({
      code: S,
      codeName: S,
      unitName: S,
      steps: Type.Array(
        Type.Object({
          id: S,
          stage: I,
          stageName: S,
          kind: S,
          /** Why the step was taken; without names. */
          text: S,
          name: shows(signupNoun, 'name', nullable(S)),
          /** Whom somebody who moved up stands in for. */
          otherName: shows(signupNoun, 'name', nullable(S)),
          byName: shows(userNoun, 'realName', S),
          time: S,
        }),
      ),
    }),
  ),
  tx: 'read',
  means: 'every step from the shortlist to the hire with its reason, by post',
})

const stageRow = Type.Object({
  ...person,
  rank: rank(),
  total: score(),
  stage: I,
  /** 0 open, 1 passed, 2 not passed, 3 gave up, 4 second check under way, 5 not passed and a second check may be asked for. */
  state: I,
  /** Where somebody left who is out. */
  endedStage: nullable(I),
  /** 1 in the first round, 2 moved up. */
  kind: I,
  date: nullable(S),
  remark: nullable(S),
  until: nullable(S),
  objections: I,
  callId: nullable(S),
  callState: nullable(I),
  callDeadline: nullable(S),
})
const stageFilter = { ...postFilter, stage: optional(named({ zh: '环节', en: 'Stage' }, int(5, 9))) }
export const stageList = defineRoute({
  method: 'GET',
  path: '/blade-signup/selection/stageList',
  access: { staff: 'selection_view' },
  input: strict({ ...pageInput, ...stageFilter }),
  output: Type.Object({ ...pageOf(stageRow).properties, counts: Type.Array(Type.Object({ stage: I, count: I })) }),
  tx: 'read',
  means: 'people from the medical check to the hire',
})

/** As many as a post has places, by total and rank. May run again: what is still free is filled. */
export const openStages = defineRoute({
  method: 'POST',
  path: '/blade-signup/selection/openStages',
  access: { staff: 'selection_edit' },
  input: strict({
    examId: id(),
    /** Chosen by the office among people who share the last rank. */
    picks: optional(named({ zh: '同分人选', en: 'Chosen among equals' }, ids())),
    dryRun: optional(flag()),
  }),
  several: { because: 'the places of one draw among equals' },
  output: Type.Object({
    people: I,
    posts: Type.Array(
      Type.Object({
        code: S,
        codeName: S,
        places: I,
        held: I,
        now: I,
        /** People of one rank for whom there are not places enough. */
        tied: Type.Array(Type.Object({ signupId: S, name: name(), rank: rank(), total: score() })),
      }),
    ),
  }),
  tx: 'own',
  means: 'chooses who enters the medical check',
})

/** Extension of the specification (domain 14.4): outcome of one stage for several people, all or none. */
export const saveStage = defineRoute({
  method: 'POST',
  path: '/blade-signup/signup/saveStage',
  access: { staff: 'selection_edit' },
  input: strict({
    signupIds: named({ zh: '人员', en: 'People' }, ids()),
    stage: named({ zh: '环节', en: 'Stage' }, int(5, 8)),
    result: named({ zh: '结果', en: 'Outcome' }, int(1, 4)),
    remark: optional(text(200)),
    date: optional(named({ zh: '日期', en: 'Date' }, day())),
    sure: optional(sure()),
  }),
  several: { because: 'the sheet of one stage, saved as a whole' },
  output: Type.Object({ saved: I, substitutes: I }),
  means: 'records the outcome of medical check, vetting, publicity or hire',
})

const objectionView = Type.Object({
  id: S,
  signupId: S,
  name: name(),
  code: S,
  content: S,
  source: nullable(S),
  /** 1 open, 2 unfounded, 3 upheld. */
  state: I,
  decision: nullable(S),
  byName: shows(userNoun, 'realName', S),
  time: S,
  decidedName: shows(userNoun, 'realName', nullable(S)),
  decidedTime: nullable(S),
  /** Until when the person may answer; null for objections of before. */
  answerUntil: nullable(S),
  ...heard,
})
export const objections = defineRoute({
  method: 'GET',
  path: '/blade-signup/selection/objections',
  access: { staff: 'selection_view' },
  input: strict({ examId: id() }),
  output: Type.Array(objectionView),
  tx: 'read',
  means: 'objections to people whose list is public',
})
export const addObjection = defineRoute({
  method: 'POST',
  path: '/blade-signup/selection/addObjection',
  access: { staff: 'selection_edit' },
  input: strict({
    signupId: id(),
    content: named({ zh: '异议内容', en: 'Objection' }, text(1_000, { minLength: 1 })),
    source: optional(named({ zh: '反映人及方式', en: 'From whom, and how' }, text(100))),
  }),
  output: Type.Object({ id: S }),
  means: 'records an objection made during the publicity',
})
/** Objections to the caller and what they came to, the newest first. By whom they were made is not said. */
export const ownObjections = defineRoute({
  method: 'GET',
  path: '/blade-signup/objection/own',
  access: { candidate: 'own' },
  input: strict({}),
  output: Type.Array(
    Type.Object({
      id: S,
      examId: S,
      examName: S,
      contactPhone: S,
      /** 0 waits, 1 upheld, 2 unfounded. */
      state: I,
      reason: S,
      time: S,
      answerUntil: S,
      ...heard,
      decision: nullable(S),
      decidedTime: nullable(S),
    }),
  ),
  tx: 'own',
  means: 'objections to the own hire, and what they came to',
})
export const answerObjection = defineRoute({
  method: 'POST',
  path: '/blade-signup/objection/answer',
  access: { candidate: 'own' },
  input: strict({ id: id(), statement: named({ zh: '陈述申辩', en: 'Your answer' }, text(1_000, { minLength: 2 })) }),
  files: answerFiles,
  output: Type.Object({ id: S, statedTime: S }),
  tx: 'own',
  means: 'answers to an objection to the own hire',
})
export const noteObjectionStatement = defineRoute({
  method: 'POST',
  path: '/blade-signup/objection/noteStatement',
  access: { staff: 'selection_edit' },
  input: strict(noteInput),
  output: Type.Object({ id: S, confirmed: nullable(S) }),
  means: 'notes what somebody said to an objection',
})
export const confirmObjectionStatement = defineRoute({
  method: 'POST',
  path: '/blade-signup/objection/confirmStatement',
  access: { staff: 'selection_edit' },
  input: strict(confirmInput),
  output: Type.Object({ id: S, confirmed: nullable(S) }),
  // A wrong code is counted although the call is refused.
  tx: 'own',
  means: 'confirms a noted statement about an objection by a code or a signed paper',
})
export const endObjection = defineRoute({
  method: 'POST',
  path: '/blade-signup/selection/endObjection',
  access: { staff: 'selection_edit' },
  input: strict({
    id: id(),
    state: named({ zh: '核查结论', en: 'Finding' }, int(2, 3)),
    decision: named({ zh: '核查说明', en: 'Reasons' }, text(1_000, { minLength: 1 })),
  }),
  output: Type.Object({ id: S }),
  means:
    'says what an objection came to; that it is right says somebody else than who recorded it, once the person answered or the days are over',
})

/** List of a stage as a workbook: for the hospital, for those who vet, for the file. */
export const exportStage = defineRoute({
  method: 'POST',
  path: '/blade-signup/selection/exportStage',
  access: { staff: 'selection_export' },
  input: strict(stageFilter),
  output: exportJobView,
  answer: 'file',
  tx: 'own',
  also: ['GET /blade-signup/selection/exportStage'],
})
export const exportRecheck = defineRoute({
  method: 'POST',
  path: '/blade-signup/selection/exportRecheck',
  access: { staff: 'recheck_export' },
  input: strict({ ...reviewFilter }),
  output: exportJobView,
  answer: 'file',
  tx: 'own',
  also: ['GET /blade-signup/selection/exportRecheck'],
})

const policy = {
  confirmHours: named({ zh: '确认时限（小时）', en: 'Hours to answer' }, int(1, 720)),
  substitute: named({ zh: '面试后递补', en: 'Substitution after the interview' }, flag()),
  medicalAskDays: named({ zh: '申请复检天数', en: 'Days to ask for a second check' }, int(1, 60)),
  medicalDoneDays: named({ zh: '完成复检工作日', en: 'Working days for a second check' }, int(1, 60)),
  contacts: named({ zh: '电话联系次数', en: 'Telephone calls' }, int(1, 20)),
}
export const readRule = defineRoute({
  method: 'GET',
  path: '/blade-signup/selection/rule',
  access: { staff: ['recheck_view', 'selection_view'] },
  input: strict({ examId: id() }),
  output: Type.Object({ confirmHours: I, substitute: I, medicalAskDays: I, medicalDoneDays: I, contacts: I, publicityDays: I }),
  tx: 'read',
  means: 'deadlines and rules of substitution of an examination',
})
export const saveRule = defineRoute({
  method: 'POST',
  path: '/blade-signup/selection/saveRule',
  access: { staff: 'selection_rule' },
  input: strict({ examId: id(), ...policy }),
  output: Type.Object({ examId: S }),
  means: 'sets deadlines and rules of substitution of an examination',
})

export const endSelection = defineRoute({
  method: 'POST',
  path: '/blade-signup/selection/end',
  access: { staff: 'selection_edit' },
  input: strict({ examId: id(), confirmCode: text(20) }),
  output: Type.Object({ people: I }),
  means: 'ends the recruitment: whoever was not chosen is told so',
})

const ownCall = Type.Object({ id: S, kind: I, stage: I, state: I, deadline: S })
export const ownSelections = defineRoute({
  method: 'GET',
  path: '/blade-signup/selection/mine',
  access: { candidate: 'own' },
  input: strict({}),
  output: Type.Array(
    Type.Object({
      signupId: S,
      examId: S,
      examName: S,
      contactPhone: S,
      unitName: S,
      code: S,
      codeName: S,
      rank: nullable(I),
      kind: I,
      reviewState: I,
      reviewRemark: nullable(S),
      advisements: Type.Array(Type.Object({ label: S, advice: S })),
      stage: I,
      state: I,
      endedStage: nullable(I),
      date: nullable(S),
      remark: nullable(S),
      until: nullable(S),
      call: nullable(ownCall),
      files: Type.Array(
        Type.Object({
          fileKey: S,
          fileLabel: S,
          required: I,
          accept: S,
          maxKb: I,
          maxCount: I,
          help: S,
          uploads: Type.Array(Type.Object({ fileId: S, name: S, sizeBytes: I, link: S })),
        }),
      ),
      mayUpload: Type.Boolean(),
      mayGiveUp: Type.Boolean(),
      mayAskRecheck: Type.Boolean(),
      /** What happens next, and what the person has to do. */
      next: S,
      steps: Type.Array(Type.Object({ text: S, time: S })),
    }),
  ),
  tx: 'own',
  means: 'where a candidate stands from the re-review to the hire',
})
export const answerCall = defineRoute({
  method: 'POST',
  path: '/blade-signup/selection/answer',
  access: { candidate: 'own' },
  input: strict({
    callId: named({ zh: '通知', en: 'Call' }, id()),
    answer: named({ zh: '是否参加', en: 'Takes part' }, int(1, 2)),
    confirm: optional(text(10)),
  }),
  output: Type.Object({ state: I }),
  tx: 'own',
  means: 'confirms or gives up a place one was called to',
})
export const giveUp = defineRoute({
  method: 'POST',
  path: '/blade-signup/selection/giveUp',
  access: { candidate: 'own' },
  input: strict({ signupId: id(), confirm: text(10), remark: optional(text(200)) }),
  output: Type.Object({ stage: I }),
  tx: 'own',
  means: 'gives up a place on the list',
})
export const handIn = defineRoute({
  method: 'POST',
  path: '/blade-signup/selection/handIn',
  access: { candidate: 'own' },
  input: strict({
    signupId: id(),
    /** JSON `{fileKey: [fileId]}` of uploads. */
    fileIds: named({ zh: '复审材料', en: 'Papers' }, text(4_000, { minLength: 2 })),
  }),
  output: Type.Object({ reviewState: I }),
  tx: 'own',
  means: 'hands in papers for the re-review',
})
export const askRecheck = defineRoute({
  method: 'POST',
  path: '/blade-signup/selection/askRecheck',
  access: { candidate: 'own' },
  input: strict({ signupId: id() }),
  output: Type.Object({ until: S }),
  tx: 'own',
  means: 'asks for a second medical check',
})

export const selectionRoutes = [
  recheckList,
  recheckInfo,
  startRecheck,
  reviewInfo,
  proposeRestore,
  decideRestore,
  decideDisqualify,
  standing,
  noteContact,
  chain,
  stageList,
  openStages,
  saveStage,
  objections,
  addObjection,
  endObjection,
  exportStage,
  exportRecheck,
  readRule,
  saveRule,
  endSelection,
  ownSelections,
  answerCall,
  giveUp,
  handIn,
  askRecheck,
  ownProposals,
  answerProposal,
  ownObjections,
  answerObjection,
  noteObjectionStatement,
  confirmObjectionStatement,
  noteStatement,
  confirmStatement,
] as const
