import { toWireDay } from '#contract/kernel/when.ts'
import type { PostInput } from '#modules/exam/domain/post-sheet.ts'
import { at, dayAt, windowsFrom } from './calendar.ts'
import { endExam } from './closed-exam.ts'
import type { DeptKey } from './departments.ts'
import { addExam, addPosts } from './exams.ts'
import type { EmulatorFacts } from './money-rows.ts'
import type { DemoPerson } from './people.ts'
import { type Part, play } from './play.ts'
import { paperSeed, type Registrar } from './registrar.ts'
import { examColumns, paperWishes, promise } from './released-exam.ts'
import { type Owner, type Staff, type Stage, staff, tellAudit } from './stage.ts'
import type { DemoTools, Prepared } from './tools.ts'

export const lastYearCount = 60
/** Posts of last year's examination; the demo candidate of this year sat for one of them. */
export const lastYearCodes = ['A001', 'B001', 'B002', 'C001', 'D001', 'F001']

export const yearOf = (now: Date): number => Number(toWireDay(now).slice(0, 4))

export const only = (posts: readonly PostInput[], codes: readonly string[]): PostInput[] => posts.filter(post => codes.includes(post.code))
/** A fee that last year's posts all had. */
const withFee = (posts: readonly PostInput[], feeFen: number): PostInput[] => posts.map(post => ({ ...post, feeFen }))

/** What the examinations of the first tenant are made with. */
export interface Frame {
  readonly tools: DemoTools
  readonly prepared: Prepared
  readonly stage: Omit<Stage, 'exam' | 'posts' | 'feeOf'>
  readonly registrar: Registrar
  readonly emulator: EmulatorFacts
  readonly admins: readonly [Staff, Staff]
  readonly deptOf: (key: DeptKey) => string
}

/** Last year's examination: 60 people with tickets and released results, closed. */
export const writeLastYear = (
  { tools, prepared, stage, registrar, emulator, admins, deptOf }: Frame,
  demoCandidate: DemoPerson,
  others: readonly DemoPerson[],
) => {
  const year = yearOf(tools.now) - 1
  const posts = withFee(only(prepared.posts, lastYearCodes), 10_000)
  const begin = at(`${year}-03-09 09:00:00`)
  const windows = windowsFrom(begin, 0)
  const seeds = new Map<string, Buffer>()
  const wishes = paperWishes(begin, 0, posts, 4, code => {
    const { seed, columns } = paperSeed(tools.services.cipher, tools.tenantId)
    seeds.set(code, seed)
    return id => ({
      ...columns(id),
      seed_reveal: seed.toString('hex'),
      ticket_state: 'ended',
      allot_version: 1,
      score_state: 'released',
      score_import_by: admins[0].id,
      score_import_at: at(`${year}-04-20 10:00:00`),
      score_release_by: admins[1].id,
      score_release_at: at(`${year}-04-22 09:00:00`),
    })
  })
  const name = `${year}年区卫生健康系统公开招聘工作人员`
  const created = { by: admins[0].id, at: at(`${year}-02-20 09:30:00`) }
  const { examId, paperIds, postIds } = addExam(stage.book, stage.nextId, tools.sources, {
    exam: {
      ...examColumns(
        {
          name,
          code: `HZ${year}A`,
          examNo: 3,
          year,
          organizer: '区卫生健康局',
          phone: '0000-88010000',
          levels: 2,
          managers: admins.map(one => one.id),
          deptId: deptOf('exams'),
        },
        windows,
      ),
      state: 'closed',
      release_at: at(`${year}-03-02 09:00:00`),
      release_by: admins[0].id,
      close_at: at(`${year}-06-30 17:00:00`),
      close_by: admins[0].id,
      close_reason: '本次招聘工作已结束',
      score_begin: at(`${year}-04-22 09:00:00`),
    },
    papers: wishes,
    posts,
    created,
  })
  const closedStage: Stage = {
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
    posts: new Map(posts.map(post => [post.code, post])),
    feeOf: post => post.feeFen ?? 0,
  }
  let demo: Owner | undefined
  const registered = (person: DemoPerson, first: Date, login?: { account: string }): Owner =>
    registrar.candidate(person, new Date(first.getTime() - 40 * 60_000), login)
  const parts: Part[] = [
    {
      kind: 'paid',
      portrait: prepared.people.indexOf(demoCandidate),
      owner: first => {
        demo = registered(demoCandidate, first, { account: 'candidate1' })
        return demo
      },
    },
    ...others.map(
      (person): Part => ({ kind: 'paid', portrait: prepared.people.indexOf(person), owner: first => registered(person, first) }),
    ),
  ]
  const played = play(
    closedStage,
    parts,
    { from: windows.sign_begin, to: windows.pay_end, lockUntil: windows.pay_end, seed: 2 },
    emulator,
    tools.notifyUrl,
  )
  addPosts(stage.book, { examId, postIds, by: admins[0].id, at: created.at }, posts, played.usedSign)
  stage.book.add('exam_counter', { exam_id: examId, sign_seq: played.signSeq })
  const finish = endExam(
    closedStage,
    played,
    wishes.map(wish => ({ ...wish, id: paperIds.get(wish.code) ?? '' })),
    seeds,
    {
      allocated: dayAt(begin, 21, '14:00:00'),
      ticketsReleased: windows.ticket_begin,
      imported: at(`${year}-04-20 10:00:00`),
      resultsReleased: at(`${year}-04-22 09:00:00`),
    },
  )
  for (const [action, when] of [
    ['examination.created', created.at],
    ['examination.released', at(`${year}-03-02 09:00:00`)],
    ['examination.closed', at(`${year}-06-30 17:00:00`)],
  ] as const)
    tellAudit(stage, when, staff(admins[0]), { action, entity: 'examination', entityId: examId, after: { examCode: `HZ${year}A` } })
  if (!demo) throw new Error('the demo candidate has no account')
  return { examId, demo, finish }
}
