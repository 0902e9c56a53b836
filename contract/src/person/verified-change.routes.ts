import { type TSchema, Type } from 'typebox'
import { type MarksByKey, markOf, searches, shows, showsAbout, showsWhole } from '../kernel/field-rule.ts'
import type { Label } from '../kernel/label.ts'
import { pageInput, pageOf } from '../kernel/page.ts'
import { defineRoute } from '../kernel/route.ts'
import { id, ids, int, named, nullable, optional, strict, text } from '../kernel/schema.ts'
import { userNoun } from '../organisation/user.noun.ts'
import { type VerifiedField, verifiedFields } from './verified-change.state.ts'

export const verifiedFieldLabels: Readonly<Record<VerifiedField, Label>> = {
  name: { zh: '姓名', en: 'Name' },
  idCard: { zh: '证件号码', en: 'Id card number' },
  phone: { zh: '手机号码', en: 'Mobile number' },
}

const field = Type.Enum(verifiedFields)

const marks: MarksByKey = { name: markOf(userNoun, 'realName'), idCard: markOf(userNoun, 'idCard'), phone: markOf(userNoun, 'phone') }
const changed = <T extends TSchema>(schema: T): T => showsAbout('field', ['oldMask', 'newMask', 'newValue'], marks, schema)
/** Proofs are papers with name and number on them. */
const proof = showsWhole(userNoun, 'idCard', Type.String())

const verifiedChangeColumns = {
  id: Type.String(),
  field,
  /** Names are shown whole, numbers with their middle hidden. */
  oldMask: Type.String(),
  newMask: Type.String(),
  reason: Type.String(),
  state: Type.Integer(),
  /** Why it was refused, or what staff add. */
  remark: Type.String(),
  createTime: Type.String(),
  checkTime: nullable(Type.String()),
  proofCount: Type.Integer(),
  /** Who asks and who decided; for staff only. */
  userId: nullable(Type.String()),
  account: nullable(Type.String()),
  realName: shows(userNoun, 'realName', nullable(Type.String())),
  userCode: nullable(Type.String()),
  checkUser: shows(userNoun, 'realName', nullable(Type.String())),
  /** Who agreed first, for staff; when it takes effect, once two persons have agreed. */
  firstUser: shows(userNoun, 'realName', nullable(Type.String())),
  applyTime: nullable(Type.String()),
}
const verifiedChangeRow = changed(Type.Object(verifiedChangeColumns))

/** Requests to change verified data: staff see those of their tenant, a candidate their own. */
export const verifiedChanges = defineRoute({
  method: 'GET',
  path: '/blade-userupdateinfo/userupdateinfo/list',
  access: { staff: 'userupdateinfo_view', candidate: 'own' },
  input: strict({
    ...pageInput,
    state: optional(int(0, 2)),
    field: optional(named({ zh: '修改项目', en: 'What is changed' }, field)),
    keyword: optional(searches([markOf(userNoun, 'realName')], text(60))),
  }),
  output: pageOf(verifiedChangeRow),
  tx: 'read',
  means: 'requests to change verified data',
})

/** One request with its proofs. Staff see the whole new number, which they compare with the proofs; the person can see that they looked. */
export const verifiedChangeDetail = defineRoute({
  method: 'GET',
  path: '/blade-userupdateinfo/userupdateinfo/detail',
  access: { staff: 'userupdateinfo_edit', candidate: 'own' },
  input: strict({ id: id() }),
  output: changed(
    Type.Object({
      ...verifiedChangeColumns,
      newValue: nullable(Type.String()),
      proofs: Type.Array(Type.Object({ fileId: Type.String(), name: Type.String(), mime: Type.String(), link: proof })),
    }),
  ),
  tx: 'own',
})

/** How often within 24 hours an account is told that an id number is somebody else's. */
export const mostTakenAnswers = 3

/**
 * A candidate asks (`field`, `value` SM2-sealed, `reason`, `proofFileIds`; for a phone `smsId` and `smsCode` of the code sent to the new number), one
 * request for each field at a time; staff decide (`id`, `state` 1
 * approved or 2 refused, `remark`, which a refusal needs).
 */
export const submitVerifiedChange = defineRoute({
  method: 'POST',
  path: '/blade-userupdateinfo/userupdateinfo/submit',
  access: { staff: 'userupdateinfo_edit', candidate: 'own' },
  input: strict({
    field: optional(named({ zh: '修改项目', en: 'What is changed' }, field)),
    value: optional(named({ zh: '新内容', en: 'New value' }, text(1100))),
    /** `4` for a passport, with what its number does not say. */
    ...{ idCardType: optional(text(4)), nationality: optional(text(3)), birthday: optional(text(10)), sex: optional(text(1)) },
    reason: optional(text(200)),
    proofFileIds: optional(ids()),
    smsId: optional(text(60)),
    smsCode: optional(text(10)),
    id: optional(id()),
    state: optional(int(1, 2)),
    remark: optional(text(200)),
    /** What the person showed to both who decide: nobody waits then. */
    document: optional(named({ zh: '当面出示的证件', en: 'Document shown in person' }, text(200))),
  }),
  several: { because: 'the proofs of one request' },
  output: verifiedChangeRow,
  tx: 'own',
  means: 'ask for a change of verified data, or decide on one',
})

/** The candidate takes requests back that wait. */
export const removeVerifiedChange = defineRoute({
  method: 'POST',
  path: '/blade-userupdateinfo/userupdateinfo/remove',
  access: { candidate: 'own' },
  input: strict({ ids: ids() }),
  several: 'each',
  output: Type.Object({ removed: Type.Integer() }),
  tx: 'own',
})

export const verifiedChangeRoutes = [verifiedChanges, verifiedChangeDetail, submitVerifiedChange, removeVerifiedChange] as const
