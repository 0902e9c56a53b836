import { Type } from 'typebox'
import { shows, showsWhole } from '../kernel/field-rule.ts'
import { pageInput, pageOf } from '../kernel/page.ts'
import { defineRoute } from '../kernel/route.ts'
import { flag, id, ids, int, named, nullable, optional, strict, text } from '../kernel/schema.ts'
import { signupNoun } from './signup.noun.ts'

const reviewers = { staff: ['examine_first', 'examine_second'] } as const
const photoAdvice = () => text(200, { 'x-label': { zh: '照片修改意见', en: 'Advice about the photo' } })

/** Portraits to be looked at one beside the other (domain 5.8). */
export const photoWall = defineRoute({
  method: 'GET',
  path: '/blade-signup/signup/getExamAvatarList',
  access: reviewers,
  input: strict({
    ...pageInput,
    examId: id(),
    unit: optional(text(20)),
    photoState: optional(int(0, 2)),
    /** 1: those too whose review has ended, to look at. */
    all: optional(named({ zh: '包括已审核', en: 'Reviewed ones too' }, flag())),
  }),
  output: Type.Object({
    ...pageOf(
      Type.Object({
        signUpId: Type.String(),
        signNo: nullable(Type.String()),
        name: shows(signupNoun, 'name', nullable(Type.String())),
        unit: nullable(Type.String()),
        code: nullable(Type.String()),
        codeName: nullable(Type.String()),
        examine: Type.Integer(),
        signVersion: Type.Integer(),
        photoState: Type.Integer(),
        /** What is wrong with it, in the reader's language where it is a common text. */
        advice: nullable(Type.String()),
        markedBy: nullable(Type.String()),
        /** Rules that the automatic check found broken. */
        findings: Type.Array(Type.String()),
        link: showsWhole(signupNoun, 'photo', nullable(Type.String())),
        /** Waits for a decision that the caller may take. */
        mayReturn: Type.Boolean(),
      }),
    ).properties,
    counts: Type.Object({ unseen: Type.Integer(), good: Type.Integer(), bad: Type.Integer() }),
  }),
  tx: 'read',
  means: 'portraits of an examination with their marks',
})

export const markPhotos = defineRoute({
  method: 'POST',
  path: '/blade-signup/signup/savePhotoMarks',
  access: reviewers,
  input: strict({
    examId: id(),
    marks: named(
      { zh: '照片标记', en: 'Marks' },
      Type.Array(
        strict({
          signUpId: id(),
          /** The version that was looked at. */
          signVersion: int(1, 100_000),
          /** 0 takes the mark away, 1 good, 2 not good. */
          photoState: int(0, 2),
          advice: optional(photoAdvice()),
        }),
        { minItems: 1, maxItems: 200 },
      ),
    ),
  }),
  output: Type.Object({
    saved: Type.Integer(),
    /** Not marked: the candidate has sent a new version, or it is not the caller's to review. */
    stale: Type.Array(Type.String()),
  }),
  means: 'marks portraits good or not good; what is wrong is kept until it is sent back',
})

export const returnPhotos = defineRoute({
  method: 'POST',
  path: '/blade-signup/signup/returnPhotos',
  access: reviewers,
  input: strict({ examId: id(), signUpIds: named({ zh: '报名', en: 'Sign-ups' }, ids()), extendHours: optional(int(1, 24)) }),
  several: { because: 'it names those that were kept' },
  output: Type.Object({
    returned: Type.Integer(),
    kept: Type.Array(Type.Object({ signUpId: Type.String(), signNo: nullable(Type.String()), reason: Type.String() })),
  }),
  tx: 'own',
  means: 'sends sign-ups with a photo marked not good back to their candidates, each as a reviewer would; those that cannot be are named',
})
export const photoWallRoutes = [photoWall, markPhotos, returnPhotos] as const
