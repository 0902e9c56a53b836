import { isFor } from '#contract/file/file-use.ts'
import { refuse } from '#contract/kernel/errors.ts'
import type { InputOf } from '#contract/kernel/route.ts'
import { tidyLine } from '#contract/kernel/tidy-text.ts'
import { toWireDay, toWireTime } from '#contract/kernel/when.ts'
import { idCardTypes } from '#contract/person/id-card.ts'
import type { PersonDocument } from '#contract/person/passport.ts'
import { type NamedSchool, schoolMeant, titleOfSchool } from '#contract/school/named-school.ts'
import { normalizeContent, pictureIdsOf, type SignItem, validateContent, withDerived } from '#contract/signup/content.ts'
import { isHousehold, levelsOf, type RegionLevels, regionItemOf } from '#contract/signup/region.ts'
import { checkFiles } from '#contract/signup/required-files.ts'
import { refuseSignup } from '#contract/signup/signup.errors.ts'
import type { submitSignup } from '#contract/signup/signup.routes.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type Ctx, Refused } from '#kernel/http/context.ts'
import { type ExamRow, findPost, findPosts, judgingOf, type PostRow, type SignFileRow, type SignItemRow } from '#modules/exam/index.ts'
import type { StoredFileRow } from '#modules/file/index.ts'
import type { SignupFile, SignupRow, VerifiedPerson } from '../data/signup.repo.ts'
import type { SignupContext } from '../deps.ts'
import { fileFault, type JudgedFile } from '../domain/file-rule.ts'
import { type Judgement, judgeForm, type SchoolNames, schoolNames } from '../domain/judge.ts'
import type { Problem } from '../domain/submit.ts'
import { answersOfAccount, documentOf, documentProblems, foreignAnswers, unverified } from '../domain/verified.ts'
import { type KnownForm, knownForm } from '../known-form.ts'
import { verifiedOf } from '../verified-answers.ts'

/** A call that saves or submits a sign-up. */
export interface SubmitCall {
  readonly deps: SignupContext
  readonly db: TenantDb
  readonly ctx: Ctx
  readonly input: SubmitInput
}
type SubmitInput = InputOf<typeof submitSignup>

export interface ReadForm {
  readonly content: Record<string, unknown>
  /** What the account proves itself with; undefined while nothing is verified. */
  readonly document: PersonDocument | undefined
  /** The fields the examination asks for. */
  readonly items: readonly SignItemRow[]
  readonly signFiles: readonly SignFileRow[]
  /** What the examination's `regionLabel` names; a level that is not given is empty. */
  readonly region: RegionLevels
  readonly files: readonly SignupFile[]
  /** The picture of the hand that signs the undertaking of this submit. */
  readonly signatureFileId: string | null
  /** Files that answers of type image or signature name. */
  readonly pictureIds: readonly string[]
  readonly stored: readonly StoredFileRow[]
  readonly problems: readonly Problem[]
  /** Those of them that say somebody else signs up than the account is of. */
  readonly foreign: readonly Problem[]
  /** The answer `school` as lists print it: by the school's name of today, told apart from others of that name. */
  readonly schoolTitle: string | null
  readonly post: PostRow | undefined
  readonly post2: PostRow | undefined
  /** What the conditions of both choices and the answers themselves say; `told` is part of `problems`. */
  readonly judged: Judgement
}

/** What a form is judged by. */
export interface FormFacts {
  readonly form: KnownForm
  readonly stored: readonly StoredFileRow[]
  readonly posts: readonly PostRow[]
  /** Schools that the list has by the names among the answers. */
  readonly schools: ReadonlyMap<string, readonly NamedSchool[]>
}

interface NamedFile {
  readonly fileKey: string
  readonly fileId: string
}
const namedFiles = (fileIds: Readonly<Record<string, readonly string[]>>): NamedFile[] =>
  Object.entries(fileIds).flatMap(([fileKey, ids]) => ids.map(fileId => ({ fileKey, fileId })))

/** Answers that may name a school: fields of that type send the code of the list beside the name. */
export const schoolNamesIn = (answers: Readonly<Record<string, unknown>>): string[] =>
  Object.entries(answers).flatMap(([key, value]) => {
    const name = typeof value === 'string' && (key === 'school' || `${key}Code` in answers) ? tidyLine(value) : ''
    return name === '' ? [] : [name]
  })

/** Asks for everything in one batch. */
const findFormFacts = async (
  { deps, db, input: { examId } }: SubmitCall,
  given: {
    readonly codes: readonly (string | null | undefined)[]
    readonly files: readonly NamedFile[]
    readonly answers: Readonly<Record<string, unknown>>
  },
): Promise<FormFacts> => {
  const [form, stored, posts, schools] = await Promise.all([
    knownForm(deps.forms, db, examId, given.answers),
    deps.file.findMany(
      db,
      given.files.map(file => file.fileId),
    ),
    findPosts(
      db,
      examId,
      given.codes.flatMap(code => code || []),
    ),
    deps.school.findNamed(db, schoolNamesIn(given.answers)),
  ])
  return { form, stored, posts, schools }
}

/** The same for a form that says everything itself: whoever waits for the row it belongs to need not wait once more. */
export const findFormFactsAhead = async (call: SubmitCall): Promise<FormFacts | undefined> => {
  const { content, code, code2, fileIds } = call.input
  return content && code && fileIds
    ? findFormFacts(call, {
        codes: [code, code2],
        files: namedFiles(fileIds),
        // Which kind of document the account has is not known yet.
        answers: { ...withDerived(content, toWireDay(call.ctx.arrivedAt)), idCardType: idCardTypes },
      })
    : undefined
}

/**
 * Files of the form: those named by id, those of earlier saves and those sent along. Only files the candidate uploaded count; an id
 * of somebody else's file is answered like one that does not exist.
 */
const readFiles = async (
  { deps, db, ctx }: SubmitCall,
  named: readonly NamedFile[],
  current: SignupRow | undefined,
  { form: { signFiles }, stored: found }: FormFacts,
): Promise<{ files: SignupFile[]; stored: StoredFileRow[] }> => {
  const userId = ctx.session?.userId ?? '0'
  const wanted = [...named]
  const rows = [...found]
  for (const part of ctx.files) {
    const fileKey = part.part.replace(/^file_/, '').replace(/\[\]$/, '')
    const isPhoto = signFiles.find(file => file.fileKey === fileKey)?.kind === 1
    const row = await deps.file.keepUpload(db, {
      file: part,
      userId,
      ownerKind: 'signup',
      ownerId: current?.id ?? '0',
      purpose: isPhoto ? 'photo' : 'document',
    })
    wanted.push({ fileKey, fileId: row.id })
    rows.push(row)
  }
  const stored: StoredFileRow[] = []
  const files: SignupFile[] = []
  for (const { fileKey, fileId } of wanted) {
    const row = rows.find(one => one.id === fileId)
    const isThere = row?.userId === userId && (current?.files.some(one => one.fileId === fileId) ?? false)
    if (!row || !(isThere || isFor('signupFile', row, { userId }))) throw new Refused(refuse('kernel/not-found', {}))
    stored.push(row)
    files.push({
      fileKey,
      fileId,
      name: row.name,
      size: Number(row.sizeBytes),
      mime: row.mime,
      sha256: row.sha256,
      uploadTime: toWireTime(row.createdAt),
    })
  }
  return { files, stored }
}

/**
 * What speaks against the files themselves. What has been handed in before stays good, whatever the examination asks for since: it may not
 * be open to a change.
 */
const fileFaults = (
  { files, stored }: Awaited<ReturnType<typeof readFiles>>,
  signFiles: readonly SignFileRow[],
  handedIn: ReadonlySet<string>,
): Problem[] =>
  files.flatMap(({ fileKey, fileId }, index) => {
    const rule = signFiles.find(sign => sign.fileKey === fileKey)
    const row = stored[index]
    if (rule === undefined || row === undefined || handedIn.has(fileId)) return []
    const message = fileFault(rule, {
      ext: row.ext,
      purpose: row.purpose,
      receivedBytes: row.receivedBytes === null ? null : Number(row.receivedBytes),
      findings: (row.checks ?? []) as JudgedFile['findings'],
    })
    return message === undefined ? [] : [{ field: `file:${fileKey}`, message }]
  })

/** The signature below the undertaking: a picture of the person's own, drawn anew for every submit. */
const readSignature = async (
  { deps, db, ctx, input }: SubmitCall,
  exam: ExamRow,
): Promise<{ fileId: string | null; problems: readonly Problem[] }> => {
  if (!exam.needSignature) return { fileId: null, problems: [] }
  const message = { zh: '请在承诺书下方手写签名', en: 'Please sign below the undertaking' }
  if (input.signatureFileId === undefined) return { fileId: null, problems: [{ field: 'signature', message }] }
  const row = await deps.file.find(db, input.signatureFileId)
  if (!row || !isFor('signature', row, { userId: ctx.session?.userId })) throw new Refused(refuse('kernel/not-found', {}))
  return { fileId: row.id, problems: [] }
}

/** The pictures among answers, as chosen or drawn for a field. Like other files they are the candidate's own, or there are none. */
const readPictures = async ({ deps, db, ctx }: SubmitCall, ids: readonly string[]): Promise<readonly string[]> => {
  if (ids.length === 0) return []
  const found = await deps.file.findMany(db, ids)
  const own = new Set(found.flatMap(row => (isFor('answerPicture', row, { userId: ctx.session?.userId }) ? [row.id] : [])))
  if (ids.some(id => !own.has(id))) throw new Refused(refuse('kernel/not-found', {}))
  return ids
}

/** A second choice of an earlier save was not asked for ahead. */
const choose = async (
  db: TenantDb,
  examId: string,
  posts: readonly PostRow[],
  code: string | null | undefined,
): Promise<PostRow | undefined> => (code ? (posts.find(post => post.code === code) ?? findPost(db, examId, code)) : undefined)

/** The answer of the form's own field where it has one for this place; else what the first step sent, else what stands. */
const regionOf = (
  input: SubmitInput,
  current: SignupRow | undefined,
  items: readonly SignItem[],
  content: Readonly<Record<string, unknown>>,
  regionLabel: string,
): RegionLevels => {
  const item = regionItemOf(items, regionLabel)
  if (item) return levelsOf(typeof content[item.itemKey] === 'string' ? (content[item.itemKey] as string) : '')
  const [province, city, area] = [input.province, input.city, input.area]
  return province === undefined && city === undefined && area === undefined
    ? { province: current?.province ?? '', city: current?.city ?? '', area: current?.area ?? '' }
    : { province: province ?? '', city: city ?? '', area: area ?? '' }
}

/** What the first step says of the household registration; undefined where it asks for none: another place says nothing about that. */
export const householdRegionOf = (
  { regionLabel }: Pick<ExamRow, 'regionLabel'>,
  items: readonly SignItem[],
  { province, city, area }: RegionLevels,
): string | undefined => (isHousehold(regionLabel) && !regionItemOf(items, regionLabel) ? area || city || province : undefined)

/** What the form of a submit replaces. */
export interface FormToRead {
  readonly exam: ExamRow
  /** The sign-up as it stands, and its answers opened; undefined before the first save. */
  readonly current: SignupRow | undefined
  readonly currentContent: Readonly<Record<string, unknown>>
  readonly person: VerifiedPerson
  /** What was asked for ahead; undefined where the form leaves something to the row. */
  readonly ahead: FormFacts | undefined
}

/** What is wrong with answers and files, field by field. */
const problemsOf = (
  { items, files: required, signFiles, entries }: KnownForm,
  content: Readonly<Record<string, unknown>>,
  read: Awaited<ReturnType<typeof readFiles>>,
  today: string,
  handedIn: ReadonlySet<string>,
): Problem[] => {
  const found = validateContent(items, content, { today, dictionary: code => entries.get(code) })
  // Birth date and sex follow from the id card: while that is wrong, asking for them would only confuse.
  const isIdCardWrong = found.some(problem => problem.key === 'idCard')
  return [
    ...found
      .filter(problem => !(isIdCardWrong && (problem.key === 'birthday' || problem.key === 'sex')))
      .map(problem => ({ field: problem.path, message: problem.message })),
    ...checkFiles(required, items, content, read.files).map(({ fileKey, message }) => ({ field: `file:${fileKey}`, message })),
    ...fileFaults(read, signFiles, handedIn),
  ]
}

/** Answers that name a school, each with the code that came with it. */
const schoolAnswers = (items: readonly SignItem[], content: Readonly<Record<string, unknown>>) =>
  items.flatMap(({ itemKey, fieldType }) => {
    const [name, code] = [content[itemKey], content[`${itemKey}Code`]]
    return fieldType === 'school' && typeof name === 'string' && name !== ''
      ? [{ itemKey, name, code: typeof code === 'string' ? code : undefined }]
      : []
  })

/** A former name stays as it stands on the diploma; beside it the code says which school it is today. */
const withSchools = (
  items: readonly SignItem[],
  content: Record<string, unknown>,
  found: ReadonlyMap<string, readonly NamedSchool[]>,
): Record<string, unknown> => ({
  ...content,
  ...Object.fromEntries(
    schoolAnswers(items, content).flatMap(({ itemKey, name, code }) => {
      const school = schoolMeant(found.get(name) ?? [], code)
      return school?.isFormer ? [[`${itemKey}Code`, school.schoolCode]] : []
    }),
  ),
})

const schoolProblems = (items: readonly SignItem[], content: Readonly<Record<string, unknown>>, { whichSchool }: SchoolNames): Problem[] =>
  schoolAnswers(items, content).flatMap(({ itemKey, name, code }) => {
    const message = whichSchool(name, code)
    return message ? [{ field: itemKey, message }] : []
  })

const notOfPost = {
  type: { zh: '岗位类别与岗位不一致', en: 'The category does not belong to the post' },
  unit: { zh: '招聘单位与岗位不一致', en: 'The unit does not belong to the post' },
} as const

/** Category and unit are sent beside the post; they must be the post's own. */
const postProblems = ({ type, unit, type2, unit2 }: SubmitInput, post: PostRow | undefined, post2: PostRow | undefined): Problem[] =>
  [
    { field: 'type', given: type, own: post?.type, message: notOfPost.type },
    { field: 'unit', given: unit, own: post?.unit, message: notOfPost.unit },
    { field: 'type2', given: type2, own: post2?.type, message: notOfPost.type },
    { field: 'unit2', given: unit2, own: post2?.unit, message: notOfPost.unit },
  ].flatMap(({ field, given, own, message }) => (given && own !== undefined && given !== own ? [{ field, message }] : []))

/** A second choice that cannot be is told: the sign-up must not lose it without a word. One that stands already may stay. */
const secondChoiceProblems = (code2: string | null | undefined, post2: PostRow | undefined, current: SignupRow | undefined): Problem[] => {
  if (!code2) return []
  if (post2 === undefined)
    return [{ field: 'code2', message: { zh: `第二志愿岗位 ${code2} 不存在`, en: `There is no post ${code2} for the second choice` } }]
  const isClosed = (post2.postState === 2 || post2.postState === 4) && current?.code2 !== code2
  return isClosed
    ? [{ field: 'code2', message: { zh: '第二志愿岗位已取消或暂停', en: 'The post of the second choice is cancelled or paused' } }]
    : []
}

/** Reads the whole form of a submit and says everything that is wrong with it, without deciding anything. */
export const readForm = async (call: SubmitCall, { exam, current, currentContent, person, ahead }: FormToRead): Promise<ReadForm> => {
  const { db, ctx, input } = call
  const today = toWireDay(ctx.arrivedAt)
  const account = { tenantId: db.actor.tenantId, userId: ctx.session?.userId ?? '0' }
  const verified = verifiedOf(call.deps.services.cipher, account, person)
  const foreign = foreignAnswers(verified, input.content ?? {})
  const refusedDocument = documentProblems(verified, { today, allowForeignCard: exam.allowForeignCard, allowPassport: exam.allowPassport })
  const ofAccount = foreign.some(one => one.field === 'idCard') ? foreign : [...foreign, ...unverified(verified), ...refusedDocument]
  const answers = withDerived({ ...(input.content ?? currentContent), ...answersOfAccount(verified) }, today)
  const [code, code2] = [input.code ?? current?.code, exam.allowSecond ? (input.code2 ?? current?.code2) : undefined]
  const named = input.fileIds ? namedFiles(input.fileIds) : (current?.files ?? []).map(({ fileKey, fileId }) => ({ fileKey, fileId }))
  const facts = ahead ?? (await findFormFacts(call, { codes: [code, code2], files: named, answers }))
  const [kept, signature, post, post2] = await Promise.all([
    readFiles(call, named, current, facts),
    readSignature(call, exam),
    choose(db, exam.id, facts.posts, code),
    choose(db, exam.id, facts.posts, code2),
  ])
  const { itemRows, items, signFiles } = facts.form
  const schools = schoolNames(facts.schools)
  const content = withSchools(items, normalizeContent(items, answers), facts.schools)
  const document = documentOf(verified, today)
  const handedIn = new Set(current && current.examine !== 'draft' ? current.files.map(file => file.fileId) : [])
  const problems = [
    ...ofAccount,
    ...problemsOf(facts.form, content, kept, today, handedIn).filter(({ field }) => !ofAccount.some(one => one.field === field)),
    ...postProblems(input, post, post2),
    ...secondChoiceProblems(code2, post2, current),
    ...signature.problems,
    ...schoolProblems(items, content, schools),
  ]
  if (post && post2 && post.code === post2.code) throw new Refused(refuseSignup('signup/second-equals-first', {}))

  const region = regionOf(input, current, items, content, exam.regionLabel)
  const judged = judgeForm({
    ...{ form: facts.form, content, document, post, post2, today, judging: judgingOf(exam, ctx.arrivedAt) },
    ...{ files: kept.files, stored: kept.stored },
    householdRegion: householdRegionOf(exam, items, region),
    schools,
  })
  const pictureIds = await readPictures(call, pictureIdsOf(items, content))
  return {
    ...{ content, document, items: itemRows, signFiles, region, ...kept, pictureIds },
    schoolTitle: titleOfSchool(facts.schools, content),
    ...{ signatureFileId: signature.fileId, problems: [...problems, ...judged.told], foreign, post, post2, judged },
  }
}
