import { Type } from 'typebox'
import { pageInput } from '../kernel/page.ts'
import { defineRoute } from '../kernel/route.ts'
import { day, id, named, nullable, optional, strict, text } from '../kernel/schema.ts'
import { fitGroups } from '../signup/fit.ts'
import { postColumns } from './exam.routes.ts'

const yesNo = () => Type.Union([Type.Literal('0'), Type.Literal('1')])

/** What somebody says of themselves to find the posts that they can apply for (`Facts` of the shared rules). */
const factFields = {
  birthday: optional(named({ zh: '出生日期', en: 'Birth date' }, day())),
  sex: optional(named({ zh: '性别', en: 'Sex' }, Type.Union([Type.Literal('1'), Type.Literal('2')]))),
  education: optional(named({ zh: '学历', en: 'Education' }, text(20))),
  degree: optional(named({ zh: '学位', en: 'Degree' }, text(20))),
  major: optional(named({ zh: '专业', en: 'Major' }, text(60))),
  graduateDate: optional(named({ zh: '毕业日期', en: 'Date of graduation' }, day())),
  employed: optional(named({ zh: '毕业后是否已落实工作单位', en: 'Employed since graduating' }, yesNo())),
  residency: optional(named({ zh: '是否已完成住院医师规范化培训', en: 'Residency training completed' }, yesNo())),
  insured: optional(named({ zh: '毕业后是否缴纳过社会保险', en: 'Social insurance paid since graduating' }, yesNo())),
  political: optional(named({ zh: '政治面貌', en: 'Political status' }, text(20))),
  hukouAddress: optional(named({ zh: '户籍所在地', en: 'Household registration' }, Type.String({ pattern: '^\\d{6}$' }))),
  title: optional(named({ zh: '职称', en: 'Professional title' }, text(20))),
  workYears: optional(named({ zh: '工作年限', en: 'Years of work' }, Type.String({ pattern: '^\\d{1,2}$' }))),
  certName: optional(named({ zh: '执业资格', en: 'Licences' }, Type.Array(text(60), { maxItems: 20 }))),
}
export const factsSchema = strict(factFields)

const count = Type.Integer()
const reason = Type.Object({
  rule: Type.String(),
  label: Type.String(),
  need: Type.String(),
  got: Type.String(),
  /** False: nothing was said of it. */
  isSaid: Type.Boolean(),
  result: Type.Union([Type.Literal('ok'), Type.Literal('no'), Type.Literal('warn')]),
})

/** Posts sorted by what somebody can apply for. */
export const fitPosts = defineRoute({
  method: 'POST',
  path: '/blade-exam/examination/fitPosts',
  access: { public: true, because: 'posts and their conditions are announced; what is said of oneself is compared and not kept' },
  // Reads what is announced; a post because of the facts in its body.
  rank: 'look',
  input: strict({
    ...pageInput,
    examId: id(),
    /** Left out: what the account has kept, for a candidate. */
    facts: optional(named({ zh: '个人情况', en: 'Facts about you' }, factsSchema)),
    group: optional(named({ zh: '结果', en: 'Result' }, Type.Enum(fitGroups))),
    unit: optional(text(20)),
    type: optional(named({ zh: '岗位类别', en: 'Kind of post' }, text(20))),
    keyword: optional(text(60)),
  }),
  output: Type.Object({
    /** Null while nothing is known of the person: all posts are listed, none is judged. */
    counts: nullable(Type.Object({ can: count, person: count, cannot: count })),
    current: count,
    size: count,
    total: count,
    pages: count,
    records: Type.Array(
      Type.Object({
        ...postColumns,
        group: nullable(Type.Enum(fitGroups)),
        /** Why the post takes nobody, whoever asks. */
        bar: nullable(Type.String()),
        mayInsist: Type.Boolean(),
        checks: Type.Array(reason),
      }),
    ),
  }),
  tx: 'own',
  means:
    'posts of an examination sorted into those that somebody can apply for, those that a person decides on and those that they cannot, with reasons',
})

const choices = Type.Array(Type.Object({ value: Type.String(), label: Type.String() }))
/** Facts that an account keeps for the next examination. */
export const readFacts = defineRoute({
  method: 'GET',
  path: '/me/facts',
  access: { candidate: 'own' },
  input: strict({ examId: optional(id()) }),
  output: Type.Object({
    facts: factsSchema,
    /** Names of those that were verified, by the id number or by a review that passed, and when. */
    verified: Type.Array(Type.Object({ name: Type.String(), time: nullable(Type.String()) })),
    savedAt: nullable(Type.String()),
    /** What may be chosen, in the reader's language. */
    choices: Type.Object({ education: choices, degree: choices, cert: choices, political: choices, title: choices, hukouAddress: choices }),
    /** Whether work ends being a fresh graduate in this examination. */
    asksEmployed: Type.Boolean(),
    /** What beside the five questions some post of this examination asks for. */
    asks: Type.Array(Type.String()),
  }),
  tx: 'read',
  means: 'what one has said of oneself to find posts, and what of it was verified',
})
export const saveFacts = defineRoute({
  method: 'POST',
  path: '/me/facts',
  access: { candidate: 'own' },
  input: factsSchema,
  output: Type.Object({ savedAt: Type.String() }),
  means: 'keeps what one says of oneself for finding posts and filling in forms',
})

export const openRoutes = [fitPosts, readFacts, saveFacts] as const
