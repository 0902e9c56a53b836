import type { Doubt } from '#contract/kernel/asking.ts'
import type { Label } from '#contract/kernel/label.ts'
import type { PersonDocument } from '#contract/person/passport.ts'
import { type NamedSchool, schoolMeant, whichSchool } from '#contract/school/named-school.ts'
import {
  type ConditionCheck,
  type ConditionContext,
  demandsOf,
  evaluateConditions,
  type PostConditions,
} from '#contract/signup/conditions.ts'
import type { SignItem } from '#contract/signup/content.ts'
import type { SignupFileRef } from '#contract/signup/content-diff.ts'
import {
  demandProblems,
  doubtsOf,
  type FactContext,
  formDoubts,
  type KindOfFile,
  orderProblems,
  withProof,
} from '#contract/signup/form-facts.ts'
import { judgePhoto, type PhotoFinding, type PhotoPixels } from '#contract/signup/photo.ts'
import type { Problem } from './submit.ts'

export interface FormToJudge {
  readonly form: {
    readonly items: readonly SignItem[]
    readonly files: readonly (KindOfFile & { readonly pixel: PhotoPixels | null })[]
    /** Labels of dictionary entries by code and key. */
    readonly entries: ReadonlyMap<string, ReadonlyMap<string, Label>>
  }
  /** Answers in stored form. */
  readonly content: Readonly<Record<string, unknown>>
  /** What the account proves itself with. */
  readonly document: PersonDocument | undefined
  readonly files: readonly SignupFileRef[]
  /** What is stored of them; a file that is not among them was not looked at. */
  readonly stored: readonly { readonly id: string; readonly checks: unknown }[]
  readonly post: PostConditions | undefined
  readonly post2: PostConditions | undefined
  /** What conditions are judged by in the examination. */
  readonly judging: Pick<ConditionContext, 'examYear' | 'onDay' | 'policy' | 'placeName'>
  readonly today: string
  /** GB/T 2260 code of the first step's region, empty while it is not given; undefined where the first step asks for none that means the household. */
  readonly householdRegion: string | undefined
  readonly schools: SchoolNames
}

/** What the list of schools says of names among the answers. */
export type SchoolNames = Required<Pick<FactContext, 'isKnownSchool' | 'whichSchool'>>
export const schoolNames = (found: ReadonlyMap<string, readonly NamedSchool[]>): SchoolNames => ({
  isKnownSchool: name => found.has(name),
  whichSchool: (name, code) => {
    const schools = found.get(name) ?? []
    return schools.length === 0 || schoolMeant(schools, code) ? undefined : whichSchool(name, schools)
  },
})

export interface Judgement {
  /** Conditions of the first choice, then of the second, then what is doubtful whatever the post. */
  readonly checks: readonly ConditionCheck[]
  /** What keeps the form from being sent beside the rules of its fields: answers that the posts ask for, dates in the wrong order. */
  readonly told: readonly Problem[]
  /** What the candidate is asked about before it is taken. */
  readonly doubts: readonly Doubt[]
  /** Keys of the answers that the posts ask for, given or not. */
  readonly demanded: readonly string[]
}

/** The certified photo with what a machine has found on it. */
const photoOf = ({ form, files, stored }: FormToJudge) => {
  const rule = form.files.find(file => file.kind === 1)
  const file = files.find(one => one.fileKey === rule?.fileKey)
  const checks = stored.find(row => row.id === file?.fileId)?.checks
  return rule && checks ? { fileKey: rule.fileKey, findings: judgePhoto(rule.pixel, checks as readonly PhotoFinding[]) } : undefined
}

/** Holds a form, finished or not, against the conditions of both choices (domain 4.2) and against itself, all at once. */
export const judgeForm = (facts: FormToJudge): Judgement => {
  const { form, post, post2, today, householdRegion } = facts
  // A form need not ask for what the account's document tells.
  const { document } = facts
  const answers = document
    ? { ...facts.content, birthday: document.birthday, sex: String(document.sex), idCard: document.idCard, idCardType: document.type }
    : facts.content
  const context = {
    ...facts.judging,
    ...(householdRegion === undefined ? {} : { hukouRegion: householdRegion }),
    labelOf: (code: string, key: string) => form.entries.get(code)?.get(key),
  }
  const first = post ? evaluateConditions(post, answers, context) : []
  const second = post2 ? evaluateConditions(post2, answers, context).map(check => ({ ...check, choice: 2 as const })) : []
  const known = {
    ...{ today, items: form.items, signFiles: form.files, ...facts.schools },
    uploaded: new Set(facts.files.map(file => file.fileKey)),
    photo: photoOf(facts),
  }
  const demands = demandsOf([...first, ...second], answers, context)
  return {
    checks: [...withProof([...first, ...second], answers, known), ...doubtsOf(answers, known)],
    doubts: formDoubts(form.items, answers, today),
    demanded: demands.map(demand => demand.field),
    told: [
      ...demandProblems(demands, answers, known, householdRegion),
      ...orderProblems(form.items, answers, today).map(({ path, message }) => ({ field: path, message })),
    ],
  }
}
