import { createHash } from 'node:crypto'
import { refuse } from '#contract/kernel/errors.ts'
import { type Label, label } from '#contract/kernel/label.ts'
import { sliceOf, toPage } from '#contract/kernel/page.ts'
import type { Refusal } from '#contract/kernel/refusal.ts'
import type { InputOf, OutputOf } from '#contract/kernel/route.ts'
import { toEndMinute, toWireDay, toWireTime } from '#contract/kernel/when.ts'
import { type PayState, payStateWire } from '#contract/pay/order.state.ts'
import { documentKeysOf } from '#contract/person/passport.ts'
import { visibleKeys } from '#contract/signup/content.ts'
import type { GroupNeed, groupSignups, importSignUp, importSignUpPhotos, ownGroups, remindGroup } from '#contract/signup/group.routes.ts'
import { refuseSignup } from '#contract/signup/signup.errors.ts'
import { type SignupState, signupMachine } from '#contract/signup/signup.state.ts'
import { audit } from '#kernel/audit.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { readZip, type ZipProblem } from '#kernel/files/read-zip.ts'
import { withTempFile } from '#kernel/files/temp-file.ts'
import { type Ctx, Refused, type Session, sessionOf } from '#kernel/http/context.ts'
import { findExam, listSignFiles, listSignItems, lockExam } from '#modules/exam/index.ts'
import type { RunImport } from '#modules/transfer/index.ts'
import { setPhoto } from '../data/content.repo.ts'
import {
  countGroups,
  countWithoutPhoto,
  type GroupFilter,
  type GroupRow,
  listToRemind,
  lockByNumber,
  pageGroup,
  takeUntold,
} from '../data/group.repo.ts'
import { lockSignup } from '../data/signup.repo.ts'
import type { SignupContext } from '../deps.ts'
import { isWithin } from '../domain/windows.ts'
import { changeContent } from './change-content.ts'

/** Schools see and hand in their own people; whoever runs examinations sees all. */
export const groupsOf = (session: Session): readonly string[] | undefined =>
  ['administrator', 'admin', 'exam_admin', 'auditor'].some(role => session.roleAliases.has(role)) ? undefined : session.userCodes

/** Signs people up from a workbook. Only an administrator of examinations says that they have passed already. */
export const importGroup = async (run: RunImport, ctx: Ctx, route: string, input: InputOf<typeof importSignUp>) => {
  const session = sessionOf(ctx)
  const groups = groupsOf(session)
  const { passed, ...rest } = input
  if (passed === 1 && !session.roleAliases.has('exam_admin')) return refuse('kernel/forbidden', {})
  const [groupCode = ''] = groups ?? []
  if (groups !== undefined && groupCode === '') return refuseSignup('signup/no-group', {})
  return run(ctx, route, { ...rest, options: { groupCode, ...(passed === 1 ? { passed: 1 } : {}) } })
}

const mostPhotos = 3_000
const photoBytes = 5 * 1024 * 1024
const zipProblems: Readonly<Record<ZipProblem, Label>> = {
  broken: label('不是 zip 压缩包，或文件不完整', 'this is no zip archive, or it is cut off'),
  entries: label(`压缩包内最多 ${mostPhotos} 个文件`, `an archive may hold ${mostPhotos} files at most`),
  size: label('文件过大', 'it is too large'),
}

/** States in which the photo of a sign-up may still be set by whoever handed it in. */
const takesPhoto: readonly string[] = ['draft', 'waiting', 'returned']

const photoBySchool = label('证件照已由学校更换', 'the portrait was replaced by the school')
const photoByStaff = label('证件照已由工作人员更换', 'the portrait was replaced by the staff')

/** Photos of a group: each file of the archive is named by an id number, and what became of it is said. */
export const importPhotos = async (
  deps: SignupContext,
  ctx: Ctx,
  { examId }: InputOf<typeof importSignUpPhotos>,
): Promise<OutputOf<typeof importSignUpPhotos> | Refusal> => {
  const {
    services: { cipher },
    file: files,
  } = deps
  const [archive] = ctx.files
  if (!archive) return refuse('kernel/file-kind', { detail: label('请选择 zip 文件', 'choose a zip file') })
  const session = sessionOf(ctx)
  const filter: GroupFilter = { examId, groups: groupsOf(session) }
  const exam = await ctx.tx(db => findExam(db, examId))
  if (!exam) return refuse('kernel/not-found', {})
  if (exam.state !== 'released' || !isWithin(ctx.arrivedAt, exam.signBegin, exam.modifyEnd ?? exam.signEnd))
    return refuseSignup('signup/exam-not-open', {})
  const said = { total: 0, matched: 0, unknown: [] as string[], refused: [] as { file: string; reason: string }[] }
  const today = toWireDay(ctx.arrivedAt)
  const keep = async (name: string, bytes: Buffer | undefined): Promise<Label | 'unknown' | undefined> => {
    const number = name.replace(/\.[^.]*$/, '').trim()
    const indexes = documentKeysOf(number, today).map(key => cipher.blindIndex(ctx.tenantId, 'id-card', key))
    if (indexes.length === 0) return 'unknown'
    if (bytes === undefined)
      return label(`照片不能超过 ${photoBytes / 1024 / 1024} MB`, `a photo may have ${photoBytes / 1024 / 1024} MB at most`)
    return ctx.tx(async db => {
      const open = await lockExam(db, examId)
      const place = await lockByNumber(db, filter, indexes)
      const row = place && (await lockSignup(db, place.signupId))
      if (!open || !place || !row) return 'unknown'
      if (!takesPhoto.includes(place.examine)) {
        const { zh, en } = signupMachine.label[place.examine as SignupState]
        return label(`报名${zh}，不能再改照片`, `the sign-up is “${en}”, its photo stays`)
      }
      const sha256 = createHash('sha256').update(bytes).digest('hex')
      const stored = await withTempFile(bytes, path =>
        files.keepUpload(db, {
          file: { part: 'photo', name, path, sizeBytes: bytes.length, sha256 },
          userId: place.userId,
          ownerKind: 'signup',
          ownerId: place.signupId,
          purpose: 'photo',
        }),
      )
      const photo = {
        ...{ fileKey: 'photo', fileId: stored.id, name, size: Number(stored.sizeBytes), mime: stored.mime, sha256: stored.sha256 },
        uploadTime: toWireTime(ctx.arrivedAt),
      }
      const withPhoto = [photo, ...row.files.filter(one => one.fileKey !== 'photo')]
      const signVersion = await changeContent(deps, db, open, row, {
        ...{
          set: setPhoto(withPhoto, stored.id),
          form: { files: withPhoto },
          told: filter.groups === undefined ? photoByStaff : photoBySchool,
        },
      })
      await audit(db, ctx, {
        action: 'signup.photo-set',
        entity: 'signup',
        entityId: row.id,
        before: { fileId: row.photoFileId },
        after: { fileId: stored.id, signVersion },
      })
      return undefined
    })
  }
  const problem = await readZip(archive.path, { maxEntries: mostPhotos, maxFileBytes: photoBytes }, async ({ name, bytes }) => {
    said.total += 1
    const wrong = await keep(name, bytes).catch((error: unknown) => {
      if (error instanceof Refused) return error.refusal.text
      throw error
    })
    if (wrong === undefined) said.matched += 1
    else if (wrong === 'unknown') said.unknown.push(name.slice(0, 100))
    else said.refused.push({ file: name.slice(0, 100), reason: ctx.say(wrong) })
  })
  if (problem && said.total === 0) return refuse('kernel/file-kind', { detail: zipProblems[problem] })
  if (problem) said.refused.push({ file: archive.name, reason: ctx.say(zipProblems[problem]) })
  return { ...said, missing: await ctx.tx(db => countWithoutPhoto(db, filter)) }
}

interface Asked {
  readonly items: Awaited<ReturnType<typeof listSignItems>>
  readonly files: Awaited<ReturnType<typeof listSignFiles>>
}

/** What somebody whom others signed up still has to do, in the order in which it is done. */
const needsOf = (row: GroupRow, { items, files }: Asked): GroupNeed[] => {
  const { examine } = row
  if (examine === 'withdrawn' || examine === 'disqualified' || examine === 'refused') return []
  if (examine === 'returned') return ['correct']
  if (examine === 'passed') return row.payState === 'due' ? ['pay'] : []
  if (row.hasPromised) return []
  const answered = new Set(row.answered)
  const asked = visibleKeys(items, {})
  const isAnswered = items.every(item => item.required !== 1 || !asked.has(item.itemKey) || answered.has(item.itemKey))
  const missing = files.filter(file => file.required === 1 && !row.fileKeys.includes(file.fileKey))
  return [
    ...(row.hasPassword ? [] : (['login'] as const)),
    ...(isAnswered ? [] : (['answers'] as const)),
    ...(missing.some(file => file.kind === 1) ? (['photo'] as const) : []),
    ...(missing.some(file => file.kind !== 1) ? (['files'] as const) : []),
    'promise',
  ]
}

/** What a group has handed in, and what each person still has to do. */
export const listGroup = async (db: TenantDb, ctx: Ctx, input: InputOf<typeof groupSignups>) => {
  if (!(await findExam(db, input.examId))) throw new Refused(refuse('kernel/not-found', {}))
  const { current, size, offset } = sliceOf(input)
  const filter = { examId: input.examId, groups: groupsOf(sessionOf(ctx)), keyword: input.keyword || undefined, open: input.open === 1 }
  const { rows, total } = await pageGroup(db, filter, size, offset)
  const asked: Asked = { items: await listSignItems(db, input.examId), files: await listSignFiles(db, input.examId) }
  const records = rows.map(row => ({
    ...{ signupId: row.signupId, signNo: row.signNo, name: row.name ?? '', idCardMask: row.idCardMask, phoneMask: row.phoneMask },
    ...{
      code: row.code,
      codeName: row.codeName,
      unitName: row.unitName,
      groupCode: row.groupCode,
      groupName: row.groupName,
      told: row.told,
    },
    examine: signupMachine.wire[row.examine as SignupState],
    payState: payStateWire[row.payState as PayState],
    importedAt: toWireTime(row.importedAt),
    needs: needsOf(row, asked),
  }))
  return toPage(records, total, current, size)
}

/** The own schools of whoever hands people in; empty for whoever sees all. */
export const readOwnGroups = async (db: TenantDb, ctx: Ctx, { examId }: InputOf<typeof ownGroups>) => {
  if (!(await findExam(db, examId))) throw new Refused(refuse('kernel/not-found', {}))
  return countGroups(db, examId, groupsOf(sessionOf(ctx)) ?? [])
}

/** Reminds people of a group of what they still have to do, by a message and a text message, once a day at most. */
export const remindPeople = async (
  { message }: SignupContext,
  db: TenantDb,
  ctx: Ctx,
  { examId, signupIds }: InputOf<typeof remindGroup>,
) => {
  const exam = await findExam(db, examId)
  if (!exam) return refuse('kernel/not-found', {})
  if (exam.state !== 'released') return refuseSignup('signup/exam-not-open', {})
  const ids = [...new Set(signupIds.split(','))]
  const people = await listToRemind(db, { examId, groups: groupsOf(sessionOf(ctx)) }, ids, toWireDay(ctx.arrivedAt))
  await message.notifyEach(db, people, {
    examId,
    kind: 1,
    title: { zh: '请尽快完成报名', en: 'Your sign-up is not complete yet' },
    content: {
      zh: `${exam.examName}：您的报名还有未完成的事项，请登录查看并在截止前完成。`,
      en: `${exam.examName}: something is left to do for your sign-up. Log in to see what, and do it in time.`,
    },
    link: `/signup/form/${examId}`,
  })
  const deadline = exam.signEnd ? toEndMinute(exam.signEnd) : '-'
  for (const { userId } of people) await message.sendSmsByDay(db, { userId, examId }, 'group-signup', { exam: exam.examName, deadline })
  if (people.length > 0)
    await audit(db, ctx, {
      action: 'signup.group-reminded',
      entity: 'examination',
      entityId: examId,
      after: { signups: people.map(person => person.signupId) },
    })
  return { reminded: people.length, skipped: ids.length - people.length }
}

const toldAtOnce = 200
/** Text messages to people whom a group signed up, some at a time. @returns whether some are left */
export const tellGroup = async ({ message }: SignupContext, db: TenantDb, importId: string): Promise<boolean> => {
  const people = await takeUntold(db, importId, toldAtOnce)
  const exam = people[0] && (await findExam(db, people[0].examId))
  if (!exam) return false
  const deadline = exam.signEnd ? toEndMinute(exam.signEnd) : '-'
  for (const { userId } of people)
    await message.sendSmsByDay(db, { userId, examId: exam.id }, 'group-signup', { exam: exam.examName, deadline })
  return people.length === toldAtOnce
}
