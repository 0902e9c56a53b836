import { Type } from 'typebox'
import { markOf, searches, shows, showsWhole } from '../kernel/field-rule.ts'
import type { Label } from '../kernel/label.ts'
import { pageInput, pageOf } from '../kernel/page.ts'
import { defineRoute } from '../kernel/route.ts'
import { id, int, named, nullable, optional, strict, text } from '../kernel/schema.ts'
import { userNoun } from '../organisation/user.noun.ts'
import { mostAppealProofs } from './appeal.state.ts'

/**
 * What somebody appeals against: an id number that is registered already (`account`), a phone that is (`phone`), an id number that another account or
 * sign-up holds while they have an account (`number`), a phone they no longer have (`lostPhone`).
 */
export const appealKinds = ['account', 'phone', 'number', 'lostPhone'] as const
export type AppealKind = (typeof appealKinds)[number]
export const appealKindLabels: Readonly<Record<AppealKind, Label>> = {
  account: { zh: '证件号已被注册', en: 'Id number registered already' },
  phone: { zh: '手机号已被注册', en: 'Mobile number registered already' },
  number: { zh: '证件号已被他人使用', en: 'Id number used by somebody else' },
  lostPhone: { zh: '手机号不用了', en: 'Phone no longer in use' },
}

const proofBytes = 5 * 1024 * 1024

/** Where an appeal is written; the key opens it to whoever was given it. */
export const appealPlace = Type.Object({ no: Type.String(), key: Type.String(), link: Type.String() })

const opened = { no: text(20), key: text(80) } as const

const own = Type.Object({
  no: Type.String(),
  kind: Type.Enum(appealKinds),
  state: Type.Integer(),
  /** What staff answered. */
  remark: Type.String(),
  /** With their middle hidden. */
  idCardMask: Type.String(),
  phoneMask: Type.String(),
  needsName: Type.Boolean(),
})

/** Somebody who no longer has the phone of their account begins: a code proves the phone they have now. Answered alike whoever has an account. */
export const beginLostPhone = defineRoute({
  method: 'POST',
  path: '/blade-userappeal/userappeal/lostPhone',
  access: { public: true, because: 'whoever lost the phone of their account cannot log in' },
  input: strict({
    ...{ realName: text(60), idCard: text(1100), phone: text(1100), smsId: text(60), smsCode: text(10) },
    /** `4` for a passport, with the country that issued it (ISO 3166-1 alpha-3). */
    ...{ idCardType: optional(text(4)), nationality: optional(text(3)) },
  }),
  output: appealPlace,
  tx: 'own',
})

export const appealState = defineRoute({
  method: 'GET',
  path: '/blade-userappeal/userappeal/state',
  // It tells of one person.
  rank: 'within',
  access: { public: true, because: 'the key of the appeal opens it; whoever appeals may have no account' },
  input: strict(opened),
  output: own,
  tx: 'own',
})

/** Reasons and proofs; once. */
export const sendAppeal = defineRoute({
  method: 'POST',
  path: '/blade-userappeal/userappeal/send',
  access: { public: true, because: 'the key of the appeal opens it; whoever appeals may have no account' },
  input: strict({ ...opened, realName: optional(text(60)), reason: text(500) }),
  output: own,
  files: [{ name: 'proof', maxBytes: proofBytes, maxCount: mostAppealProofs }],
  tx: 'own',
})

const columns = {
  id: Type.String(),
  no: Type.String(),
  kind: Type.Enum(appealKinds),
  state: Type.Integer(),
  realName: shows(userNoun, 'realName', Type.String()),
  idCardMask: shows(userNoun, 'idCard', Type.String()),
  phoneMask: shows(userNoun, 'phone', Type.String()),
  reason: Type.String(),
  remark: Type.String(),
  createTime: Type.String(),
  checkTime: nullable(Type.String()),
  checkUser: shows(userNoun, 'realName', nullable(Type.String())),
  /** Who agreed first, while another person's word or the waiting time is to come; when it takes effect, once both have agreed. */
  firstUser: shows(userNoun, 'realName', nullable(Type.String())),
  applyTime: nullable(Type.String()),
}
const row = Type.Object(columns)

export const appeals = defineRoute({
  method: 'GET',
  path: '/blade-userappeal/userappeal/list',
  access: { staff: 'userappeal_view' },
  input: strict({
    ...pageInput,
    state: optional(int(1, 3)),
    kind: optional(named({ zh: '申诉类别', en: 'Kind of appeal' }, Type.Enum(appealKinds))),
    keyword: optional(searches([markOf(userNoun, 'realName')], text(60))),
  }),
  output: pageOf(row),
  tx: 'read',
  means: 'appeals of people whose number somebody else holds',
})

/** One appeal beside its proofs and whoever holds the number now. */
export const appealDetail = defineRoute({
  method: 'GET',
  path: '/blade-userappeal/userappeal/detail',
  access: { staff: 'userappeal_edit' },
  input: strict({ id: id() }),
  output: Type.Object({
    ...columns,
    /** In full, to be compared with the proofs. */
    idCard: shows(userNoun, 'idCard', Type.String()),
    /** Accounts that an approval changes. */
    holders: Type.Array(
      Type.Object({
        userId: Type.String(),
        account: Type.String(),
        realName: shows(userNoun, 'realName', Type.String()),
        idCardMask: shows(userNoun, 'idCard', Type.String()),
        phoneMask: shows(userNoun, 'phone', Type.String()),
        registered: Type.String(),
      }),
    ),
    /** Sign-ups of others with this id number that an approval takes back. */
    signups: Type.Array(
      Type.Object({ signNo: Type.String(), examName: Type.String(), realName: shows(userNoun, 'realName', Type.String()) }),
    ),
    proofs: Type.Array(
      Type.Object({
        fileId: Type.String(),
        name: Type.String(),
        mime: Type.String(),
        link: showsWhole(userNoun, 'idCard', Type.String()),
      }),
    ),
  }),
  tx: 'own',
})

/** `state` 2 upheld, by two persons one after the other, or 3 refused, which needs a `remark`. */
export const decideAppeal = defineRoute({
  method: 'POST',
  path: '/blade-userappeal/userappeal/decide',
  access: { staff: 'userappeal_edit' },
  input: strict({
    ...{ id: id(), state: int(2, 3), remark: optional(text(200)) },
    /** What the appellant showed in person: nobody waits then. */
    document: optional(named({ zh: '当面出示的证件', en: 'Document shown in person' }, text(200))),
  }),
  output: row,
  tx: 'own',
  means: 'decide on an appeal about a number',
})

export const appealRoutes = [beginLostPhone, appealState, sendAppeal, appeals, appealDetail, decideAppeal] as const
