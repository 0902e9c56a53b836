import { submitSchema } from '#contract/kernel/crud-routes.ts'
import { refuse, refuseField } from '#contract/kernel/errors.ts'
import { permissionOf } from '#contract/kernel/permission.ts'
import { platformTenant } from '#contract/kernel/platform.ts'
import type { Refusal } from '#contract/kernel/refusal.ts'
import { refuseMessage } from '#contract/message/message.errors.ts'
import { bareSign, serviceOn, smsService, templateNumbers } from '#contract/message/sms.resource.ts'
import type { AuditEntry } from '#kernel/audit.ts'
import { duplicateValue } from '#kernel/crud/duplicate.ts'
import { tellCaches } from '#kernel/db/changes.ts'
import { newId } from '#kernel/db/new-id.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type Ctx, Refused } from '#kernel/http/context.ts'
import { checkerOf } from '#kernel/http/input.ts'
import { sharedAudit } from '#kernel/platform-audit.ts'
import {
  findServiceByCode,
  insertService,
  lockService,
  lockServices,
  removeService,
  type ServiceRow,
  type ServiceValues,
  switchOn,
  updateService,
} from '../data/service.repo.ts'
import { listNumbered } from '../data/template.repo.ts'
import type { MessageKit } from '../deps.ts'
import { isSmsCategory } from '../providers/gateway.ts'

type Row = Readonly<Record<string, unknown>>
const checks = {
  add: checkerOf(submitSchema(smsService.fields, 'add') as never),
  edit: checkerOf(submitSchema(smsService.fields, 'edit') as never),
}
const fields = ['category', 'smsCode', 'signName', 'templateId', 'accessKey', 'regionId', 'appId', 'remark'] as const

/** Tenants without a service send by the platform's: every process reads it anew. */
export const tellIfPlatforms = async (db: TenantDb): Promise<void> => {
  if (db.actor.tenantId === platformTenant) await tellCaches(db, 'sms')
}

const shared = (db: TenantDb, ctx: Ctx, entry: AuditEntry): Promise<void> => sharedAudit(ctx, db, entry, { without: 'sms_provider' })

/** What the trail keeps: no key. */
const shown = (row: Readonly<Record<(typeof fields)[number], string>>): Record<string, string> =>
  Object.fromEntries(fields.map(name => [name, row[name]]))

const atField = (refusal: Refusal, field: string, ctx: Ctx): Refusal => ({
  ...refusal,
  data: { fields: [{ field, msg: refusal.text[ctx.language] }] },
})

const checked = (ctx: Ctx, raw: Row): { readonly input: Row; readonly id: string | undefined; readonly version: unknown } => {
  const { id: rawId, version, ...sent } = raw
  const id = typeof rawId === 'string' && rawId !== '' ? rawId : undefined
  const verb = id === undefined ? 'add' : 'edit'
  if (!ctx.session?.permissions.has(permissionOf(smsService.permission, verb))) throw new Refused(refuse('kernel/forbidden', {}))
  const input = Object.fromEntries(Object.entries(sent).filter(([name]) => !Object.hasOwn(smsService.derived ?? {}, name)))
  const problems = checks[verb](id === undefined ? input : { id, ...input }, ctx.language)
  const [first] = problems
  if (first)
    throw new Refused({ ...refuse('kernel/invalid-input', {}, { data: { fields: problems } }), text: { zh: first.msg, en: first.msg } })
  return { input, id, version }
}

const valuesOf = (id: string, before: ServiceRow | undefined, input: Row, secret: Buffer | undefined): ServiceValues => {
  const typed = Object.fromEntries(fields.map(name => [name, String(input[name] ?? before?.[name] ?? '').trim()])) as Record<
    (typeof fields)[number],
    string
  >
  return { id, secret, ...typed, signName: bareSign(typed.signName) }
}

const refuseValues = async (db: TenantDb, ctx: Ctx, values: ServiceValues): Promise<Refusal | undefined> => {
  if (!isSmsCategory(values.category)) return atField(refuseMessage('sms/category', {}), 'category', ctx)
  if (values.category === '4' && values.appId === '') return atField(refuseMessage('sms/app-id', {}), 'appId', ctx)
  if (values.signName === '') return refuseField('signName', { zh: '请填写短信签名', en: 'Please enter the signature' })
  const numbers = templateNumbers[values.category]
  if (numbers && !numbers.form.test(values.templateId))
    return atField(refuseMessage('sms/template-number', { number: values.templateId, sample: numbers.sample }), 'templateId', ctx)
  const twin = await findServiceByCode(db, values.smsCode)
  return twin && twin.id !== values.id ? duplicateValue('smsCode', smsService.fields.smsCode.label, values.smsCode) : undefined
}

/** Adds or changes a service; a key that is not given stays. The trail names no key, only whether there is a new one. */
export const saveService = async (kit: MessageKit, ctx: Ctx, raw: Row): Promise<{ id: string } | Refusal> => {
  const { input, id: wanted, version } = checked(ctx, raw)
  const sealed = typeof input['secretKey'] === 'string' ? input['secretKey'] : ''
  const secret = sealed === '' ? undefined : await ctx.asSystem('a cipher is used once', db => kit.deps.openSecret(db, sealed))
  return ctx.tx(async db => {
    await lockServices(db)
    const before = wanted === undefined ? undefined : await lockService(db, wanted)
    if (wanted !== undefined && !before) throw new Refused(refuse('kernel/not-found', {}))
    if (before && typeof version === 'number' && version !== before.version) throw new Refused(refuse('kernel/changed-meanwhile', {}))
    const id = before?.id ?? (await newId(db))
    const values = valuesOf(id, before, input, secret === undefined ? undefined : kit.sms.seal(ctx.tenantId, id, secret))
    const refusal = await refuseValues(db, ctx, values)
    if (refusal) throw new Refused(refusal)
    await (before ? updateService : insertService)(db, values)
    await tellIfPlatforms(db)
    await shared(db, ctx, {
      action: `sms.${before ? 'updated' : 'added'}`,
      entity: smsService.name,
      entityId: id,
      ...(before ? { before: shown(before) } : {}),
      after: { ...shown(values), newSecretKey: secret !== undefined },
    })
    return { id }
  })
}

export const removeServices = (ctx: Ctx, ids: readonly string[]): Promise<{ removed: number } | Refusal> =>
  ctx.tx(async db => {
    if (ids.length === 0) return refuse('kernel/select-one', {})
    await lockServices(db)
    for (const id of ids) {
      const row = await lockService(db, id)
      if (!row) throw new Refused(refuse('kernel/not-found', {}))
      if (row.status === serviceOn) throw new Refused(refuseMessage('sms/in-use', { code: row.smsCode }))
      await removeService(db, id)
      await tellIfPlatforms(db)
      await shared(db, ctx, { action: 'sms.removed', entity: smsService.name, entityId: id, before: shown(row) })
    }
    return { removed: ids.length }
  })

/** Switches a service on and every other one off, or the one off that is on. */
export const enableService = async (ctx: Ctx, db: TenantDb, id: string, isOff: boolean): Promise<{ id: string; msg: string } | Refusal> => {
  await lockServices(db)
  const row = await lockService(db, id)
  if (!row) return refuse('kernel/not-found', {})
  if (!isSmsCategory(row.category)) return refuseMessage('sms/category', {})
  const isOn = row.status === serviceOn
  const strange = isOff ? [] : (await listNumbered(db)).filter(one => templateNumbers[row.category]?.form.test(one.templateId) === false)
  const names = strange.slice(0, 3).map(one => one.name)
  const msg = ctx.say(
    isOff
      ? { zh: '已停用', en: 'It is off' }
      : strange.length === 0
        ? { zh: '已启用', en: 'It is on' }
        : {
            zh: `已启用。注意：${strange.length} 个模板（${names.join('、')}${strange.length > names.length ? '等' : ''}）的编号不是该服务商的，请在“消息模板”中更换，否则不能发短信`,
            en: `It is on. ${strange.length} templates (${names.join(', ')}${strange.length > names.length ? ', …' : ''}) have numbers of another provider: change them in “Message templates”, else they cannot be sent`,
          },
  )
  if (isOn !== isOff) return { id, msg }
  await switchOn(db, isOff ? null : id)
  await tellIfPlatforms(db)
  await shared(db, ctx, {
    action: isOff ? 'sms.switched-off' : 'sms.switched-on',
    entity: smsService.name,
    entityId: id,
    after: { smsCode: row.smsCode },
  })
  return { id, msg }
}
