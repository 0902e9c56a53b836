import { stage as stages } from '#contract/selection/words.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'
import type { PostInput } from '#modules/exam/domain/post-sheet.ts'
import { findExam } from '#modules/exam/index.ts'
import { insertNotice, insertNoticesOfEach } from '#modules/message/data/notify.repo.ts'
import { callToReview, lockSelection } from '#modules/selection/commands/fill.ts'
import { leaveReview } from '#modules/selection/commands/leave.ts'
import { listCalls, moveCall } from '#modules/selection/data/call.repo.ts'
import { listUncalled, lockPerson, moveReview, storePapers } from '#modules/selection/data/person.repo.ts'
import { insertStep } from '#modules/selection/data/step.repo.ts'
import type { Telling } from '#modules/selection/deps.ts'
import { dayAt, windowsFrom } from './calendar.ts'
import { endExam } from './closed-exam.ts'
import { addExam, addPosts } from './exams.ts'
import { type Frame, only, yearOf } from './last-year.ts'
import type { DemoPerson } from './people.ts'
import { type Part, play } from './play.ts'
import { paperSeed } from './registrar.ts'
import { examColumns, paperWishes, promise } from './released-exam.ts'
import { createRowBook } from './rows.ts'
import { type Stage, staff, tellAudit, tellSms } from './stage.ts'

export const recheckCount = 24
const codes = ['B001', 'B002']
/** One place each, so that three are called of a dozen and some are left who may move up. */
export const recheckPosts = (posts: readonly PostInput[]): PostInput[] =>
  only(posts, codes).map(post => ({ ...post, planNum: 1, feeFen: 10_000 }))
/** Sign-up began so many days ago, so that the written papers are over and the interview is still to come. */
const beganDaysAgo = 44
const interviewIn = 12

/**
 * An examination between its written papers and its interview: those on the shortlist were called to the re-review. Of the first post somebody gave up,
 * and the next in rank moved up and has not answered yet; of the second one has passed and one is asked for more papers.
 *
 * @returns what has to be done when the rows are written, with the account that whoever moved up logs in by
 */
export const writeRecheck = ({ tools, prepared, stage, registrar, emulator, admins, deptOf }: Frame, people: readonly DemoPerson[]) => {
  const { now } = tools
  const year = yearOf(now)
  const posts = recheckPosts(prepared.posts)
  const windows = {
    ...windowsFrom(now, -beganDaysAgo),
    ms_ticket_begin: dayAt(now, interviewIn - 4, '09:00:00'),
    ms_ticket_end: dayAt(now, interviewIn, '08:00:00'),
  }
  const seeds = new Map<string, Buffer>()
  const isWritten = (code: string): boolean => code !== '51'
  const [imported, released] = [dayAt(now, -9, '10:00:00'), dayAt(now, -7, '09:00:00')]
  const wishes = paperWishes(now, -beganDaysAgo, posts, 4, code => {
    const { seed, columns } = paperSeed(tools.services.cipher, tools.tenantId)
    if (!isWritten(code)) return columns
    seeds.set(code, seed)
    return id => ({
      ...columns(id),
      ...{ seed_reveal: seed.toString('hex'), ticket_state: 'ended', allot_version: 1, score_state: 'released' },
      ...{ score_import_by: admins[0].id, score_import_at: imported, score_release_by: admins[1].id, score_release_at: released },
    })
  }).map(wish => (isWritten(wish.code) ? wish : { ...wish, startTime: dayAt(now, interviewIn, '09:00:00') }))
  const [name, code] = [`${year}年区卫生健康系统第一批编外人员招聘`, `HZ${year}C`]
  const created = { by: admins[0].id, at: dayAt(now, -beganDaysAgo - 12, '09:30:00') }
  const releasedAt = dayAt(now, -beganDaysAgo - 7, '09:00:00')
  const facts = { name, code, examNo: 2, year, organizer: '区卫生健康局', phone: '0000-88010000', levels: 2 as const }
  const { examId, paperIds, postIds } = addExam(stage.book, stage.nextId, tools.sources, {
    exam: {
      ...examColumns({ ...facts, managers: admins.map(one => one.id), deptId: deptOf('exams') }, windows),
      ...{ exam_type: 2, state: 'released', release_at: releasedAt, release_by: admins[0].id, score_begin: released },
    },
    papers: wishes,
    posts,
    created,
  })
  const examStage: Stage = {
    ...stage,
    exam: {
      ...{ id: examId, name, year, examNo: facts.examNo, levels: facts.levels, promise },
      ...{ signEnd: windows.sign_end, modifyEnd: windows.modify_end, payEnd: windows.pay_end, payLimitMinutes: 30 },
    },
    posts: new Map(posts.map(post => [post.code, post])),
    feeOf: post => post.feeFen ?? 0,
  }
  const parts = people.map(
    (person): Part => ({
      kind: 'paid',
      portrait: prepared.people.indexOf(person),
      owner: first => registrar.candidate(person, new Date(first.getTime() - 40 * 60_000)),
    }),
  )
  const played = play(
    examStage,
    parts,
    { from: windows.sign_begin, to: windows.pay_end, lockUntil: windows.pay_end, seed: 4 },
    emulator,
    tools.notifyUrl,
  )
  addPosts(stage.book, { examId, postIds, by: admins[0].id, at: created.at }, posts, played.usedSign)
  stage.book.add('exam_counter', { exam_id: examId, sign_seq: played.signSeq })
  const rank = endExam(
    examStage,
    played,
    wishes.filter(wish => isWritten(wish.code)).map(wish => ({ ...wish, id: paperIds.get(wish.code) ?? '' })),
    seeds,
    { allocated: dayAt(now, 21 - beganDaysAgo, '14:00:00'), ticketsReleased: windows.ticket_begin, imported, resultsReleased: released },
  )
  for (const [action, when] of [
    ['examination.created', created.at],
    ['examination.released', releasedAt],
  ] as const)
    tellAudit(stage, when, staff(admins[0]), { action, entity: 'examination', entityId: examId, after: { examCode: code } })
  const finish = async (db: TenantDb, login: { readonly account: string; readonly hash: string }): Promise<void> => {
    await rank(db)
    await review(db, { tools, stage, examId, played, officer: admins[0].name, login })
  }
  return { examId, finish }
}

/** The calls and what became of them, by the rules of the re-review itself; the clock of the database stands at each of the days. */
const review = async (
  db: TenantDb,
  of: {
    readonly tools: Frame['tools']
    readonly stage: Frame['stage']
    readonly examId: string
    readonly played: ReturnType<typeof play>
    readonly officer: string
    readonly login: { readonly account: string; readonly hash: string }
  },
): Promise<void> => {
  const { tools, stage, examId } = of
  const phones = new Map(of.played.lives.map(({ owner }) => [owner.userId, owner.person.phone]))
  const texts = createRowBook()
  let today = tools.now
  const clock = async (at: Date): Promise<void> => {
    today = at
    await db.run(sql`select set_config('app.now', ${at.toISOString()}, true)`)
  }
  const kit: Telling = {
    message: {
      notify: insertNotice,
      notifyEach: insertNoticesOfEach,
      sendSmsByDay: async (_, { userId }, template, params) => {
        tellSms({ ...stage, book: texts }, today, { userId, phone: phones.get(userId) ?? '' }, template, params)
        return undefined
      },
    },
  }
  const exam = await findExam(db, examId)
  if (!exam) throw new Error('the examination of the re-review is not there')
  await db.run(sql`update sign_file set stage = 2 where exam_id = ${examId} and file_key = 'diploma'`)
  const by = { ctx: undefined, name: of.officer }
  await lockSelection(db, examId)
  await clock(dayAt(tools.now, -3, '10:05:00'))
  const called = await listUncalled(db, examId)
  await callToReview(kit, db, exam, called, {
    ...{ kind: 1, deadline: dayAt(tools.now, 1, '17:00:00'), by },
    placesOf: () => ({ places: exam.shortlistRatio, remaining: 0 }),
  })
  const [first = [], second = []] = [...Map.groupBy(called, person => person.code).values()].sort((a, b) => b.length - a.length)
  const held = async (signupId: string) => {
    const person = await lockPerson(db, signupId)
    if (!person) throw new Error('somebody who was called is there')
    return person
  }
  const stepOf = (person: Awaited<ReturnType<typeof held>>, byName: string) => ({
    ...{ examId, code: person.code, signupId: person.signupId, userId: person.userId, stage: stages.recheck, byName },
  })
  await clock(dayAt(tools.now, -2, '19:40:00'))
  for (const { signupId } of [...first.slice(0, 2), ...second.slice(0, 2)]) {
    const person = await held(signupId)
    const [call] = await listCalls(db, signupId)
    if (call) await moveCall(db, call.id, 'waiting', 'confirmed')
    await insertStep(db, { ...stepOf(person, person.name), kind: 'confirmed', facts: { stage: stages.recheck } })
  }
  await clock(dayAt(tools.now, -1, '15:20:00'))
  const decide = async (signupId: string | undefined, to: 'passed' | 'supplement', kind: 'passed' | 'askedMore', remark: string | null) => {
    const person = await held(signupId ?? '')
    await moveReview(
      db,
      person.signupId,
      { from: person.review, to },
      { remark, isDecision: true, ...(to === 'passed' ? { stage: stages.interview } : {}) },
    )
    const advice = { kind: 'file', key: 'diploma', label: '毕业证书', advice: remark ?? '' } as const
    await storePapers(db, person.signupId, { advisements: to === 'supplement' ? [advice] : [] })
    await insertStep(db, { ...stepOf(person, of.officer), kind, facts: { stage: stages.recheck, ...(remark ? { reason: remark } : {}) } })
  }
  await decide(second[0]?.signupId, 'passed', 'passed', null)
  await decide(second[1]?.signupId, 'supplement', 'askedMore', '毕业证书照片不清晰，请重新上传')
  await clock(tools.now)
  const leaving = await held(first[1]?.signupId ?? '')
  await leaveReview(kit, db, exam, leaving, { kind: 'declined', remark: null, by: { ctx: undefined, name: leaving.name } })
  const next = await db.maybe(sql<{ userId: string }>`
    select user_id::text as "userId" from selection_call where exam_id = ${examId} and kind = 2 and state = 'waiting' order by id limit 1`)
  if (!next) throw new Error('nobody moved up in the re-review of the demo')
  await db.run(sql`
    update account set account = ${of.login.account}, account_key = ${of.login.account}, password_hash = ${of.login.hash}, password_changed_at = app_now()
    where id = ${next.userId}`)
  await texts.write(db)
}
