import { refuseJob } from '#contract/job/job.errors.ts'
import { jobServer } from '#contract/job/job-server.resource.ts'
import { submitSchema } from '#contract/kernel/crud-routes.ts'
import { refuse } from '#contract/kernel/errors.ts'
import { type Label, label } from '#contract/kernel/label.ts'
import { isRefusal, type Refusal } from '#contract/kernel/refusal.ts'
import { audit } from '#kernel/audit.ts'
import { checkInput } from '#kernel/crud/check-input.ts'
import { duplicateValue } from '#kernel/crud/duplicate.ts'
import { newId } from '#kernel/db/new-id.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type Ctx, Refused } from '#kernel/http/context.ts'
import { checkerOf } from '#kernel/http/input.ts'
import { listJobsOf } from '../data/job.repo.ts'
import {
  findServer,
  findTwin,
  insertServer,
  isTakenElsewhere,
  lockServer,
  noteConnection,
  removeServer,
  type ServerRow,
  updateServer,
} from '../data/server.repo.ts'
import type { JobKit } from '../deps.ts'
import { PowerJobProblem } from '../powerjob/client.ts'
import { connect } from './connect.ts'

const checks = {
  add: checkerOf(submitSchema(jobServer.fields, 'add') as never),
  edit: checkerOf(submitSchema(jobServer.fields, 'edit') as never),
}

const shown = (row: ServerRow): Record<string, unknown> => ({
  jobServerName: row.name,
  jobServerUrl: row.url,
  jobAppName: row.appName,
  jobRemark: row.remark,
})

/** The address in one notation: each an origin that the operator has allowed, whatever way it was written. */
const allowedAddress = (kit: JobKit, address: string): string | Refusal => {
  const wanted = address
    .split(',')
    .map(one => one.trim())
    .filter(one => one !== '')
  const origins = wanted.map(kit.servers.find)
  const bad = origins.indexOf(undefined)
  return bad < 0 && origins.length > 0
    ? [...new Set(origins)].join(',')
    : refuseJob('job/address-not-allowed', { address: wanted[bad] ?? address })
}

/** Tries the connection and notes how it went. @returns what people are told */
export const checkServer = async (
  kit: JobKit,
  ctx: Ctx,
  id: string,
): Promise<{ state: number; serverVersion: string; isOpen: number; text: string } | Refusal> => {
  const server = await ctx.tx(db => findServer(db, id))
  if (!server) return refuse('kernel/not-found', {})
  if (server.url === '')
    return {
      state: 3,
      serverVersion: '',
      isOpen: 0,
      text: ctx.say({ zh: '内置调度随程序运行', en: 'The built-in scheduler runs with the program' }),
    }
  const found = await (async () => {
    try {
      const remote = await connect(kit, ctx.tenantId, server, true)
      return { state: 1 as const, version: remote.session.version, isOpen: await remote.isOpen(), why: undefined }
    } catch (error) {
      if (!(error instanceof PowerJobProblem)) throw error
      return { state: 2 as const, version: '', isOpen: false, why: error.why }
    }
  })()
  await ctx.tx(db => noteConnection(db, id, { ...found, problem: found.why === undefined ? '' : ctx.say(found.why) }))
  const text: Label =
    found.why !== undefined
      ? { zh: `连接“${server.name}”失败：${found.why.zh}`, en: `No connection to “${server.name}”: ${found.why.en}` }
      : found.isOpen
        ? {
            zh: `已连接（${found.version}）。注意：该服务的接口无需密码即可调用，请限制其网络访问`,
            en: `Connected (${found.version}). This server takes calls without a password: keep its network closed`,
          }
        : label(`已连接（${found.version}）`, `Connected (${found.version})`)
  return { state: found.state, serverVersion: found.version, isOpen: found.isOpen ? 1 : 0, text: ctx.say(text) }
}

const write = async (
  ctx: Ctx,
  db: TenantDb,
  kit: JobKit,
  before: ServerRow | undefined,
  input: Readonly<Record<string, unknown>>,
  url: string,
): Promise<string> => {
  const value = (name: string, old: string | undefined): string => String(input[name] ?? old ?? '')
  const id = before?.id ?? (await newId(db))
  const cipher = typeof input['jobAppPassword'] === 'string' ? input['jobAppPassword'] : ''
  const password = cipher === '' ? undefined : await ctx.asSystem('a cipher is used once', own => kit.auth.openSecret(own, cipher))
  const values = {
    id,
    name: value('jobServerName', before?.name),
    url,
    appName: value('jobAppName', before?.appName),
    password:
      password === undefined
        ? undefined
        : kit.services.cipher.seal(ctx.tenantId, { table: 'job_server', column: 'password_sealed', rowId: id }, password),
    remark: value('jobRemark', before?.remark),
  }
  const twin = await findTwin(db, { ...values, id: before?.id })
  if (twin)
    throw new Refused(
      twin.sameName
        ? duplicateValue('jobServerName', jobServer.fields.jobServerName.label, values.name)
        : duplicateValue('jobAppName', jobServer.fields.jobAppName.label, values.appName),
    )
  await (before ? updateServer : insertServer)(db, values)
  await audit(db, ctx, {
    action: `job-server.${before ? 'updated' : 'added'}`,
    entity: jobServer.name,
    entityId: id,
    ...(before ? { before: shown(before) } : {}),
    after: { ...shown({ ...values, version: 0, password: null }), passwordSet: password !== undefined },
  })
  return id
}

/** Adds or changes a job server, then tries it: that it cannot be reached is no reason not to keep it (framework-contract 5.8). */
export const saveServer = async (kit: JobKit, ctx: Ctx, raw: Readonly<Record<string, unknown>>): Promise<{ id: string } | Refusal> => {
  const { input, id: wanted, version } = checkInput(jobServer, checks, ctx, raw)
  const address = typeof input['jobServerUrl'] === 'string' ? allowedAddress(kit, input['jobServerUrl']) : undefined
  if (isRefusal(address)) return { ...address, data: { fields: [{ field: 'jobServerUrl', msg: address.text[ctx.language] }] } }
  const known = wanted === undefined ? undefined : await ctx.tx(db => findServer(db, wanted))
  const url = address ?? known?.url ?? ''
  const appName = String(input['jobAppName'] ?? known?.appName ?? '')
  const isTaken = await kit.services.scopes.asPlatform(
    'an application at a job server belongs to one tenant',
    kit.services.clock.now(),
    db => isTakenElsewhere(db, ctx.tenantId, url, appName),
  )
  if (isTaken) return refuseJob('job/app-taken', { app: appName })
  const id = await ctx.tx(async db => {
    const before = wanted === undefined ? undefined : await lockServer(db, wanted)
    if (wanted !== undefined && !before) throw new Refused(refuse('kernel/not-found', {}))
    if (before?.url === '') throw new Refused(refuseJob('job/built-in-server', {}))
    if (before && version !== undefined && version !== before.version) throw new Refused(refuse('kernel/changed-meanwhile', {}))
    return write(ctx, db, kit, before, input, url)
  })
  await checkServer(kit, ctx, id)
  return { id }
}

export const removeServers = (ctx: Ctx, ids: readonly string[]): Promise<{ removed: number } | Refusal> =>
  ctx.tx(async db => {
    if (ids.length === 0) return refuse('kernel/select-one', {})
    for (const id of ids) {
      const server = await lockServer(db, id)
      if (!server) throw new Refused(refuse('kernel/not-found', {}))
      if (server.url === '') throw new Refused(refuseJob('job/built-in-server', {}))
      const jobs = (await listJobsOf(db, id)).length
      if (jobs > 0) throw new Refused(refuseJob('job/server-in-use', { server: server.name, jobs }))
      await removeServer(db, id)
      await audit(db, ctx, { action: 'job-server.removed', entity: jobServer.name, entityId: id, before: shown(server) })
    }
    return { removed: ids.length }
  })
