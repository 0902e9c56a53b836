import { refuseJob } from '#contract/job/job.errors.ts'
import type { Refusal } from '#contract/kernel/refusal.ts'
import type { ServerRow } from '../data/server.repo.ts'
import type { JobKit } from '../deps.ts'
import { connectPowerJob, type PowerJob, PowerJobProblem, type Session } from '../powerjob/client.ts'

/** What a server told at its last login, by the row and version it was told for. */
const sessions = new Map<string, Session>()

/** Opens the application of a server with its password. @throws PowerJobProblem */
export const connect = async (kit: JobKit, tenantId: string, server: ServerRow, isFresh = false): Promise<PowerJob> => {
  const { cipher } = kit.services
  const password =
    server.password === null
      ? ''
      : cipher.open(tenantId, { table: 'job_server', column: 'password_sealed', rowId: server.id }, server.password)
  const key = `${tenantId}|${server.id}|${server.version}`
  try {
    const remote = await connectPowerJob(
      kit.servers.outbound,
      { address: server.url, appName: server.appName, password },
      isFresh ? undefined : sessions.get(key),
    )
    if (sessions.size > 1_000) sessions.clear()
    sessions.set(key, remote.session)
    return remote
  } catch (error) {
    sessions.delete(key)
    throw error
  }
}

/** Asks a server something; what it declines, or its silence, is a refusal with its own words. */
export const ask = async <T>(
  kit: JobKit,
  tenantId: string,
  server: ServerRow,
  work: (remote: PowerJob) => Promise<T>,
): Promise<T | Refusal> => {
  try {
    return await work(await connect(kit, tenantId, server))
  } catch (error) {
    if (!(error instanceof PowerJobProblem)) throw error
    if (!error.isRefusal) sessions.delete(`${tenantId}|${server.id}|${server.version}`)
    return refuseJob('job/server-failed', { server: server.name, reason: error.why })
  }
}
