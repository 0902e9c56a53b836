import { refuseAuth } from '#contract/auth/auth.errors.ts'
import { refuse } from '#contract/kernel/errors.ts'
import type { Refusal } from '#contract/kernel/refusal.ts'
import { toWireDay, toWireTime } from '#contract/kernel/when.ts'
import { refusePerson } from '#contract/person/person.errors.ts'
import { audit } from '#kernel/audit.ts'
import { lock } from '#kernel/db/lock.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type Ctx, type FileAnswer, Refused } from '#kernel/http/context.ts'
import { zipOf } from '#kernel/zip.ts'
import { listSignItems } from '#modules/exam/index.ts'
import { openContent } from '#modules/signup/index.ts'
import { pageAccess } from '../data/access.repo.ts'
import { countExports, listOwnFiles, type OwnSignup, readAccount, readRest, readSignups } from '../data/export.repo.ts'
import type { PersonDeps } from '../deps.ts'

const perDay = 3
const dayMs = 24 * 3_600_000
const accessLines = 5_000

const readme = `这是您在本平台的个人数据：账号、报名、准考证、成绩、缴费、通知、访问记录（JSON），以及您上传的文件（files 文件夹）。
文件中有您的完整证件号和手机号，请妥善保管。

This is your personal data on this platform: account, sign-ups, tickets, results, payments, notices, who saw your data (JSON), and the files you
uploaded (folder "files"). Your whole id number and mobile number are in it; keep it safe.
`

/** The answers of a sign-up under the names of its form. */
const answersOf = async (deps: PersonDeps, db: TenantDb, signup: OwnSignup) => {
  const items = await listSignItems(db, signup.examId)
  const place = { tenantId: db.actor.tenantId, table: 'signup' as const, rowId: signup.id }
  const content = openContent(deps.services.cipher, place, signup.content)
  return Object.entries(content).map(([key, value]) => ({ key, name: items.find(item => item.itemKey === key)?.itemLabel ?? key, value }))
}

const collect = async (deps: PersonDeps, db: TenantDb, userId: string) => {
  const { cipher } = deps.services
  const row = await readAccount(db, userId)
  const open = (column: string, sealed: Buffer | null): string | null =>
    sealed && cipher.open(db.actor.tenantId, { table: 'account', column, rowId: userId }, sealed)
  const signups: object[] = []
  for (const one of await readSignups(db, userId))
    signups.push({
      exam: one.examName,
      signNo: one.signNo,
      state: one.examine,
      post: one.post,
      submitted: one.submittedAt && toWireTime(one.submittedAt),
      answers: await answersOf(deps, db, one),
      automaticCheck: one.autoCheck,
      decisions: one.decisions,
    })
  const access = await pageAccess(db, userId, 'zh', accessLines, 0)
  return {
    account: {
      account: row.account,
      name: row.realName,
      nickName: row.nickName,
      candidateNumber: row.userCode,
      email: row.email,
      phone: open('phone_sealed', row.phone),
      idCard: open('id_card_sealed', row.idCard),
      consentVersion: row.consentVersion,
      consentTime: row.consentAt && toWireTime(row.consentAt),
      registered: toWireTime(row.createdAt),
    },
    signups,
    ...(await readRest(db, userId)),
    access: access.rows.map(line => ({ ...line, time: toWireTime(line.time) })),
    files: await deps.file.findMany(db, await listOwnFiles(db, userId)),
  }
}

/**
 * One's own data as a zip (P10), three times a day. Everything is read as the system under the caller's own number, so that sealed values can be
 * opened; nothing of anybody else is asked for.
 */
export const exportOwn = async (deps: PersonDeps, ctx: Ctx, sealed: string | undefined): Promise<FileAnswer | Refusal> => {
  const { session } = ctx
  if (!session) return refuse('kernel/no-token', {})
  const { userId } = session
  const because = 'the caller’s own data'
  const password = sealed && (await ctx.asSystem(because, db => deps.auth.openSecret(db, sealed)))
  const checked = await deps.auth.checkOwner(ctx, session, password)
  if (checked.verdict === 'locked') return refuseAuth('auth/account-locked', { minutes: checked.minutes })
  if (checked.verdict === 'wrong') return refuseAuth('auth/wrong-password', {})
  const { files, ...data } = await ctx.asSystem(because, async db => {
    await lock(db, `person-export|${userId}`)
    const recent = await countExports(db, userId, new Date(ctx.arrivedAt.getTime() - dayMs))
    if (recent >= perDay) throw new Refused(refusePerson('person/export-frequency', { limit: perDay }, { retryAfterSeconds: dayMs / 1000 }))
    await audit(db, ctx, { action: 'person.exported', entity: 'account', entityId: userId })
    return collect(deps, db, userId)
  })
  const time = ctx.arrivedAt
  const json = Object.entries(data).map(([name, value]) => ({
    name: `${name}.json`,
    content: Buffer.from(`${JSON.stringify(value, null, 2)}\n`),
    time,
  }))
  // The number in front keeps two files of the same name apart.
  const own = files.map((file, at) => ({
    name: `files/${at + 1}-${file.name.replace(/[\\/:*?"<>|]/g, '_')}`,
    content: () => deps.file.open(file),
    time,
  }))
  return {
    body: zipOf([{ name: 'README.txt', content: Buffer.from(readme), time }, ...json, ...own]),
    mime: 'application/zip',
    name: `kaopu-${toWireDay(time)}.zip`,
  }
}
