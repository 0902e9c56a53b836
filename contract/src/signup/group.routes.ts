import { Type } from 'typebox'
import { keywordOf, markOf, shows, showsWhole } from '../kernel/field-rule.ts'
import { pageInput, pageOf } from '../kernel/page.ts'
import { defineRoute } from '../kernel/route.ts'
import { flag, id, ids, named, nullable, optional, strict, text } from '../kernel/schema.ts'
import { importFiles, importInput, importResult } from '../transfer/import.routes.ts'
import { signupNoun } from './signup.noun.ts'

/** What somebody whom others signed up still has to do. */
export const groupNeeds = ['login', 'answers', 'photo', 'files', 'promise', 'correct', 'pay'] as const
export type GroupNeed = (typeof groupNeeds)[number]

export const importSignUp = defineRoute({
  method: 'POST',
  path: '/blade-exam/examination/importSignUp',
  access: { staff: 'groupsignup_import' },
  input: strict({
    examId: id(),
    ...importInput,
    /** They have passed the review already; for administrators of examinations alone. */
    passed: optional(named({ zh: '直接审核通过', en: 'Passed already' }, flag())),
  }),
  files: importFiles,
  output: importResult,
  tells: (['name', 'idCard', 'phone'] as const).map(field => markOf(signupNoun, field)),
  tx: 'own',
  keyed: 'own',
  means: 'signs people up, with accounts for those who have none; each is told by a text message and finishes the form',
})

/** Of one zip; photos are small. */
const zipBytes = 60 * 1024 * 1024
export const importSignUpPhotos = defineRoute({
  method: 'POST',
  path: '/blade-exam/examination/importSignUpPhotos',
  access: { staff: 'groupsignup_import' },
  input: strict({ examId: id() }),
  files: [{ name: 'file', maxBytes: zipBytes, maxCount: 1 }],
  output: Type.Object({
    total: Type.Integer(),
    matched: Type.Integer(),
    /** Names of files that are no id number of these sign-ups. */
    unknown: Type.Array(Type.String()),
    /** Photos that cannot be used, or whose sign-up cannot be changed any more. */
    refused: Type.Array(Type.Object({ file: Type.String(), reason: Type.String() })),
    /** Sign-ups of the group that still have none. */
    missing: Type.Integer(),
  }),
  tells: [markOf(signupNoun, 'idCard')],
  tx: 'own',
  means: 'photos of people who were signed up, each file named by the id number',
})

export const groupSignups = defineRoute({
  method: 'GET',
  path: '/blade-signup/signup/getGroupSignUps',
  access: { staff: 'groupsignup_view' },
  input: strict({
    ...pageInput,
    examId: id(),
    keyword: optional(keywordOf([markOf(signupNoun, 'name')], text(60))),
    /** Only those who still have to do something. */
    open: optional(named({ zh: '只看未完成', en: 'Unfinished only' }, flag())),
  }),
  output: pageOf(
    Type.Object({
      signupId: Type.String(),
      signNo: nullable(Type.String()),
      name: shows(signupNoun, 'name', Type.String()),
      idCardMask: showsWhole(signupNoun, 'idCard', nullable(Type.String())),
      phoneMask: showsWhole(signupNoun, 'phone', nullable(Type.String())),
      code: nullable(Type.String()),
      codeName: nullable(Type.String()),
      unitName: nullable(Type.String()),
      examine: Type.Integer(),
      payState: Type.Integer(),
      groupCode: Type.String(),
      groupName: nullable(Type.String()),
      importedAt: Type.String(),
      told: Type.Boolean(),
      needs: Type.Array(Type.String()),
    }),
  ),
  tx: 'read',
})
/** Which schools the reader hands in for, with their figures; none for whoever is narrowed to no school. */
export const ownGroups = defineRoute({
  method: 'GET',
  path: '/blade-signup/signup/getOwnGroups',
  access: { staff: 'groupsignup_view' },
  input: strict({ examId: id() }),
  output: Type.Array(
    Type.Object({ groupCode: Type.String(), groupName: nullable(Type.String()), total: Type.Integer(), unfinished: Type.Integer() }),
  ),
  tx: 'read',
  means: 'the own schools of whoever signs people up',
})

/** Reminds people of a group who still have something to do; each at most once a day. */
export const remindGroup = defineRoute({
  method: 'POST',
  path: '/blade-signup/signup/remindGroup',
  access: { staff: 'groupsignup_import' },
  input: strict({ examId: id(), signupIds: named({ zh: '报名', en: 'Sign-ups' }, ids()) }),
  several: { because: 'it counts whom it has not reminded' },
  output: Type.Object({
    reminded: Type.Integer(),
    /** Nothing is left to do, or they were reminded today. */
    skipped: Type.Integer(),
  }),
  means: 'reminds people whom a group signed up of what they still have to do',
})

/** What schools have filled in under the caller's name and id number, and the caller has not taken over. */
export const ownInvitations = defineRoute({
  method: 'GET',
  path: '/blade-signup/signup/getInvitations',
  access: { candidate: 'own' },
  input: strict({ examId: optional(id()) }),
  output: Type.Array(
    Type.Object({
      signupId: Type.String(),
      examId: Type.String(),
      examName: Type.String(),
      /** Empty: the office, or a school that is known no more. */
      groupName: Type.String(),
      importTime: Type.String(),
    }),
  ),
  tx: 'own',
  means: 'what schools have filled in for the caller',
})

/** Sign-up, answers, files and photo become the caller's, once. */
export const takeInvitation = defineRoute({
  method: 'POST',
  path: '/blade-signup/signup/takeInvitation',
  access: { candidate: 'own' },
  input: strict({
    signupId: named({ zh: '报名', en: 'Sign-up' }, id()),
    replace: optional(named({ zh: '替换我的草稿', en: 'Replace my draft' }, flag())),
  }),
  output: Type.Object({ signUpId: Type.String(), examId: Type.String() }),
  tx: 'own',
  means: 'takes over what a school has filled in: the sign-up with its answers and files becomes the caller’s, as a draft',
})
export const groupRoutes = [importSignUp, importSignUpPhotos, groupSignups, ownGroups, remindGroup, ownInvitations, takeInvitation] as const
