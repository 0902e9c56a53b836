import { advance, type Exchange, type Heard, type Instance, instanceGoneMs, settledSecond } from '../admission/exchange.ts'
import type { Pool } from './pool.ts'

/** Places are claimed anew after a day, long after they are over. */
const claimKeptMs = 24 * 3_600_000

/**
 * The exchange of several instances through their database: one short transaction a second for each of them, however many people wait.
 * @param nowMs - of the clock that all instances share
 */
export const createDatabaseExchange = (pool: Pool, nowMs: () => number): Exchange => {
  let isFirst = true
  return {
    tell: async ({ sinceSecond, counts, instance, rate, isCalm, ...told }): Promise<Heard> => {
      if (!told.wantsRoom) {
        // On all but a few days of a year nothing is written.
        const { rows } = await pool.query<{ isOpen: boolean }>('select first_second is not null as "isOpen" from waiting_room where id = 1')
        if (rows[0]?.isOpen !== true)
          return { nowMs: nowMs(), firstSecond: undefined, front: 0, isDrained: true, rate, instances: 1, counts: [] }
      }
      const client = await pool.connect()
      try {
        await client.query('begin')
        // Instances take turns: what one reads is what the one before has written.
        const { rows: rooms } = await client.query<{ firstSecond: string | null; front: number }>(
          'select first_second as "firstSecond", front from waiting_room where id = 1 for update',
        )
        const now = nowMs()
        const row = rooms[0] ?? { firstSecond: null, front: 0 }
        const room = { firstSecond: row.firstSecond === null ? undefined : Number(row.firstSecond), front: row.front }
        if (counts.length > 0)
          await client.query(
            `insert into waiting_room_count (second, instance, count)
             select second, $2, count from unnest($1::bigint[], $3::int[]) as told (second, count)
             on conflict (second, instance) do update set count = greatest(waiting_room_count.count, excluded.count)`,
            [counts.map(one => one.second), instance, counts.map(one => one.count)],
          )
        const { rows: all } = await client.query<Omit<Instance, 'seenAtMs'> & { seenAt: Date }>(
          'select instance, seen_at as "seenAt", rate, is_calm as "isCalm" from waiting_room_instance',
        )
        const instances: readonly Instance[] = all.map(({ seenAt, ...one }) => ({ ...one, seenAtMs: seenAt.getTime() }))
        const { rows: sums } = await client.query<{ settled: string }>(
          'select coalesce(sum(count), 0) as settled from waiting_room_count where second between $1 and $2',
          [room.firstSecond ?? 0, settledSecond(now)],
        )
        const next = advance(
          room,
          { ...told, sinceSecond, counts, instance, rate, isCalm },
          {
            nowMs: now,
            lastSeenMs: instances.find(one => one.instance === instance)?.seenAtMs,
            others: instances.filter(one => one.instance !== instance),
            settled: Number(sums[0]?.settled ?? 0),
          },
        )
        if (next.firstSecond !== room.firstSecond) {
          await client.query('delete from waiting_room_count')
          await client.query('delete from waiting_room_instance where seen_at < $1', [new Date(now - instanceGoneMs * 10)])
        }
        if (isFirst) await client.query('delete from waiting_room_claim where claimed_at < $1', [new Date(now - claimKeptMs)])
        await client.query(
          `insert into waiting_room_instance (instance, seen_at, rate, is_calm) values ($1, $2, $3, $4)
           on conflict (instance) do update set seen_at = excluded.seen_at, rate = excluded.rate, is_calm = excluded.is_calm`,
          [instance, new Date(now), rate, isCalm],
        )
        await client.query('update waiting_room set first_second = $1, front = $2 where id = 1', [next.firstSecond ?? null, next.front])
        const { rows: known } = await client.query<{ second: string; instance: string; count: number }>(
          'select second, instance, count from waiting_room_count where second >= $1',
          [sinceSecond],
        )
        await client.query('commit')
        isFirst = false
        const live = [...instances.filter(one => one.instance !== instance && now - one.seenAtMs < instanceGoneMs), { rate }]
        return {
          nowMs: now,
          firstSecond: next.firstSecond,
          front: next.front,
          isDrained: next.isDrained,
          rate: live.reduce((sum, one) => sum + one.rate, 0),
          instances: live.length,
          counts: known.map(one => ({ ...one, second: Number(one.second) })),
        }
      } catch (error) {
        await client.query('rollback').catch(() => {})
        throw error
      } finally {
        client.release()
      }
    },
    claim: async (placeId, owner) => {
      const { rows } = await pool.query<{ owner: string }>(
        `insert into waiting_room_claim (place_id, owner, claimed_at) values ($1, $2, $3)
         on conflict (place_id) do update set place_id = excluded.place_id returning owner`,
        [placeId, owner, new Date(nowMs())],
      )
      return rows[0]?.owner === owner
    },
  }
}
