import { Type } from 'typebox'
import { showsWhole } from '../kernel/field-rule.ts'
import { type Label, label } from '../kernel/label.ts'
import { id, int, named, nullable, optional, text, time } from '../kernel/schema.ts'
import { signupNoun } from './signup.noun.ts'

/** How a person answered to what is proposed against them: staff note the first three, the last one the person wrote in the account. */
export const statementWays = {
  1: label('书面', 'in writing'),
  2: label('电话', 'by telephone'),
  3: label('当面', 'in person'),
  4: label('本人在线提交', 'in the account'),
} as const satisfies Readonly<Record<number, Label>>
export const inAccount = 4

/** By what a statement is the person's own: written in the account, a code that was sent to their phone, a signed paper that a second official has seen. */
export const confirmations = ['own', 'code', 'paper'] as const
export type Confirmation = (typeof confirmations)[number]

/** Files with an answer, at most. */
export const mostAnswerFiles = 5
export const answerFileBytes = 5 * 1024 * 1024
export const answerFiles = [{ name: 'proof', maxBytes: answerFileBytes, maxCount: mostAnswerFiles }]

/** What the person answered, as the person and the office see it. */
export const heard = {
  statement: nullable(Type.String()),
  statementWay: nullable(Type.Integer()),
  statementTime: nullable(Type.String()),
  /** Who noted it; null where the person wrote it. */
  notedBy: nullable(Type.String()),
  /** `own`, `code`, `paper`; null while what staff noted is not confirmed: then it shortens nothing. */
  confirmed: nullable(Type.String()),
  confirmedBy: nullable(Type.String()),
  /** Links of ten minutes; empty for who may not see files of sign-ups. */
  statementFiles: Type.Array(Type.Object({ name: Type.String(), link: showsWhole(signupNoun, 'files', Type.String()) })),
}

/** Inputs of whoever notes what a person said, and of whoever has it confirmed. */
export const noteInput = {
  id: id(),
  statement: named({ zh: '本人陈述申辩', en: 'What the person answered' }, text(1_000, { minLength: 2 })),
  statementWay: named({ zh: '陈述方式', en: 'How the person answered' }, int(1, 3)),
  statementTime: named({ zh: '陈述时间', en: 'When the person answered' }, time()),
}
export const confirmInput = {
  id: id(),
  /** That was sent to the person's phone when the statement was noted. */
  code: optional(named({ zh: '确认码', en: 'Code' }, text(6, { minLength: 6 }))),
  /** What the person signed; a second official names it. */
  paper: optional(named({ zh: '本人签字的材料', en: 'Signed paper' }, text(200, { minLength: 2 }))),
}
