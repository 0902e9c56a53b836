import { type Static, type TSchema, Type } from 'typebox'
import { shows, showsAll } from '../kernel/field-rule.ts'
import { nullable } from '../kernel/schema.ts'
import { resultNoun } from './result.noun.ts'

/** A result as staff read it; decimals are texts (domain 3.12). */
const columns = {
  id: Type.String(),
  examId: Type.String(),
  itemId: Type.String(),
  itemCode: Type.String(),
  itemName: Type.String(),
  signupId: Type.String(),
  ticketNo: Type.String(),
  name: Type.String(),
  unit: Type.String(),
  unitName: Type.String(),
  code: Type.String(),
  codeName: Type.String(),
  score: nullable(Type.String()),
  fullScore: Type.String(),
  /** 1 normal, 2 absent, 3 disciplined, 4 zero, 5 exempt. */
  resultState: Type.Integer(),
  bonus: Type.String(),
  finalScore: nullable(Type.String()),
  remark: nullable(Type.String()),
  released: Type.Integer(),
  releaseTime: nullable(Type.String()),
  writtenTotal: nullable(Type.String()),
  interviewTotal: nullable(Type.String()),
  total: nullable(Type.String()),
  rank: nullable(Type.Integer()),
  shortlist: Type.Integer(),
  /** 1: a correction waits for a second person. The office's matter: units read 0. */
  correctionWaits: Type.Integer(),
  version: Type.Integer(),
}
/** What a score tells in other numbers. */
const scores = {
  bonus: 'score',
  finalScore: 'score',
  writtenTotal: 'score',
  interviewTotal: 'score',
  total: 'score',
  rank: 'score',
} as const
export const resultRow = Type.Object(showsAll(resultNoun, columns, scores))

const value = Type.Object(
  showsAll(
    resultNoun,
    { score: nullable(Type.String()), resultState: Type.Integer(), bonus: Type.String(), remark: nullable(Type.String()) },
    { bonus: 'score' },
  ),
)
const correctionRow = Type.Object({
  id: Type.String(),
  /** waiting, applied or rejected. */
  state: Type.String(),
  before: value,
  after: value,
  reason: Type.String(),
  proposedBy: Type.String(),
  proposedTime: Type.String(),
  /** 1: the reader proposed it. */
  own: Type.Integer(),
  decidedBy: nullable(Type.String()),
  decidedTime: nullable(Type.String()),
  /** Why it was rejected. */
  decisionRemark: nullable(Type.String()),
})
const ofScore = <T extends TSchema>(schema: T): T => shows(resultNoun, 'score', schema)
const place = Type.Object({
  /** The written score where there is one, else the interview. */
  score: ofScore(nullable(Type.String())),
  total: ofScore(nullable(Type.String())),
  rank: ofScore(nullable(Type.Integer())),
  shortlist: Type.Integer(),
})
/** What the waiting correction would do to the post: whose place changes, the corrected person first. */
const effect = Type.Array(
  Type.Object({
    signupId: Type.String(),
    name: shows(resultNoun, 'name', Type.String()),
    before: place,
    after: place,
    /** 1: was called to the re-review. */
    called: Type.Integer(),
  }),
)
export const resultDetail = Type.Object({ ...resultRow.properties, corrections: Type.Array(correctionRow), effect: Type.Optional(effect) })

/** Answer of `getExamScore` (domain 5.13 `ScoreView`). */
export const scoreView = Type.Object({
  items: Type.Array(
    Type.Object({
      itemId: Type.String(),
      itemName: Type.String(),
      score: ofScore(nullable(Type.String())),
      fullScore: Type.String(),
      resultState: Type.Integer(),
      /** Corrections since the release, the newest first: what stood there before. */
      corrections: Type.Optional(
        Type.Array(
          Type.Object({
            before: ofScore(nullable(Type.String())),
            beforeState: Type.Integer(),
            after: ofScore(nullable(Type.String())),
            afterState: Type.Integer(),
            reason: Type.String(),
            time: Type.String(),
          }),
        ),
      ),
    }),
  ),
  written: Type.Optional(ofScore(Type.String())),
  interview: Type.Optional(ofScore(Type.String())),
  bonus: Type.Optional(ofScore(Type.String())),
  total: Type.Optional(ofScore(Type.String())),
  rank: Type.Optional(ofScore(Type.Integer())),
  postCount: Type.Optional(Type.Integer()),
  /** Score of the last person on the shortlist of the post (入围分数线). */
  line: Type.Optional(Type.String()),
  /** What the examination demands of the written score (笔试合格线). */
  passLine: Type.Optional(Type.String()),
  /** Names of papers whose results were published and are being checked again. */
  inCheck: Type.Array(Type.String()),
  /** Why the person does not take the examination any more, and so has no rank; null = takes part. */
  out: nullable(Type.String()),
  shortlist: Type.Integer(),
  nextStep: Type.String(),
})
export type ScoreView = Static<typeof scoreView>
