import { Type } from 'typebox'
import { exportJobView } from '../kernel/export-job.ts'
import { keywordOf, markOf } from '../kernel/field-rule.ts'
import { defineRoute } from '../kernel/route.ts'
import { flag, id, ids, named, optional, strict, text } from '../kernel/schema.ts'
import { signupNoun } from './signup.noun.ts'

/** Those alone of which somebody proposed to disqualify or to restore them, while nobody has decided. */
export const proposedFlag = named({ zh: '有提议待决定', en: 'Has a proposal to decide on' }, flag())

/** Which sign-ups of an examination leave: chosen ones, or those that conditions find. */
export const signupFilter = {
  examId: id(),
  unit: optional(text(20)),
  type: optional(named({ zh: '岗位类别', en: 'Kind of post' }, text(20))),
  code: optional(named({ zh: '岗位代码', en: 'Post code' }, text(20))),
  /** Number of the sign-up state, 1–7. */
  examine: optional(Type.Integer({ minimum: 1, maximum: 7 })),
  payState: optional(Type.Integer({ minimum: 0, maximum: 5 })),
  /** Part of a name or of a sign-up number. */
  keyword: optional(keywordOf([markOf(signupNoun, 'name')], text(50))),
  proposed: optional(proposedFlag),
} as const

/** One registration form as a PDF, several as an archive by unit and post. */
export const exportForms = defineRoute({
  method: 'POST',
  path: '/blade-signup/signup/exportSignUpEach',
  access: { staff: 'signup_export', candidate: 'own' },
  input: strict({ ...signupFilter, ids: optional(ids()) }),
  output: exportJobView,
  answer: 'file',
  kinds: ['pdf', 'zip'],
  tx: 'own',
  means: 'registration forms: one as a PDF, several as an archive by unit and post',
})

/** Uploaded files with a mark across them that says whom and what for. Of more than 200 people somebody else has to agree. */
export const exportFiles = defineRoute({
  method: 'POST',
  path: '/blade-signup/signup/exportFilesForUser',
  access: { staff: 'signup_files' },
  input: strict({
    ...signupFilter,
    ids: optional(ids()),
    /** Kinds of files (domain 3.4), comma-joined; all without it. */
    kinds: optional(named({ zh: '材料类型', en: 'Kinds of files' }, text(60, { pattern: '^\\d{1,2}(,\\d{1,2}){0,19}$' }))),
    /** What they are needed for; asked of whoever needs an approval. */
    reason: optional(text(200)),
  }),
  output: exportJobView,
  answer: 'file',
  kinds: ['zip'],
  tx: 'own',
  means: 'uploaded files of people, marked with purpose, person and day',
})
export const paperRoutes = [exportForms, exportFiles] as const
