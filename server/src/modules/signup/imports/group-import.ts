import { refuseExam } from '#contract/exam/exam.errors.ts'
import { maskIdCard, maskPhone } from '#contract/kernel/mask.ts'
import { withoutUnseen } from '#contract/kernel/unseen.ts'
import { toWireDay } from '#contract/kernel/when.ts'
import { checkDocument } from '#contract/person/id-card.ts'
import { checkMobile } from '#contract/person/mobile.ts'
import { evaluateConditions } from '#contract/signup/conditions.ts'
import { signupImports } from '#contract/signup/import-kinds.ts'
import { signNo } from '#contract/signup/sign-no.ts'
import { refuseSignup } from '#contract/signup/signup.errors.ts'
import { type SignupState, signupMachine } from '#contract/signup/signup.state.ts'
import { audit } from '#kernel/audit.ts'
import { lock } from '#kernel/db/lock.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { Refused } from '#kernel/http/context.ts'
import { enqueue } from '#kernel/queue/outbox.ts'
import { findExam, judgingOf, listPosts, listSignItems } from '#modules/exam/index.ts'
import { headerKey, type ImportDefinition, openSheet, shownText, templateBook } from '#modules/transfer/index.ts'
import { sealContent } from '../content-vault.ts'
import { findDictionaries } from '../data/answer.repo.ts'
import {
  type AccountToAdd,
  addAccounts,
  addSignups,
  findHandedIn,
  findListed,
  findPeople,
  findSignupsOf,
  forgetPlans,
  newIds,
  type SignupToAdd,
  takePlaces,
  takeSignSequence,
} from '../data/group.repo.ts'
import { storePayStates } from '../data/signup.repo.ts'
import type { SignupContext } from '../deps.ts'
import { invitationNotice } from '../domain/invitation-notice.ts'
import { isWithin } from '../domain/windows.ts'
import { type GroupFacts, type GroupInput, groupColumns, itemColumns, readGroupRow } from './group-row.ts'

export const groupTellTask = 'signup.group-tell'
const checkedAction = 'signup.group-checked'
const portion = 500

type GroupImport = ImportDefinition<GroupInput>
type Run = Parameters<GroupImport['check']>[2]

/** What the call said besides the file: it is settled there who may say it. */
const optionsOf = ({ options }: Run) => ({
  groupCode: typeof options['groupCode'] === 'string' ? options['groupCode'] : '',
  passed: options['passed'] === 1,
})

const examOf = async (db: TenantDb, { job }: Run) => {
  const exam = await findExam(db, job.examId ?? '0')
  if (!exam) throw new Error('the guard found the examination')
  return exam
}

/** The form as rows are read by it, with labels and keys of all its dictionaries. */
const formOf = async (db: TenantDb, examId: string) => {
  const rows = await listSignItems(db, examId)
  const items = rows.map(row => ({ ...row, required: row.required === 1, min: row.minValue, max: row.maxValue }))
  const codes = [...new Set([...items.flatMap(item => item.dictCode || []), 'education', 'degree', 'political', 'sex', 'fresh'])]
  const entries = await findDictionaries(db, codes)
  const keys = new Map<string, Map<string, string>>()
  const labels = new Map<string, Map<string, { zh: string; en: string }>>()
  for (const { code, key, zh, en } of entries) {
    const known = keys.get(code) ?? new Map<string, string>()
    known.set(zh, key)
    known.set(key, key)
    keys.set(code, known)
    const named = labels.get(code) ?? new Map<string, { zh: string; en: string }>()
    named.set(key, { zh, en })
    labels.set(code, named)
  }
  return { rows, items, keys, labels }
}

/** Each row of a file and whether it is new, against accounts, sign-ups, posts and conditions. */
const check =
  ({ services, school }: SignupContext): GroupImport['check'] =>
  async (db, sheet, run) => {
    const exam = await examOf(db, run)
    const { cipher } = services
    const { tenantId } = db.actor
    const { groupCode } = optionsOf(run)
    const today = toWireDay(db.now)
    const form = await formOf(db, exam.id)
    const specs = { ...groupColumns, ...itemColumns(form.items) }
    const opened = openSheet<string>(specs, sheet.header)
    const at = (header: string): number => sheet.header.findIndex(cell => headerKey(cell) === header)
    const [cardAt, phoneAt, schoolAt] = [at('证件号码'), at('手机号'), at('毕业院校')]
    const known = new Map<string, string>()
    const indexOf: GroupFacts['indexOf'] = (purpose, value) => {
      const key = `${purpose} ${value}`
      const index = known.get(key) ?? cipher.blindIndex(tenantId, purpose, value)
      known.set(key, index)
      return index
    }
    const cards: string[] = []
    const phones: string[] = []
    const schoolNames = new Set<string>()
    for (const cells of sheet.rows) {
      const card = checkDocument(String(cells[cardAt] ?? ''), today)
      if (card.ok) cards.push(indexOf('id-card', card.idCard))
      const phone = checkMobile(String(cells[phoneAt] ?? ''))
      if (phone.ok) phones.push(indexOf('phone', phone.mobile))
      const named = withoutUnseen(shownText(cells[schoolAt])).trim()
      if (named !== '') schoolNames.add(named)
    }
    const people = await findPeople(db, cards, phones)
    const signedUp = new Map<string, { zh: string; en: string }>()
    for (const one of await findSignupsOf(
      db,
      exam.id,
      cards,
      people.map(person => person.userId),
    )) {
      const state = signupMachine.label[one.examine as SignupState]
      signedUp.set(one.userId, state)
      // A number that was only written down, or that somebody has taken back, keeps nobody out, but their own account.
      if (one.idCardIndex && !['draft', 'withdrawn', 'refused'].includes(one.examine)) signedUp.set(one.idCardIndex, state)
    }
    const context = {
      ...judgingOf(exam, db.now),
      labelOf: (code: string, key: string) => form.labels.get(code)?.get(key),
    }
    const facts: GroupFacts = {
      columns: Object.keys(specs),
      ...{ today, items: form.items, indexOf, signedUp, hotline: exam.contactPhone, allowSecond: exam.allowSecond },
      keyOf: (code, text) => form.keys.get(code)?.get(text),
      isRegion: code => /^\d{6}$/.test(code),
      peopleByCard: new Map(people.flatMap(person => (person.idCardIndex ? [[person.idCardIndex, person]] : []))),
      peopleByPhone: new Map(people.flatMap(person => (person.phoneIndex ? [[person.phoneIndex, person]] : []))),
      listed: await findListed(db, cards, today),
      handedIn:
        groupCode === ''
          ? undefined
          : new Map(
              (await findHandedIn(db, exam.id, groupCode, cards)).map(one => [
                one.idCardIndex,
                signupMachine.label[one.examine as SignupState],
              ]),
            ),
      posts: new Map((await listPosts(db, exam.id)).map(post => [post.code, post])),
      judge: (content, post, post2) => [
        ...evaluateConditions(post, content, context),
        ...(post2 ? evaluateConditions(post2, content, context).map(one => ({ ...one, choice: 2 as const })) : []),
      ],
      schools: await school.findNamed(db, [...schoolNames], [...schoolNames]),
      firstCard: new Map(),
      firstPhone: new Map(),
    }
    const read: ({ row: number; value: GroupInput } | undefined)[] = []
    const left = new Map([...facts.posts.values()].flatMap(post => (post.maxSign > 0 ? [[post.code, post.maxSign - post.usedSign]] : [])))
    let row = 1
    for (const cells of sheet.rows) {
      row += 1
      const reader = opened.reader(cells, row)
      if (!reader) continue
      const value = readGroupRow(reader, facts)
      const places = value && left.get(value.code)
      if (value && places !== undefined) {
        if (places <= 0) reader.fail('code', 'post-full', refuseSignup('signup/post-full', {}).text)
        left.set(value.code, places - 1)
      }
      read.push(value && { row, value })
      if (row % portion === 0) await run.progress(row - 1)
    }
    const checked = opened.checked(read)
    // What a school asks about people is on record.
    if (groupCode !== '') {
      const after = { groupCode, rows: row - 1 }
      await audit(db, undefined, { action: checkedAction, entity: 'examination', entityId: exam.id, after })
    }
    return checked
  }

const asText = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

/** Writes accounts and sign-ups in portions; all of them or none. */
const write =
  ({ services: { cipher }, message, pay }: SignupContext): GroupImport['write'] =>
  async (db, rows, run) => {
    const exam = await examOf(db, run)
    const { groupCode, passed } = optionsOf(run)
    const { tenantId } = db.actor
    const form = await formOf(db, exam.id)
    const posts = new Map((await listPosts(db, exam.id)).map(post => [post.code, post]))
    await lock(db, 'candidate-number')
    const wanted = new Map<string, number>()
    // Places and numbers of drafts come with the submit of the person.
    for (const { value } of passed ? rows : []) wanted.set(value.code, (wanted.get(value.code) ?? 0) + 1)
    for (const code of [...wanted.keys()].sort())
      if (!(await takePlaces(db, exam.id, code, wanted.get(code) ?? 0))) throw new Refused(refuseSignup('signup/post-full', {}))
    let sequence = passed ? await takeSignSequence(db, exam.id, rows.length) : 0
    let replanAt = portion
    for (let from = 0; from < rows.length; from += portion) {
      // Each time there are twice as many.
      if (from === replanAt) {
        await forgetPlans(db)
        replanAt *= 2
      }
      const some = rows.slice(from, from + portion)
      const ids = await newIds(db, some.length * 2)
      const accounts: AccountToAdd[] = []
      const signups: SignupToAdd[] = []
      for (const [place, { value }] of some.entries()) {
        const id = ids[place * 2] ?? ''
        const userId = value.userId ?? ids[place * 2 + 1] ?? ''
        const sealed = (table: 'account' | 'signup', column: string, rowId: string, text: string) =>
          cipher.seal(tenantId, { table, column, rowId }, text).toString('base64')
        const masks = { idCardMask: maskIdCard(value.idCard), phoneMask: maskPhone(value.phone) }
        const indexes = { idCardIndex: value.idCardIndex, phoneIndex: value.phoneIndex }
        const person = { name: value.name, idCardType: value.idCardType, sex: value.sex, birthday: value.birthday, ...masks, ...indexes }
        if (value.userId === undefined)
          accounts.push({
            ...person,
            id: userId,
            idCardIndex: value.holdsNumbers ? value.idCardIndex : null,
            phoneIndex: value.holdsNumbers ? value.phoneIndex : null,
            phone: sealed('account', 'phone_sealed', userId, value.phone),
            idCard: sealed('account', 'id_card_sealed', userId, value.idCard),
          })
        const [post, post2] = [posts.get(value.code), value.code2 === null ? undefined : posts.get(value.code2)]
        signups.push({
          ...person,
          ...{ id, userId, examine: passed ? 'passed' : 'draft', source: groupCode === '' ? 2 : 3, ...value.region },
          signNo: passed ? signNo(exam.year, exam.examNo, sequence++) : null,
          ...{ code: value.code, type: post?.type ?? '', unit: post?.unit ?? '' },
          ...{ code2: post2?.code ?? null, type2: post2?.type ?? null, unit2: post2?.unit ?? null },
          content: sealContent(cipher, { tenantId, table: 'signup', rowId: id }, form.rows, value.content),
          ...{ adjust: value.adjust, nameRare: value.nameRare, autoCheck: value.checks, autoResult: value.result },
          phone: sealed('signup', 'phone_sealed', id, value.phone),
          idCard: sealed('signup', 'id_card_sealed', id, value.idCard),
          ...{
            nation: asText(value.content['nation']),
            education: asText(value.content['education']),
            degree: asText(value.content['degree']),
          },
          ...{ major: asText(value.content['major']), school: value.school },
        })
      }
      if (accounts.length > 0) await addAccounts(db, accounts)
      await addSignups(db, { examId: exam.id, importId: run.job.id, groupCode }, signups)
      await message.notifyAll(
        db,
        signups.map(one => one.userId),
        {
          examId: exam.id,
          kind: 1,
          title: { zh: '已为您填好报名表，请本人确认并提交', en: 'Your sign-up was begun for you: complete and submit it' },
          content: {
            zh: `${exam.examName}：院校或单位已为您填写报名信息，尚未提交。请核对信息、补充材料并同意诚信承诺后提交，否则不算报名。`,
            en: `${exam.examName}: a school or an office has filled in your sign-up; it is not submitted. Check the answers, add the files, accept the undertaking and submit: without that you are not signed up.`,
          },
          link: `/signup/form/${exam.id}`,
          eventKey: `signup.group:${exam.id}`,
        },
      )
      await message.notifyAll(
        db,
        some.flatMap(({ value }) => value.invites ?? []),
        invitationNotice({ examId: exam.id, examName: exam.examName, importId: run.job.id }),
      )
      // Where it is due when it is handed in, somebody who has passed does not hand it in once more.
      if (passed && exam.payWhen !== 3) {
        const newcomers = signups.map(({ id, userId, code }) => ({ signupId: id, userId, code }))
        await storePayStates(db, await pay.openFirstDues(db, exam.id, newcomers), 'due')
      }
      await run.progress(from + some.length)
    }
    await enqueue(db, groupTellTask, { importId: run.job.id }, { jobKey: `group-${run.job.id}` })
    return { inserted: rows.length, updated: 0, skipped: 0 }
  }

/** T2: people whom staff or a school sign up (domain 5.4 importSignUp). Rows are independent of each other. */
export const groupImport = (context: SignupContext): GroupImport => ({
  ...signupImports.group,
  columns: groupColumns,
  guard: async (db, run) => {
    const exam = await findExam(db, run.job.examId ?? '0')
    if (!exam) return refuseExam('exam/no-exam', {})
    if (exam.state !== 'released') return refuseSignup('signup/exam-not-open', {})
    if (isWithin(db.now, exam.signBegin, exam.signEnd)) return undefined
    return refuseSignup('signup/outside-window', {
      what: { zh: '报名', en: 'sign-up' },
      from: exam.signBegin ? toWireDay(exam.signBegin) : '-',
      to: exam.signEnd ? toWireDay(exam.signEnd) : '-',
    })
  },
  check: check(context),
  write: write(context),
  template: async (db, { examId, ctx }) => {
    const exam = examId === undefined ? undefined : await findExam(db, examId)
    if (!exam) return refuseExam('exam/no-exam', {})
    const form = await formOf(db, exam.id)
    const choices = (code: string) => [...(form.labels.get(code)?.values() ?? [])].map(entry => entry.zh)
    const note = (zh: string, en: string, sample = '', list?: readonly string[]) => ({
      ...{ note: { zh, en }, sample },
      ...(list && list.length > 0 && list.length <= 60 ? { choices: list } : {}),
    })
    const own = {
      name: note('与证件一致', 'As on the document', '王测'),
      idCard: note('先把本列设为文本格式', 'Format this column as text first', '330106199806301023'),
      phone: note('本人手机号，报名后用它登录', 'Their own; they log in with it', '13800000001'),
      code: note('考试的岗位代码', 'A post of the examination', 'A001'),
      adjust: note('是 或 否', 'yes or no', '是', ['是', '否']),
      province: note('行政区划代码', 'Code of the region', '330000'),
      nation: note('名称或代码', 'Name or code', '汉族'),
      political: note('名称或代码', 'Name or code', '群众', choices('political')),
      education: note('名称或代码', 'Name or code', '本科', choices('education')),
      degree: note('名称或代码', 'Name or code', '学士', choices('degree')),
      school: note('院校全称', 'Full name of the school', '新疆医科大学'),
      major: note('与毕业证书一致', 'As on the diploma', '护理学'),
      graduateDate: note('年-月-日', 'Year-month-day', '2019-06-30'),
    }
    const ofItems = Object.fromEntries(
      form.items.map(item => [
        `item:${item.itemKey}`,
        note('报名表的栏目', 'A field of the form', '', item.dictCode ? choices(item.dictCode) : undefined),
      ]),
    )
    return templateBook(ctx.say, signupImports.group.label, { ...groupColumns, ...itemColumns(form.items) }, { ...ofItems, ...own })
  },
})
