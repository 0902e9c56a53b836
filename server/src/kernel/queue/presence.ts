import type { Pool, PoolClient } from '../db/pool.ts'

/**
 * Workers that live hold an advisory lock of their name on a connection of their process. A process that is killed loses its connections at
 * once, so a name that nobody holds is that of a worker that is no more. The queue by itself would wait four hours for it.
 */
const holding = "hashtext('kaopu.worker')"

/** So long a worker may have work before its name is held: names are told when the workers are there already. */
const graceSeconds = 15

export const holdName = async (client: PoolClient, workerName: string): Promise<void> => {
  await client.query(`select pg_try_advisory_lock(${holding}, hashtext($1))`, [workerName])
}

/**
 * Gives back the jobs and queues of workers that are no more, so that others do the work again. Those named in `own` live, whatever became of
 * the connection that holds their names.
 * @returns how many such workers there were
 */
export const freeAbandoned = async (pool: Pool, own: ReadonlySet<string>): Promise<number> => {
  const { rows } = await pool.query<{ gone: string[] }>(
    `select coalesce(array_agg(distinct held.worker), '{}') as gone
     from (
       select locked_by as worker, locked_at from graphile_worker._private_jobs where locked_by is not null
       union all
       select locked_by, locked_at from graphile_worker._private_job_queues where locked_by is not null
     ) held
     where held.locked_at < now() - make_interval(secs => $2) and held.worker <> all($1::text[]) and not exists (
       select 1 from pg_locks l
       where l.locktype = 'advisory' and l.granted and l.objsubid = 2 and l.classid = ${holding}::oid and l.objid = hashtext(held.worker)::oid
         and l.database = (select oid from pg_database where datname = current_database()))`,
    [[...own], graceSeconds],
  )
  const gone = rows[0]?.gone ?? []
  if (gone.length > 0) await pool.query('select graphile_worker.force_unlock_workers($1::text[])', [gone])
  return gone.length
}
