import { refuse } from '#contract/kernel/errors.ts'
import type { Label } from '#contract/kernel/label.ts'
import { maskPhone } from '#contract/kernel/mask.ts'
import { longestMessage, longestValue } from '#contract/message/fit.ts'
import { messageImports } from '#contract/message/import-kinds.ts'
import { refuseSend } from '#contract/message/send.errors.ts'
import { approvalAbove, mostPeople, sendStates } from '#contract/message/send.state.ts'
import { fillWording, foreignLinks } from '#contract/message/wording.ts'
import { checkMobile, mobileMessages } from '#contract/person/mobile.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { Refused } from '#kernel/http/context.ts'
import { failRepeated, type HeaderSpec, type ImportDefinition, openSheet, requiredReason } from '#modules/transfer/index.ts'
import { makeRows, ownVariables, personVariablesOf, type Recipient, signOf, writeRows } from '../commands/make-draft.ts'
import {
  addLeftOut,
  countRows,
  findByPhone,
  findTask,
  findTemplate,
  lockTask,
  notePart,
  setNeedsApproval,
  type TaskRow,
  type TemplateShown,
} from '../data/send.repo.ts'
import type { MessageKit } from '../deps.ts'

export const peopleColumns = {
  phone: { header: '手机号', required: true, kind: 'code' },
  name: { header: '姓名', required: true },
} as const satisfies Record<string, HeaderSpec>

/** Variables of a template that a row must bring: those that the task has no value for, and that the two columns do not say. */
export const columnsOf = (template: TemplateShown, params: Readonly<Record<string, string>>): readonly string[] =>
  [...personVariablesOf(template), ...ownVariables(template)].filter(name => name !== 'name' && (params[name] ?? '') === '')

/** Nobody is led to another address by a message of the office. */
const foreignLink = (link: string): Label => ({
  zh: `短信中的网址“${link}”不是本平台的地址，不能发送`,
  en: `The address “${link}” in the text is not one of this installation and cannot be sent`,
})

interface Person {
  readonly phone: string
  readonly name: string
  readonly values: Readonly<Record<string, string>>
}

const draftOf = async (db: TenantDb, id: unknown): Promise<{ task: TaskRow; template: TemplateShown }> => {
  const task = typeof id === 'string' ? await findTask(db, id) : undefined
  const template = task && (await findTemplate(db, task.templateId))
  if (!task || !template) throw new Refused(refuse('kernel/not-found', {}))
  if (task.state !== 0) throw new Refused(refuseSend('send/state', { state: sendStates[task.state] ?? '' }))
  return { task, template }
}

/** T9: people to write to, with a column for each variable of the template. Each row needs all of them, and no number is there twice. */
export const peopleImport = (kit: MessageKit): ImportDefinition<Person> => ({
  ...messageImports.people,
  columns: peopleColumns,
  maxRows: mostPeople,
  check: async (db, sheet, { options }) => {
    const { task, template } = await draftOf(db, options['sendId'])
    const variables = columnsOf(template, task.params)
    const specs: Record<string, HeaderSpec> = {
      ...peopleColumns,
      ...Object.fromEntries(variables.map(name => [`v_${name}`, { header: name, required: true }])),
    }
    const opened = openSheet(specs, sheet.header)
    const sign = await signOf(kit, db, template)
    const hosts = await kit.deps.ownHosts(db)
    const first = new Map<string, number>()
    const read = opened.readers(sheet.rows).map(reader => {
      const typed = reader.code('phone')
      const checked = checkMobile(typed)
      if (typed === '') reader.fail('phone', 'required', requiredReason(peopleColumns.phone.header))
      else if (!checked.ok) reader.fail('phone', 'format', mobileMessages[checked.problem])
      else failRepeated(reader, 'phone', checked.mobile, first)
      const name = reader.text('name')
      if (name === '') reader.fail('name', 'required', requiredReason(peopleColumns.name.header))
      for (const one of variables) if (reader.text(`v_${one}`) === '') reader.fail(`v_${one}`, 'required', requiredReason(one))
      if (task.channel !== 2)
        for (const one of variables)
          if (reader.text(`v_${one}`).length > longestValue)
            reader.fail(`v_${one}`, 'length', {
              zh: `短信服务商规定每个变量最多 ${longestValue} 字`,
              en: `Providers of text messages take at most ${longestValue} characters for a variable`,
            })
      const values = { ...task.params, ...Object.fromEntries(variables.map(one => [one, reader.text(`v_${one}`)])), name }
      const content = `【${sign}】${fillWording(template.content, values)}`
      const strange = foreignLinks(content, hosts)[0]
      if (strange !== undefined) reader.fail('name', 'link', foreignLink(strange))
      if (content.length > longestMessage)
        reader.fail('name', 'length', {
          zh: `短信共 ${content.length} 字，最多 ${longestMessage} 字`,
          en: `The text has ${content.length} characters, at most ${longestMessage} are taken`,
        })
      if (!checked.ok) return undefined
      return { row: reader.row, value: { phone: checked.mobile, name, values } }
    })
    return opened.checked(read)
  },
  write: async (db, rows, { options, progress }) => {
    const { task, template } = await draftOf(db, options['sendId'])
    await lockTask(db, task.id)
    const { cipher } = kit.services
    const { tenantId } = db.actor
    const people = rows.map(({ value }) => ({ ...value, index: cipher.blindIndex(tenantId, 'phone', value.phone) }))
    const known = new Map(
      (
        await findByPhone(
          db,
          people.map(one => one.index),
        )
      ).map(one => [one.index, one]),
    )
    const recipients = people.map((one): Recipient => {
      const account = known.get(one.index)
      return {
        userId: account?.userId ?? null,
        name: one.name,
        phone: one.phone,
        phoneIndex: one.index,
        phoneMask: maskPhone(one.phone),
        values: one.values,
      }
    })
    const made = await makeRows(kit, db, {
      template,
      channel: task.channel,
      isRepeat: task.isRepeat,
      signName: await signOf(kit, db, template),
      recipients,
    })
    await writeRows(db, { sendId: task.id, examId: task.examId, template }, made.rows)
    await addLeftOut(db, task.id, made.leftOut)
    const { total } = await countRows(db, task.id)
    if (total > mostPeople) throw new Refused(refuseSend('send/too-many', { limit: mostPeople }))
    // To numbers of nobody's account nothing goes by one person's word, not even the first.
    const isOutside = made.rows.some(row => row.userId === null)
    if (total > approvalAbove || isOutside) await setNeedsApproval(db, task.id)
    await notePart(db, task.id)
    await progress(rows.length)
    return { inserted: made.rows.length, updated: 0, skipped: rows.length - made.rows.length }
  },
})
