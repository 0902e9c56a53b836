import { toWireDay } from '#contract/kernel/when.ts'
import { demoStaff } from './accounts.ts'
import { dayAt } from './calendar.ts'
import { addDepartments } from './departments.ts'
import { addDutyPosts } from './duty-posts.ts'
import { addCodes, addExam, addPosts, copyForm } from './exams.ts'
import type { EmulatorFacts } from './money-rows.ts'
import { makePeople } from './people.ts'
import { storePictures } from './pictures.ts'
import { type Part, play } from './play.ts'
import { createRegistrar, paperSeed } from './registrar.ts'
import { examColumns, paperWishes, promise, releasedWindows } from './released-exam.ts'
import { createRowBook, takeIds } from './rows.ts'
import { addReviewers, type Staff, type Stage, staff, tellAudit } from './stage.ts'
import type { StoryKind } from './stories.ts'
import { type DemoTools, type Prepared, readSensitive, readTenantPosts } from './tools.ts'

const codes = ['A001', 'A003', 'B001', 'B002', 'C001', 'D001']
/** The first is the demo candidate. */
const secondStories: readonly StoryKind[] = ['due', 'draft', 'waiting', 'waiting', 'waiting', 'returned', 'refused', 'due', 'paid', 'paid']

export const prepareSecond = async (tools: Omit<DemoTools, 'db'>): Promise<Prepared> => {
  const { posts: all, dictionaries } = await readTenantPosts(tools)
  const posts = all.filter(post => codes.includes(post.code))
  const people = makePeople(tools.sources, dictionaries, {
    count: secondStories.length,
    seed: 20_261,
    start: 9_000,
    posts,
    examYear: Number(toWireDay(tools.now).slice(0, 4)),
    onDay: toWireDay(releasedWindows(tools.now).sign_begin),
    today: toWireDay(tools.now),
  })
  return { posts, people, pictures: await storePictures(tools.services.files, tools.tenantId, people) }
}

/** A small examination of another bureau, so that one sees that tenants do not see each other. */
export const writeSecond = async (tools: DemoTools, prepared: Prepared): Promise<EmulatorFacts> => {
  const { db, now } = tools
  const year = Number(toWireDay(now).slice(0, 4))
  const nextId = await takeIds(db, 70 * prepared.people.length + 400)
  const book = createRowBook()
  const emulator: EmulatorFacts = { orders: [], refunds: [] }
  const hired = dayAt(now, -60, '09:00:00')
  const deptOf = await addDepartments(db, book, nextId, 'second', hired)
  const dutyOf = addDutyPosts(
    book,
    nextId,
    demoStaff.second.map(one => one.role),
    hired,
  )
  const registrar = await createRegistrar(db, { book, nextId, cipher: tools.services.cipher, now, hashOf: tools.hashOf, deptOf, dutyOf })
  addCodes(book, nextId, tools.sources, prepared.posts, hired)
  const people = demoStaff.second.map(role => ({ role: role.role, person: registrar.staff(role, hired) }))
  const of = (role: string): Staff[] => people.filter(one => one.role === role).map(one => one.person)
  const [admin] = of('exam_admin')
  if (!admin) throw new Error('the second tenant needs an exam administrator')
  const windows = releasedWindows(now)
  const name = `${year}年第二区卫生系统公开招聘`
  const columns = examColumns(
    {
      name,
      code: `LQ${year}A`,
      examNo: 1,
      year,
      organizer: '第二区卫生健康局',
      phone: '0000-77010000',
      levels: 1,
      managers: [admin.id],
      deptId: deptOf('exams'),
    },
    windows,
  )
  const created = { by: admin.id, at: dayAt(now, -9, '10:00:00') }
  const releasedAt = dayAt(now, -8, '09:00:00')
  const { examId, postIds } = addExam(book, nextId, tools.sources, {
    exam: { ...columns, state: 'released', release_at: releasedAt, release_by: admin.id },
    papers: paperWishes(now, -3, prepared.posts, 2, () => paperSeed(tools.services.cipher, tools.tenantId).columns),
    posts: prepared.posts,
    created,
  })
  const stage: Stage = {
    tenantId: tools.tenantId,
    book,
    nextId,
    cipher: tools.services.cipher,
    cast: { examAdmins: [admin], reviewers1: of('reviewer1'), reviewers2: [], finance: of('finance') },
    pictures: prepared.pictures,
    merchant: tools.merchant,
    sensitive: await readSensitive(db),
    readBefore: dayAt(now, 0, '00:00:00'),
    exam: {
      id: examId,
      name,
      year,
      examNo: 1,
      levels: 1,
      promise,
      signEnd: windows.sign_end,
      modifyEnd: windows.modify_end,
      payEnd: windows.pay_end,
      payLimitMinutes: 30,
    },
    posts: new Map(prepared.posts.map(post => [post.code, post])),
    feeOf: post => post.feeFen ?? 0,
  }
  const parts = secondStories.map((kind, i): Part => {
    const person = prepared.people[i]
    if (!person) throw new Error('there are fewer people than stories')
    return {
      kind,
      portrait: i,
      owner: first =>
        registrar.candidate(person, new Date(first.getTime() - (10 + i) * 60_000), i === 0 ? { account: 'candidate1' } : undefined),
    }
  })
  const played = play(stage, parts, { from: windows.sign_begin, to: now, lockUntil: now, seed: 3 }, emulator, tools.notifyUrl)
  addPosts(book, { examId, postIds, by: admin.id, at: created.at }, prepared.posts, played.usedSign)
  addReviewers(stage, examId)
  book.add('exam_counter', { exam_id: examId, sign_seq: played.signSeq })
  tellAudit(stage, created.at, staff(admin), {
    action: 'examination.created',
    entity: 'examination',
    entityId: examId,
    after: { examCode: `LQ${year}A` },
  })
  tellAudit(stage, releasedAt, staff(admin), {
    action: 'examination.released',
    entity: 'examination',
    entityId: examId,
    after: { examCode: `LQ${year}A` },
  })
  await book.write(db)
  await copyForm(db, examId)
  return emulator
}
