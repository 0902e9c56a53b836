import { toWireDay } from '#contract/kernel/when.ts'
import { seedRandom } from '../generate/random.ts'
import { demoStaff } from './accounts.ts'
import { at, dayAt, windowsFrom } from './calendar.ts'
import { addDepartments, type DeptKey } from './departments.ts'
import { addDutyPosts } from './duty-posts.ts'
import { addCodes, addExam, addPosts, copyForm } from './exams.ts'
import { type Frame, lastYearCodes, lastYearCount, only, writeLastYear, yearOf } from './last-year.ts'
import { writeModels } from './models.ts'
import type { EmulatorFacts } from './money-rows.ts'
import { type DemoPerson, makePeople } from './people.ts'
import { storePictures } from './pictures.ts'
import { type Part, play } from './play.ts'
import { recheckCount, recheckPosts, writeRecheck } from './recheck.ts'
import { createRegistrar, paperSeed } from './registrar.ts'
import { examColumns, paperWishes, promise, releasedWindows } from './released-exam.ts'
import { createRowBook, takeIds } from './rows.ts'
import { addReviewers, type Cast, type Owner, type Staff, type Stage, staff, tellAudit, tellNotice } from './stage.ts'
import { addStorage } from './storage.ts'
import { isAboutMoney, type StoryKind, storyCounts, storyKinds } from './stories.ts'
import { type DemoTools, type Prepared, readSensitive, readTenantPosts } from './tools.ts'

const largeCount = Object.values(storyCounts).reduce((sum, count) => sum + count, 0)
/** Above the 120 an hour from which on somebody without such a habit is told of. */
const curiousReads = 140
const draftCodes = ['A003', 'A004', 'A005', 'B003', 'B004', 'C002', 'C003', 'D002', 'E001', 'F002', 'F003', 'G001']

const cdcCodes = ['E002', 'E003', 'E005', 'E006', 'E009']

/** 300 people of the released examination, 59 of last year's, those of the re-review, and at the end one without a sign-up, who has uploaded nothing. */
export const prepareFirst = async (tools: Omit<DemoTools, 'db'>): Promise<Prepared> => {
  const { posts, dictionaries } = await readTenantPosts(tools)
  const today = toWireDay(tools.now)
  const year = yearOf(tools.now)
  const large = makePeople(tools.sources, dictionaries, {
    count: largeCount + 1,
    seed: 20_260,
    start: 0,
    posts,
    examYear: year,
    onDay: toWireDay(releasedWindows(tools.now).sign_begin),
    today,
  })
  const closed = makePeople(tools.sources, dictionaries, {
    count: lastYearCount - 1,
    seed: 20_250,
    start: 5_000,
    posts: only(posts, lastYearCodes),
    examYear: year - 1,
    onDay: `${year - 1}-03-09`,
    today,
  })
  const rechecked = makePeople(tools.sources, dictionaries, {
    ...{ count: recheckCount, seed: 20_262, start: 7_000, posts: recheckPosts(posts), examYear: year, onDay: today, today },
  })
  const once = (people: readonly DemoPerson[], taken: ReadonlySet<string>) => people.filter(person => !taken.has(person.idCard))
  const taken = new Set(large.map(person => person.idCard))
  const before = once(closed, taken)
  for (const person of before) taken.add(person.idCard)
  const inRecheck = once(rechecked, taken)
  const signedUp = [...large.slice(0, largeCount), ...before, ...inRecheck]
  return {
    posts,
    people: [...signedUp, ...large.slice(largeCount)],
    rechecked: inRecheck,
    pictures: await storePictures(tools.services.files, tools.tenantId, signedUp),
  }
}

/** Which story each of the people plays: shuffled, with fees where the story is about money. */
const castStories = (people: readonly DemoPerson[], feeOf: (code: string) => number): StoryKind[] => {
  const random = seedRandom(4711)
  const kinds = storyKinds.flatMap(kind => Array.from({ length: storyCounts[kind] }, () => kind))
  for (let i = kinds.length - 1; i > 0; i -= 1) {
    const j = random.int(0, i)
    const [a, b] = [kinds[i], kinds[j]]
    if (a && b) [kinds[i], kinds[j]] = [b, a]
  }
  for (const [i, kind] of kinds.entries()) {
    if (!isAboutMoney(kind) || feeOf(people[i]?.code ?? '') > 0) continue
    const j = kinds.findIndex((other, at) => !isAboutMoney(other) && feeOf(people[at]?.code ?? '') > 0)
    const other = kinds[j]
    if (other) [kinds[i], kinds[j]] = [other, kind]
  }
  return kinds
}

/** The demo candidate has passed and owes the fee, and sat for a post of the same code last year. @returns their place among the people */
const castDemoCandidate = (kinds: StoryKind[], people: readonly DemoPerson[], feeOf: (code: string) => number): number => {
  const place = people.findIndex(person => lastYearCodes.includes(person.code) && feeOf(person.code) > 0)
  const due = kinds.indexOf('due')
  const kind = kinds[place]
  // Both posts have a fee, so both stories can be told of either.
  if (kind) [kinds[place], kinds[due]] = ['due', kind]
  return place
}

/** The released examination with all posts and sign-ups in every state. */
const writeReleased = (
  { tools, prepared, stage, registrar, emulator, admins, deptOf }: Frame,
  kinds: readonly StoryKind[],
  demo: Owner,
) => {
  const { now } = tools
  const year = yearOf(now)
  const windows = releasedWindows(now)
  const name = `${year}年区卫生健康系统事业单位公开招聘`
  const facts = {
    name,
    code: `HZ${year}A`,
    examNo: 3,
    year,
    organizer: '区卫生健康局',
    phone: '0000-88010000',
    levels: 2 as const,
    managers: admins.map(one => one.id),
    deptId: deptOf('exams'),
  }
  const created = { by: admins[0].id, at: dayAt(now, -12, '10:20:00') }
  const releasedAt = dayAt(now, -10, '09:00:00')
  const columns = examColumns(facts, windows)
  const { examId, postIds } = addExam(stage.book, stage.nextId, tools.sources, {
    exam: { ...columns, state: 'released', release_at: releasedAt, release_by: admins[0].id },
    papers: paperWishes(now, -3, prepared.posts, 8, () => paperSeed(tools.services.cipher, tools.tenantId).columns),
    posts: prepared.posts,
    created,
  })
  const examStage: Stage = {
    ...stage,
    exam: {
      id: examId,
      name,
      year,
      examNo: 3,
      levels: 2,
      promise,
      signEnd: windows.sign_end,
      modifyEnd: windows.modify_end,
      payEnd: windows.pay_end,
      payLimitMinutes: 30,
    },
    posts: new Map(prepared.posts.map(post => [post.code, post])),
    feeOf: post => post.feeFen ?? 0,
  }
  const parts = kinds.map((kind, i): Part => {
    const person = prepared.people[i]
    if (!person) throw new Error('there are fewer people than stories')
    return {
      kind,
      portrait: i,
      owner: first => (person === demo.person ? demo : registrar.candidate(person, new Date(first.getTime() - (5 + (i % 90)) * 60_000))),
    }
  })
  const lockUntil = new Date(now.getTime() + 10 * 60_000)
  const played = play(examStage, parts, { from: windows.sign_begin, to: now, lockUntil, seed: 1 }, emulator, tools.notifyUrl)
  addPosts(stage.book, { examId, postIds, by: admins[0].id, at: created.at }, prepared.posts, played.usedSign)
  stage.book.add('exam_counter', { exam_id: examId, sign_seq: played.signSeq })
  tellAudit(stage, created.at, staff(admins[0]), {
    action: 'examination.created',
    entity: 'examination',
    entityId: examId,
    after: { examCode: facts.code },
  })
  tellAudit(stage, releasedAt, staff(admins[0]), {
    action: 'examination.released',
    entity: 'examination',
    entityId: examId,
    after: { examCode: facts.code },
  })
  return { examId, name, played }
}

interface DraftWish {
  readonly name: string
  readonly code: string
  readonly examNo: number
  readonly organizer: string
  readonly dept: DeptKey
  readonly by: Staff
  readonly codes: readonly string[]
}
/** A draft that lacks its undertaking and the end of payment, so that the list of what is missing has something to say. */
const writeDraft = ({ tools, prepared, stage, deptOf }: Frame, wish: DraftWish): string => {
  const year = yearOf(tools.now)
  const posts = only(prepared.posts, wish.codes)
  const created = { by: wish.by.id, at: dayAt(tools.now, -1, '15:40:00') }
  const { examId, postIds } = addExam(stage.book, stage.nextId, tools.sources, {
    exam: {
      ...examColumns(
        {
          name: wish.name,
          code: wish.code,
          examNo: wish.examNo,
          year,
          organizer: wish.organizer,
          phone: '0000-88010000',
          levels: 1,
          managers: [wish.by.id],
          deptId: deptOf(wish.dept),
        },
        { ...windowsFrom(tools.now, 30), pay_end: null },
      ),
      exam_type: 2,
      state: 'draft',
      promise: '',
    },
    papers: paperWishes(tools.now, 30, posts, 4),
    posts,
    created,
  })
  addPosts(stage.book, { examId, postIds, by: wish.by.id, at: created.at }, posts, new Map())
  stage.book.add('exam_counter', { exam_id: examId, sign_seq: 0 })
  tellAudit(stage, created.at, staff(wish.by), {
    action: 'examination.created',
    entity: 'examination',
    entityId: examId,
    after: { examCode: wish.code },
  })
  return examId
}

export const writeFirst = async (tools: DemoTools, prepared: Prepared): Promise<EmulatorFacts> => {
  const { db, now } = tools
  const nextId = await takeIds(db, 70 * prepared.people.length + 1_000)
  const book = createRowBook()
  const emulator: EmulatorFacts = { orders: [], refunds: [] }
  const hired = at(`${yearOf(now) - 1}-01-06 09:00:00`)
  const deptOf = await addDepartments(db, book, nextId, 'first', hired)
  const dutyOf = addDutyPosts(
    book,
    nextId,
    demoStaff.first.map(one => one.role),
    hired,
  )
  const registrar = await createRegistrar(db, { book, nextId, cipher: tools.services.cipher, now, hashOf: tools.hashOf, deptOf, dutyOf })
  addCodes(book, nextId, tools.sources, prepared.posts, hired)
  const people = demoStaff.first.map(one => ({ role: one.role, dept: one.dept, person: registrar.staff(one, hired) }))
  const of = (role: string): Staff[] => people.filter(one => one.role === role).map(one => one.person)
  const ofDept = (dept: DeptKey): Staff[] => people.filter(one => one.role === 'exam_admin' && one.dept === dept).map(one => one.person)
  const cast: Cast = { examAdmins: ofDept('exams'), reviewers1: of('reviewer1'), reviewers2: of('reviewer2'), finance: of('finance') }
  const [first, second] = cast.examAdmins
  if (!first || !second) throw new Error('the demo needs two exam administrators')
  addStorage(book, nextId, { pictures: prepared.pictures, by: of('admin')[0] ?? first, at: dayAt(now, -12, '09:40:00') })
  const feeOf = (code: string): number => prepared.posts.find(post => post.code === code)?.feeFen ?? 0
  const kinds = castStories(prepared.people, feeOf)
  const demoIndex = castDemoCandidate(kinds, prepared.people, feeOf)
  const [demoCandidate, newcomer] = [prepared.people[demoIndex], prepared.people.at(-1)]
  if (!demoCandidate || !newcomer) throw new Error('nobody can play the demo candidates')
  const frame: Frame = {
    tools,
    prepared,
    registrar,
    emulator,
    admins: [first, second],
    deptOf,
    stage: {
      tenantId: tools.tenantId,
      book,
      nextId,
      cipher: tools.services.cipher,
      cast,
      pictures: prepared.pictures,
      merchant: tools.merchant,
      sensitive: await readSensitive(db),
      readBefore: dayAt(now, 0, '00:00:00'),
    },
  }
  const inRecheck = prepared.rechecked ?? []
  const closed = writeLastYear(frame, demoCandidate, prepared.people.slice(largeCount, -1 - inRecheck.length))
  const recheck = writeRecheck(frame, inRecheck)
  const released = writeReleased(frame, kinds, closed.demo)
  for (const { examId } of [closed, recheck, released]) addReviewers(frame.stage, examId)
  const year = yearOf(now)
  const [elsewhere] = ofDept('cdcStaff')
  if (!elsewhere) throw new Error('the demo needs an exam administrator of another department')
  const draftIds = [
    writeDraft(frame, {
      name: `${year}年第二批编外卫生专业技术人员招聘`,
      code: `HZ${year}B`,
      examNo: 4,
      organizer: '区卫生健康局',
      dept: 'exams',
      by: second,
      codes: draftCodes,
    }),
    // Of another department: who belongs to the first does not see it, and the other way round.
    writeDraft(frame, {
      name: `${year}年区疾病预防控制中心编外人员招聘`,
      code: `JK${year}A`,
      examNo: 5,
      organizer: '区疾病预防控制中心',
      dept: 'cdc',
      by: elsewhere,
      codes: cdcCodes,
    }),
  ]

  const joined = dayAt(now, -1, '19:12:00')
  const { userId } = registrar.candidate(newcomer, joined, { account: 'candidate2' })
  tellNotice(
    frame.stage,
    joined,
    { userId, examId: null, keepsUnread: true },
    {
      kind: 7,
      title: { zh: '注册成功', en: 'Registration complete' },
      content: { zh: `欢迎使用。${released.name}正在报名，可在“报名”页选择岗位。`, en: `Welcome. ${released.name} is open for sign-up.` },
      link: '/signup/examList',
      eventKey: `account.approved:${userId}`,
    },
  )
  const waiting = released.played.lives.filter(({ life }) => life.state() === 'waiting').length
  const asked = storyCounts.refundAsked
  for (const person of [...cast.reviewers1, ...cast.examAdmins])
    tellNotice(
      frame.stage,
      now,
      { userId: person.id, examId: released.examId, keepsUnread: true },
      {
        kind: 7,
        title: { zh: '有报名等待审核', en: 'Sign-ups are waiting for review' },
        content: { zh: `${released.name}：待审 ${waiting} 份。`, en: `${released.name}: ${waiting} sign-ups are waiting.` },
        link: '/examine/list',
        eventKey: `review.waiting:${toWireDay(now)}`,
      },
    )
  for (const person of cast.finance)
    tellNotice(
      frame.stage,
      now,
      { userId: person.id, examId: released.examId, keepsUnread: true },
      {
        kind: 7,
        title: { zh: '退费申请待审批', en: 'Refunds wait for approval' },
        content: { zh: `${released.name}：待审批退费 ${asked} 笔。`, en: `${released.name}: ${asked} refunds wait for approval.` },
        link: '/pay/payRefund?waitsFor=1',
        eventKey: `refund.waiting:${toWireDay(now)}`,
      },
    )
  // One evening of somebody who reads far more than usual: the program finds it by itself and tells the auditor and the security administrator.
  const [curious] = cast.reviewers1
  const evening = dayAt(now, -1, '20:05:00')
  for (const [n, { life }] of released.played.lives.slice(0, curiousReads).entries())
    if (curious)
      tellAudit(frame.stage, new Date(evening.getTime() + n * 20_000), staff(curious), {
        action: 'signup.read',
        entity: 'signup',
        entityId: life.signupId,
      })
  await book.write(db)
  for (const examId of [closed.examId, recheck.examId, released.examId, ...draftIds]) await copyForm(db, examId)
  await closed.finish(db)
  await recheck.finish(db, { account: 'candidate3', hash: tools.hashOf('candidate3') })
  await writeModels(db)
  return emulator
}
