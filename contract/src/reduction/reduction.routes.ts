import { Type } from 'typebox'
import { sure } from '../kernel/asking.ts'
import { keywordOf, markOf, shows } from '../kernel/field-rule.ts'
import { pageInput, pageOf } from '../kernel/page.ts'
import { defineRoute } from '../kernel/route.ts'
import { flag, id, int, named, nullable, optional, strict, text, time } from '../kernel/schema.ts'
import { signupNoun } from '../signup/signup.noun.ts'

/** Posts that one call decides on. */
const maxRows = 6_000
const postCode = named({ zh: '岗位代码', en: 'Post code' }, text(20, { minLength: 1 }))
const ask = { signupId: named({ zh: '报名', en: 'Sign-up' }, id()) }

/** A decision about a post as it stands. */
const decisionShown = Type.Object({
  id: Type.String(),
  /** 1 reduced, 2 cancelled, 3 merged into another post, 4 kept by approval. */
  action: Type.Integer(),
  beforeNum: Type.Integer(),
  afterNum: Type.Integer(),
  /** Valid sign-ups when it was decided. */
  validCount: Type.Integer(),
  toCodes: Type.Array(Type.String()),
  reason: Type.String(),
  choiceBegin: nullable(Type.String()),
  choiceEnd: nullable(Type.String()),
  /** 0 draft, 1 published, 2 ended. */
  state: Type.Integer(),
  approveFileId: nullable(Type.String()),
  /** Ten minutes long. */
  approveFileUrl: nullable(Type.String()),
  publishedAt: nullable(Type.String()),
  /** People on its list, and those of them who have not chosen. */
  people: Type.Integer(),
  waiting: Type.Integer(),
})

export const reductionList = defineRoute({
  method: 'GET',
  path: '/blade-signup/signup/getPostReductionList',
  access: { staff: 'reduction_view' },
  input: strict({
    examId: id(),
    unit: optional(text(20)),
    /** All posts; otherwise those below the ratio and those decided on. */
    all: optional(flag()),
  }),
  output: Type.Object({
    examState: Type.Integer(),
    /** From when on numbers stand, and whether that is now. */
    decidesFrom: nullable(Type.String()),
    canDecide: Type.Boolean(),
    /** A paper has begun: posts are reduced before that. */
    hasBegun: Type.Boolean(),
    /** Sign-ups that no review has ended for yet. */
    unreviewed: Type.Integer(),
    /** The window for transfers of the examination, as a beginning. */
    adjustBegin: nullable(Type.String()),
    adjustEnd: nullable(Type.String()),
    /** Valid are 1 those who passed, 2 those of them who have paid or need not. */
    ratioBasis: Type.Integer(),
    posts: Type.Array(
      Type.Object({
        code: Type.String(),
        codeName: Type.String(),
        unit: Type.String(),
        unitName: Type.String(),
        typeName: Type.String(),
        planNum: Type.Integer(),
        curNum: Type.Integer(),
        postState: Type.Integer(),
        ratio: Type.Integer(),
        valid: Type.Integer(),
        /** Those who may still become valid: under review or to be corrected, and, where payment counts, passed and not paid. */
        pending: Type.Integer(),
        /** What the rule makes of it: 0 nothing, 1 reduce, 2 cancel. */
        proposal: Type.Integer(),
        proposedNum: Type.Integer(),
        decision: nullable(decisionShown),
      }),
    ),
  }),
  tx: 'read',
  means: 'posts below the ratio with what the rule proposes, and what was decided',
})

export const saveReductions = defineRoute({
  method: 'POST',
  path: '/blade-signup/signup/savePostReductionInfoByExamId',
  access: { staff: 'reduction_edit' },
  input: strict({
    examId: id(),
    rows: named(
      { zh: '岗位决定', en: 'Decisions' },
      Type.Array(
        strict({
          code: postCode,
          action: named({ zh: '决定', en: 'Decision' }, int(1, 4)),
          afterNum: named({ zh: '核减后人数', en: 'Places kept' }, int(0, 999)),
          toCodes: optional(named({ zh: '推荐岗位', en: 'Recommended posts' }, Type.Array(postCode, { maxItems: 20 }))),
          reason: named({ zh: '原因', en: 'Reason' }, text(200)),
          approveFile: optional(named({ zh: '批准文件', en: 'Approval' }, id())),
        }),
        { minItems: 1, maxItems: maxRows },
      ),
    ),
    choiceBegin: optional(named({ zh: '选择开始', en: 'Choice from' }, time())),
    choiceEnd: optional(named({ zh: '选择截止', en: 'Choice until' }, time())),
    publish: optional(named({ zh: '公布', en: 'Publish' }, flag())),
    sure: optional(sure()),
  }),
  output: Type.Object({ saved: Type.Integer(), published: Type.Integer(), joined: Type.Integer(), told: Type.Integer() }),
  means: 'keeps decisions about posts, or publishes them: a cancelled post puts its people on the list and tells them',
})

export const reductionNames = defineRoute({
  method: 'GET',
  path: '/blade-signup/signup/postReductionNamePage',
  access: { staff: 'reduction_view' },
  input: strict({
    ...pageInput,
    examId: id(),
    code: optional(postCode),
    choice: optional(named({ zh: '选择', en: 'Choice' }, int(0, 4))),
    state: optional(named({ zh: '状态', en: 'State' }, int(0, 4))),
    keyword: optional(keywordOf([markOf(signupNoun, 'name')], text(60))),
  }),
  output: pageOf(
    Type.Object({
      id: Type.String(),
      reductionId: Type.String(),
      signupId: Type.String(),
      signNo: nullable(Type.String()),
      name: shows(signupNoun, 'name', Type.String()),
      fromCode: Type.String(),
      fromName: Type.String(),
      unitName: Type.String(),
      /** 1 with the publication, 2 by hand. */
      joinWay: Type.Integer(),
      choice: Type.Integer(),
      choiceTime: nullable(Type.String()),
      toCode: nullable(Type.String()),
      toName: nullable(Type.String()),
      toUnitName: nullable(Type.String()),
      state: Type.Integer(),
      payState: Type.Integer(),
      /** When the person confirmed that the message has arrived. */
      sureTime: nullable(Type.String()),
      choiceEnd: Type.String(),
    }),
  ),
  tx: 'read',
})

export const joinReduction = defineRoute({
  method: 'POST',
  path: '/blade-signup/signup/joinPostReductionNameList',
  access: { staff: 'reduction_edit' },
  input: strict({
    signupIds: named({ zh: '报名', en: 'Sign-ups' }, Type.Array(id(), { minItems: 1, maxItems: 200 })),
    reductionId: named({ zh: '岗位核减', en: 'Reduction' }, id()),
  }),
  output: Type.Object({
    joined: Type.Integer(),
    /** Those who are on a list already, or who are not of this post. */
    ignored: Type.Array(Type.Object({ signupId: Type.String(), reason: Type.String() })),
  }),
})

export const removeFromReduction = defineRoute({
  method: 'POST',
  path: '/blade-signup/signup/removeNameList',
  access: { staff: 'reduction_edit' },
  input: strict({ ...ask, reason: named({ zh: '原因', en: 'Reason' }, text(200, { minLength: 1 })) }),
  output: Type.Object({ state: Type.Integer() }),
})

const checkShown = Type.Object({ rule: Type.String(), label: Type.String(), result: Type.String(), msg: Type.String() })

export const ownReduction = defineRoute({
  method: 'GET',
  path: '/blade-signup/signup/getPostReductionInfo',
  access: { staff: 'reduction_view', candidate: 'own' },
  input: strict(ask),
  output: nullable(
    Type.Object({
      examId: Type.String(),
      examName: Type.String(),
      /** Of the examination's office. */
      hotline: Type.String(),
      reduction: Type.Object({
        id: Type.String(),
        action: Type.Integer(),
        code: Type.String(),
        codeName: Type.String(),
        unitName: Type.String(),
        reason: Type.String(),
      }),
      row: Type.Object({
        choice: Type.Integer(),
        state: Type.Integer(),
        toCode: nullable(Type.String()),
        toName: nullable(Type.String()),
        choiceTime: nullable(Type.String()),
        /** What the review said when it refused the post that was chosen. */
        remark: nullable(Type.String()),
      }),
      targets: Type.Array(
        Type.Object({
          code: Type.String(),
          codeName: Type.String(),
          unitName: Type.String(),
          curNum: Type.Integer(),
          isRecommended: Type.Boolean(),
          /** ok, warn = a reviewer has to look, no = cannot be chosen. */
          match: Type.String(),
          /** Why it cannot be chosen, or what a reviewer will look at. */
          checks: Type.Array(checkShown),
          /** In fen: more is to be paid after the review, less comes back. */
          feeDifference: Type.Integer(),
        }),
      ),
      /** What comes back whoever chooses it, in fen. */
      refundAmount: Type.Integer(),
      choiceBegin: Type.String(),
      choiceEnd: Type.String(),
      canChoose: Type.Boolean(),
      reason: nullable(Type.String()),
      serverTime: Type.String(),
    }),
  ),
  tx: 'own',
})

export const chooseReduction = defineRoute({
  method: 'POST',
  path: '/blade-signup/signup/savePostReductionInfo',
  access: { candidate: 'own' },
  input: strict({
    ...ask,
    choice: named({ zh: '选择', en: 'Choice' }, int(1, 2)),
    toCode: optional(named({ zh: '改报岗位', en: 'Post chosen' }, text(20))),
  }),
  output: Type.Object({ choice: Type.Integer(), state: Type.Integer(), examine: Type.Integer(), toCode: nullable(Type.String()) }),
  tx: 'own',
  means: 'chooses another post (1) or the money back (2) for a sign-up whose post is cancelled',
})

export const reductionRoutes = [
  reductionList,
  saveReductions,
  reductionNames,
  joinReduction,
  removeFromReduction,
  ownReduction,
  chooseReduction,
] as const
