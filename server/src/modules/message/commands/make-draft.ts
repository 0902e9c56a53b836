import { refuse } from '#contract/kernel/errors.ts'
import type { Label } from '#contract/kernel/label.ts'
import type { InputOf } from '#contract/kernel/route.ts'
import { toWireTime } from '#contract/kernel/when.ts'
import { fitValue, longestValue } from '#contract/message/fit.ts'
import { refuseMessage } from '#contract/message/message.errors.ts'
import { personVariables } from '#contract/message/scenes.ts'
import { refuseSend } from '#contract/message/send.errors.ts'
import type { draftSend } from '#contract/message/send.routes.ts'
import { type Audience, approvalAbove, type LeftOut, leftOutLabels, mostPeople } from '#contract/message/send.state.ts'
import { fillWording, foreignLinks, smsSegments, variablesOf } from '#contract/message/wording.ts'
import { signupNoun } from '#contract/signup/signup.noun.ts'
import { audit } from '#kernel/audit.ts'
import { newId } from '#kernel/db/new-id.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type Ctx, Refused } from '#kernel/http/context.ts'
import { rowScopeOf } from '#kernel/http/row-scope.ts'
import {
  type AudienceReach,
  addLeftOut,
  countRows,
  examOf,
  findTemplate,
  insertMessages,
  insertTask,
  listAudience,
  listRecent,
  type NewMessage,
  setNeedsApproval,
  type TemplateShown,
  takeMessageIds,
} from '../data/send.repo.ts'
import type { MessageKit } from '../deps.ts'
import { productSign, signedText } from '../templates/sms.ts'
import { isUnitStaff } from './view-task.ts'

const maskedPhone = { table: 'sms_message', column: 'phone_sealed' } as const
const onPerson = new Set(personVariables.map(({ name }) => name))

/** Values that are the same for everybody, or come from a workbook. */
export const ownVariables = (template: TemplateShown): readonly string[] =>
  [...new Set([template.title, template.content, template.titleEn, template.contentEn].flatMap(variablesOf))].filter(
    name => !onPerson.has(name),
  )
export const personVariablesOf = (template: TemplateShown): readonly string[] =>
  [...new Set([template.content, template.contentEn].flatMap(variablesOf))].filter(name => onPerson.has(name))

/** Whose sign-ups the caller may send to: unit staff those of their own units. */
export const reachOf = (ctx: Ctx): AudienceReach => ({
  units: isUnitStaff(ctx) ? (ctx.session?.userCodes ?? []) : undefined,
  rows: rowScopeOf(ctx.session, { ...signupNoun, permission: signupNoun.code } as never),
})

/** Somebody before their message is made. */
export interface Recipient {
  readonly userId: string | null
  readonly name: string
  /** In the clear; undefined where there is none. */
  readonly phone: string | undefined
  readonly phoneIndex: string | null
  readonly phoneMask: string
  readonly values: Readonly<Record<string, string>>
}
type Counts = Partial<Record<LeftOut, number>>
const countOne = (counts: Counts, what: LeftOut): void => {
  counts[what] = (counts[what] ?? 0) + 1
}

/** Whom a message reaches, and by what; whoever has it already is left out. @returns the rows, with the reasons of those who have none */
export const makeRows = async (
  kit: MessageKit,
  db: TenantDb,
  of: {
    readonly template: TemplateShown
    readonly channel: number
    readonly isRepeat: boolean
    readonly signName: string
    readonly recipients: readonly Recipient[]
    readonly taken?: ReadonlySet<string>
  },
): Promise<{ readonly rows: readonly NewMessage[]; readonly leftOut: Counts }> => {
  const { template, channel, recipients } = of
  const leftOut: Counts = {}
  const keyOf = ({ phoneIndex, userId }: Recipient): string => `${template.id}:${phoneIndex ?? userId ?? ''}`.slice(0, 80)
  const recent = of.isRepeat ? new Set<string>() : await listRecent(db, recipients.map(keyOf))
  const seen = new Set<string>(of.taken ?? [])
  const kept = recipients.filter(one => {
    const key = keyOf(one)
    if (channel === 1 && one.phone === undefined) countOne(leftOut, 'noPhone')
    else if (seen.has(key)) countOne(leftOut, 'duplicate')
    else if (recent.has(key)) countOne(leftOut, 'repeat')
    else {
      seen.add(key)
      return true
    }
    return false
  })
  const ids = await takeMessageIds(db, kept.length)
  const names = variablesOf(template.content)
  const hosts = await kit.deps.ownHosts(db)
  const rows = kept.flatMap((one, place): NewMessage[] => {
    const id = ids[place] ?? ''
    const hasSms = channel !== 2 && one.phone !== undefined
    const own = one.userId === null ? 1 : channel
    const fitted = Object.fromEntries(Object.entries(one.values).map(([name, value]) => [name, fitValue(value)]))
    const content = hasSms ? signedText(of.signName, template.content, fitted) : fillWording(template.content, one.values)
    const texts = [content, ...[template.title, template.titleEn, template.contentEn].map(text => fillWording(text, one.values))]
    // The template leads nowhere else; a name or another value of the person does.
    if (foreignLinks(texts.join('\n'), hosts).length > 0) {
      countOne(leftOut, 'link')
      return []
    }
    const row: NewMessage = {
      id,
      userId: one.userId,
      name: one.name.slice(0, 50),
      phone:
        hasSms && one.phone !== undefined
          ? kit.services.cipher.seal(db.actor.tenantId, { ...maskedPhone, rowId: id }, one.phone).toString('hex')
          : null,
      phoneIndex: one.phoneIndex,
      phoneMask: one.phoneMask,
      channel: hasSms ? own : 2,
      content: content.slice(0, 500),
      title: fillWording(template.title || template.name, one.values).slice(0, 120),
      titleEn: fillWording(template.titleEn, one.values).slice(0, 120),
      contentEn: fillWording(template.contentEn, one.values).slice(0, 800),
      params: Object.fromEntries(names.map(name => [name, (hasSms ? fitted[name] : one.values[name]) ?? ''])),
      segments: hasSms ? smsSegments(content) : 0,
      sentKey: keyOf(one),
    }
    return [row]
  })
  return { rows, leftOut }
}

const why = (leftOut: Counts): Label => {
  const parts = (Object.keys(leftOut) as LeftOut[]).map(key => ({ label: leftOutLabels[key], n: leftOut[key] ?? 0 }))
  return parts.length === 0
    ? { zh: '', en: '' }
    : {
        zh: `：${parts.map(({ label, n }) => `${label.zh} ${n} 人`).join('，')}`,
        en: `: ${parts.map(({ label, n }) => `${n} ${label.en}`).join(', ')}`,
      }
}

const insertBatch = 1_000
export const writeRows = async (
  db: TenantDb,
  of: { readonly sendId: string; readonly examId: string | null; readonly template: TemplateShown },
  rows: readonly NewMessage[],
): Promise<void> => {
  for (let from = 0; from < rows.length; from += insertBatch)
    await insertMessages(
      db,
      { sendId: of.sendId, examId: of.examId, template: of.template.code, templateId: of.template.templateId },
      rows.slice(from, from + insertBatch),
    )
}

/** The channel that a template can go by: refused where a text message is wanted and cannot be. */
const channelFor = async (kit: MessageKit, db: TenantDb, template: TemplateShown, wanted: number | undefined): Promise<number> => {
  const isOn = (await kit.sms.current(db)).rowId !== null
  if (wanted === undefined) return template.templateId !== '' && isOn ? 3 : 2
  if (wanted !== 2 && !isOn) throw new Refused(refuseSend('send/no-service', {}))
  if (wanted !== 2 && template.templateId === '') throw new Refused(refuseSend('send/template', { name: template.name }))
  return wanted
}

export const signOf = async (kit: MessageKit, db: TenantDb, template: TemplateShown): Promise<string> =>
  template.signName || (await kit.sms.current(db)).signName || productSign

/** Makes a task with a message for each person of an audience. Nothing is sent. @returns its id */
export const makeDraft = async (kit: MessageKit, ctx: Ctx, db: TenantDb, input: InputOf<typeof draftSend>): Promise<string> => {
  const template = input.templateId === undefined ? undefined : await findTemplate(db, input.templateId)
  if (!template) throw new Refused(refuse('kernel/not-found', {}))
  const audience: Audience = input.audience ?? 'workbook'
  const channel = await channelFor(kit, db, template, input.channel)
  const exam = input.examId === undefined ? undefined : await examOf(db, input.examId)
  if (input.examId !== undefined && !exam) throw new Refused(refuse('kernel/not-found', {}))
  const params = Object.fromEntries(Object.entries(input.params ?? {}).map(([name, value]) => [name, value.trim()]))
  const missing = audience === 'workbook' ? [] : ownVariables(template).filter(name => (params[name] ?? '') === '')
  if (missing.length > 0)
    throw new Refused(
      refuseSend(
        'send/variable',
        { names: missing.map(name => `\${${name}}`).join('、') },
        { data: { fields: missing.map(field => ({ field: `params.${field}` })) } },
      ),
    )
  const long = channel === 2 ? [] : variablesOf(template.content).filter(name => (params[name] ?? '').length > longestValue)
  if (long.length > 0) {
    const refusal = refuseSend('send/value-length', { names: long.map(name => `\${${name}}`).join('、'), most: String(longestValue) })
    throw new Refused({ ...refusal, data: { fields: long.map(name => ({ field: `params.${name}`, msg: refusal.text[ctx.language] })) } })
  }
  const said = [template.title, template.content, template.titleEn, template.contentEn, ...Object.values(params)].join('\n')
  const [strange] = foreignLinks(said, await kit.deps.ownHosts(db))
  if (strange !== undefined) throw new Refused(refuseMessage('sms/link', { link: strange }))
  const id = await newId(db)
  const common = { id, examId: input.examId ?? null, templateId: template.id, channel, audience, params, isRepeat: input.repeat === 1 }
  const title = (input.title ?? '').trim() || `${template.name} ${toWireTime(db.now).slice(5, 16)}`
  const task = { ...common, title: title.slice(0, 60), needsApproval: isUnitStaff(ctx), leftOut: {} }
  await insertTask(db, task)
  if (audience !== 'workbook') {
    if (input.examId === undefined || !exam) throw new Refused(refuse('kernel/not-found', {}))
    const people = await listAudience(db, input.examId, audience, reachOf(ctx), mostPeople + 1)
    if (people.length > mostPeople) throw new Refused(refuseSend('send/too-many', { limit: mostPeople }))
    const recipients = people.map((one): Recipient => {
      const account = { table: 'account', column: 'phone_sealed', rowId: one.userId }
      return {
        userId: one.userId,
        name: one.name,
        phone: one.phone === null ? undefined : kit.services.cipher.open(ctx.tenantId, account, one.phone),
        phoneIndex: one.phoneIndex,
        phoneMask: one.phoneMask,
        values: {
          ...params,
          name: one.name,
          exam: one.exam,
          signNo: one.signNo,
          post: one.post,
          deadline: one.deadline === null ? '' : toWireTime(one.deadline).slice(0, 16),
        },
      }
    })
    const signName = await signOf(kit, db, template)
    const { rows, leftOut } = await makeRows(kit, db, { template, channel, isRepeat: task.isRepeat, signName, recipients })
    if (rows.length === 0) throw new Refused(refuseSend('send/nobody', { why: why(leftOut) }))
    await writeRows(db, { sendId: id, examId: task.examId, template }, rows)
    await addLeftOut(db, id, leftOut)
  }
  const { total, parts } = await countRows(db, id)
  if (total > approvalAbove) await setNeedsApproval(db, id)
  await audit(db, ctx, {
    action: 'send.drafted',
    entity: 'send',
    entityId: id,
    after: { title: task.title, audience, channel, template: template.code, examId: task.examId, total, parts },
  })
  return id
}
