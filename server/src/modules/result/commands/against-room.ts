import { markKinds } from '#contract/ticket/exam-day.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import type { Ctx } from '#kernel/http/context.ts'
import { inTurns } from '#kernel/turns.ts'
import { listAttendance } from '#modules/ticket/index.ts'
import { listOutcomes, type Outcome } from '../data/result.repo.ts'
import { roomObjects, type Seen } from '../domain/against-room.ts'

/** What the day of the examination left behind about each person, by sign-up. */
export const seenBy = async (db: TenantDb, examId: string, itemId: string): Promise<ReadonlyMap<string, Seen>> =>
  new Map(
    (await listAttendance(db, examId, itemId)).map(({ signupId, state, isViolation }) => [
      signupId,
      isViolation ? 'violation' : state === markKinds.absent ? 'absent' : 'there',
    ]),
  )

/** People named at most; the number of all is told beside. */
const mostNamed = 50

/** Results that say something else than the room, of these papers: whoever releases them reads it before. */
export const againstRoom = async (
  db: TenantDb,
  ctx: Ctx,
  examId: string,
  papers: readonly { readonly id: string; readonly itemName: string }[],
) => {
  const found: { readonly itemName: string; readonly row: Outcome; readonly room: string }[] = []
  for (const { id, itemName } of papers) {
    const seen = await seenBy(db, examId, id)
    if (seen.size === 0) continue
    await inTurns(await listOutcomes(db, id), row => {
      const objections = roomObjects(row.resultState, seen.get(row.signupId))
      if (objections.length > 0) found.push({ itemName, row, room: objections.map(ctx.say).join(ctx.say({ zh: '；', en: '; ' })) })
    })
  }
  return {
    total: found.length,
    people: found.slice(0, mostNamed).map(({ itemName, row: { ticketNo, name, resultState, score }, room }) => ({
      ...{ itemName, ticketNo, name, resultState, score, room },
    })),
  }
}
