import { createHmac } from 'node:crypto'
import { toWireTime } from '#contract/kernel/when.ts'
import { formatHundredths, parseHundredths } from '#contract/result/score.ts'
import { newToken } from '#kernel/crypto/token.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'
import type { PostInput } from '#modules/exam/domain/post-sheet.ts'
import { readStandingFacts, writeStandings } from '#modules/result/data/standing.repo.ts'
import { standings } from '#modules/result/domain/standing.ts'
import { releasedNotice } from '#modules/result/templates/notices.ts'
import type { Hmac } from '#modules/ticket/domain/draw.ts'
import { writtenTicketNo } from '#modules/ticket/domain/numbering.ts'
import type { Room } from '#modules/ticket/domain/room.ts'
import { allocateAtSites, allocateSeats, type SeatingPlan, type SeatingRefusal, type Sitter } from '#modules/ticket/domain/seating.ts'
import { generateScores } from '../generate/scores.ts'
import { wakingHours } from './calendar.ts'
import type { PaperWish } from './exams.ts'
import type { Played } from './play.ts'
import { type Stage, staff, tellAudit, tellNotice } from './stage.ts'

const hmac: Hmac = (key, data) => createHmac('sha256', key).update(data).digest()
const resultStates: Readonly<Record<string, number>> = { 正常: 1, 缺考: 2, 违纪: 3, 零分: 4, 免试: 5 }

export interface ClosedDates {
  readonly allocated: Date
  readonly ticketsReleased: Date
  readonly imported: Date
  readonly resultsReleased: Date
}

interface Candidate {
  readonly signupId: string
  readonly userId: string
  readonly name: string
  readonly isDemo: boolean
  readonly sitter: Sitter
  readonly post: PostInput
}

const seated = (plan: SeatingPlan | SeatingRefusal): SeatingPlan => {
  if (!plan.ok) throw new Error(`the demo's rooms do not hold its people: ${plan.reason}`)
  return plan
}

/**
 * Tickets and released results of an examination that is over: drawn, numbered and ranked by the same rules as any other. The papers of
 * the morning are one group of seats, those of the afternoon the other.
 *
 * @param seeds - the committed seed of each paper
 * @returns what has to be done when the rows are written: totals and ranks
 */
export const endExam = (
  stage: Stage,
  played: Played,
  papers: readonly (PaperWish & { readonly id: string })[],
  seeds: ReadonlyMap<string, Buffer>,
  dates: ClosedDates,
): ((db: TenantDb) => Promise<void>) => {
  const { book, nextId, exam, cast } = stage
  const [importer, releaser] = cast.examAdmins
  if (!importer || !releaser) throw new Error('results need two people')
  const people: Candidate[] = played.lives.flatMap(({ life, owner }) => {
    const post = stage.posts.get(owner.person.code)
    const number = life.signNo()
    if (!post || number === null || life.state() !== 'passed') return []
    return [
      {
        signupId: life.signupId,
        userId: owner.userId,
        name: owner.person.name,
        isDemo: owner.isDemo,
        sitter: { signupId: life.signupId, signNo: number, code: post.code },
        post,
      },
    ]
  })
  const groups = new Map<string, (PaperWish & { readonly id: string })[]>()
  for (const paper of papers) groups.set(paper.seatGroup ?? paper.code, [...(groups.get(paper.seatGroup ?? paper.code) ?? []), paper])

  const firstPaper = Math.min(...papers.map(paper => paper.startTime.getTime()))
  const downloadHours = wakingHours(dates.ticketsReleased, new Date(firstPaper))
  const siteOf = new Map<string, string>()
  const numbers = new Map<string, { ticketNo: string; qrToken: string }>()
  const tellTicket = (ticket: {
    personIndex: number
    candidate: Candidate
    paper: PaperWish & { id: string }
    place: SeatingPlan['placements'][number]
    room: Room
  }): void => {
    const { candidate, paper, place, room } = ticket
    const known = numbers.get(candidate.signupId) ?? {
      ticketNo: writtenTicketNo({
        year: exam.year,
        examNo: exam.examNo,
        siteNo: Number(place.siteCode),
        roomNo: Number(place.roomNo),
        seatNo: place.seatNo,
      }),
      qrToken: newToken(),
    }
    const isFirst = !numbers.has(candidate.signupId)
    numbers.set(candidate.signupId, known)
    const downloadedAt = ticket.personIndex % 15 === 14 ? null : downloadHours((ticket.personIndex + 1) / (people.length + 1))
    book.add('ticket', {
      id: nextId(),
      exam_id: exam.id,
      item_id: paper.id,
      signup_id: candidate.signupId,
      user_id: candidate.userId,
      type: 1,
      ticket_no: known.ticketNo,
      qr_token: known.qrToken,
      site_code: place.siteCode,
      site_name: room.siteName,
      site_address: room.siteAddress,
      room_no: place.roomNo,
      room_name: room.roomName,
      floor: room.floor,
      seat_no: String(place.seatNo).padStart(2, '0'),
      report_time: new Date(paper.startTime.getTime() - 30 * 60_000),
      start_time: paper.startTime,
      end_time: new Date(paper.startTime.getTime() + paper.minutes * 60_000),
      ticket_state: downloadedAt ? 'downloaded' : 'released',
      released_at: dates.ticketsReleased,
      first_down_time: downloadedAt,
      down_count: downloadedAt ? 1 : 0,
      created_by: importer.id,
      created_at: dates.allocated,
      updated_at: downloadedAt ?? dates.ticketsReleased,
    })
    if (downloadedAt)
      book.add('ticket_down', {
        id: nextId(),
        exam_id: exam.id,
        item_id: paper.id,
        signup_id: candidate.signupId,
        user_id: candidate.userId,
        type: 1,
        ticket_no: known.ticketNo,
        ip: '198.51.100.7',
        client: ticket.personIndex % 3 === 0 ? 1 : 2,
        created_at: downloadedAt,
      })
    if (!isFirst) return
    tellNotice(
      stage,
      dates.ticketsReleased,
      { userId: candidate.userId, examId: exam.id, keepsUnread: candidate.isDemo },
      {
        kind: 3,
        title: { zh: '准考证可打印', en: 'Your admission ticket is ready' },
        content: {
          zh: `${exam.name}：请在考试前下载打印准考证。`,
          en: `${exam.name}: please download and print your ticket before the examination.`,
        },
        link: '/signup/ticket',
        eventKey: `ticket-released:${papers[0]?.id}:${dates.ticketsReleased.getTime()}`,
      },
    )
  }
  for (const [group, members] of groups) {
    const codes = new Set(members.map(paper => paper.code))
    const [leader] = members
    const seed = leader && seeds.get(leader.code)
    if (!leader || !seed) throw new Error(`the papers of group ${group} have no seed`)
    const rooms = (members.find(paper => paper.rooms.length > 0)?.rooms ?? []) as readonly Room[]
    const sitting = people.filter(person => person.post.itemCodes.some(code => codes.has(code)))
    const key = { seed, examId: exam.id, itemGroup: group, version: 1 }
    const sitters = sitting.map(person => person.sitter)
    const plan = seated(siteOf.size === 0 ? allocateSeats(sitters, rooms, key, hmac) : allocateAtSites(sitters, siteOf, rooms, key, hmac))
    for (const place of plan.placements) {
      const personIndex = people.findIndex(person => person.signupId === place.signupId)
      const candidate = people[personIndex]
      const room = rooms.find(one => one.siteCode === place.siteCode && one.roomNo === place.roomNo)
      if (!candidate || !room) throw new Error('a seat was given to nobody or nowhere')
      siteOf.set(place.signupId, place.siteCode)
      for (const paper of members)
        if (candidate.post.itemCodes.includes(paper.code)) tellTicket({ personIndex, candidate, paper, place, room })
    }
  }

  const scores = generateScores(
    people.map(person => ({ ticketNo: numbers.get(person.signupId)?.ticketNo ?? '', name: person.name, itemCodes: person.post.itemCodes })),
    { seed: exam.year, absent: 0.08 },
  )
  const byNumber = new Map(people.map(person => [numbers.get(person.signupId)?.ticketNo, person]))
  for (const score of scores) {
    const person = byNumber.get(score.ticketNo)
    const paper = papers.find(one => one.code === score.itemCode)
    if (!person || !paper) throw new Error(`a score belongs to nobody: ${score.ticketNo} ${score.itemCode}`)
    const points = parseHundredths(score.score, 99_999)
    const bonus = parseHundredths(score.bonus, 99_999)
    const final = points.ok ? formatHundredths(points.hundredths + (bonus.ok ? bonus.hundredths : 0)) : null
    book.add('result', {
      id: nextId(),
      exam_id: exam.id,
      item_id: paper.id,
      signup_id: person.signupId,
      user_id: person.userId,
      ticket_no: score.ticketNo,
      name: person.name,
      score: points.ok ? score.score : null,
      result_state: resultStates[score.state],
      bonus: score.bonus === '' ? '0' : score.bonus,
      final_score: final,
      remark: score.remark || null,
      released: true,
      release_time: dates.resultsReleased,
      created_by: importer.id,
      created_at: dates.imported,
      updated_by: importer.id,
      updated_at: dates.resultsReleased,
    })
  }
  for (const person of people)
    tellNotice(
      stage,
      dates.resultsReleased,
      { userId: person.userId, examId: exam.id, keepsUnread: false },
      {
        kind: 4,
        ...releasedNotice(exam.name),
        eventKey: `result-released|${papers[0]?.id}|${dates.resultsReleased.getTime()}`,
      },
    )
  const about = { entity: 'examination', entityId: exam.id }
  const codes = papers.map(paper => paper.code)
  tellAudit(stage, dates.allocated, staff(importer), {
    action: 'ticket.allocated',
    ...about,
    after: { papers: papers.map(paper => paper.id), eligible: people.length },
  })
  tellAudit(stage, dates.ticketsReleased, staff(importer), {
    action: 'ticket.released',
    ...about,
    after: { papers: papers.map(paper => paper.id), people: people.length },
  })
  tellAudit(stage, dates.imported, staff(importer), {
    action: 'result.imported',
    ...about,
    after: { papers: codes, results: scores.length },
  })
  tellAudit(stage, dates.resultsReleased, staff(releaser), {
    action: 'result.released',
    ...about,
    after: { papers: codes, results: scores.length, people: people.length, by: releaser.id, at: toWireTime(dates.resultsReleased) },
  })

  return async db => {
    const facts = await readStandingFacts(db, exam.id)
    await writeStandings(db, exam.id, standings(facts.people, facts.papers, facts.plans, facts.rules), { showRank: true, showLine: true })
    await db.run(sql`update score_total set updated_at = ${dates.resultsReleased} where exam_id = ${exam.id}`)
  }
}
