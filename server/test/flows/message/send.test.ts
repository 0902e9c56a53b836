import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import type { SmsEmulator } from '#server/demo/sms-emulator/emulator.ts'
import { startTestApp, type TestApp, testStart } from '../../support/app.ts'
import { noticesOf, runTask } from '../../support/pay.ts'
import { balanceOf, ledgerOf, messagesOf, type SendScene, send, sendScene } from '../../support/sending.ts'
import { createSerial } from '../../support/serial.ts'
import { smsEmulatorOf } from '../../support/sms.ts'
import { workbook } from '../../support/workbook.ts'

let t: TestApp
let emulator: SmsEmulator
let scene: SendScene
beforeAll(async () => {
  t = await startTestApp()
  emulator = await smsEmulatorOf(t)
})
afterAll(() => t.close())
beforeEach(async () => {
  t.clock.set(testStart)
  scene = await sendScene(t)
})

const nextSerial = createSerial()
const nextPhone = (): string => `1381000${String(nextSerial()).padStart(4, '0')}`
const takenBy = (phone: string): number => emulator.taken().filter(one => one.phone === phone).length
const draft = (more: object = {}, of = scene) =>
  of.officer.post(`${send}/draft`, { json: { examId: of.built.examId, templateId: of.templateId, audience: 'passed', ...more } })
const go = (sendId: string, of = scene, more: object = {}) => of.officer.post(`${send}/sendMessage`, { json: { sendId, ...more } })
const detail = async (sendId: string, of = scene) => (await of.officer.get(`${send}/detail`, { query: { sendId } })).body.data

describe('[S7.45] sending to many', () => {
  test('a draft shows its people, real texts in both languages and what it costs; nothing is sent or frozen', async () => {
    const phone = nextPhone()
    await scene.candidate(phone, { name: '李甲' })
    await scene.candidate(nextPhone(), { name: '已退', examine: 'refused' })
    const { body } = await draft()
    expect(body.data.task).toMatchObject({ state: 0, total: 1, waiting: 1, parts: 1, channel: 3, needsApproval: false, leftOut: {} })
    expect(body.data.previews).toEqual([
      {
        name: '李甲',
        phoneMask: `138****${phone.slice(7)}`,
        content: expect.stringMatching(/^【考谱】李甲您好，.+缴费将于.+截止，逾期未缴费视为自动放弃。$/),
        contentEn: expect.stringMatching(/^李甲, payments of .+ end at .+\.$/),
        segs: 1,
      },
    ])
    await t.runTasks()
    expect([takenBy(phone), await balanceOf(scene.tenant)]).toEqual([0, { balance: 1_000, frozen: 0 }])
  })

  test('sent: each person once by text message and in-app, paid for by parts, a line in the trail for each step', async () => {
    const [first, second] = [nextPhone(), nextPhone()]
    const person = await scene.candidate(first)
    await scene.candidate(second)
    const { id } = (await draft()).body.data.task
    expect((await go(id)).body.data).toMatchObject({ state: 2, waiting: 2 })
    expect(await balanceOf(scene.tenant)).toEqual({ balance: 1_000, frozen: 2 })
    await t.runTasks()
    expect([takenBy(first), takenBy(second)]).toEqual([1, 1])
    expect(await detail(id)).toMatchObject({ state: 3, waiting: 0, taken: 2, failed: 0 })
    expect(await balanceOf(scene.tenant)).toEqual({ balance: 998, frozen: 0 })
    expect(await ledgerOf(scene.tenant)).toEqual([
      { kind: 'freeze', parts: 2 },
      { kind: 'settle', parts: 2 },
    ])
    expect(await noticesOf(scene.tenant, person.userId)).toEqual(['缴费即将截止'])
    expect(
      await scene.tenant
        .rows(sql<{ action: string }>`select action from audit_log where entity = 'send' order by id`)
        .then(rows => rows.map(row => row.action)),
    ).toEqual(['send.drafted', 'send.started'])
  })

  test('a failed message is given back, and paid for once when it is sent again', async () => {
    const [barred, other] = [nextPhone(), nextPhone()]
    emulator.fate(barred, 'blacklist', 1)
    await scene.candidate(barred)
    await scene.candidate(other)
    const { id } = (await draft()).body.data.task
    await go(id)
    await t.runTasks()
    expect(await detail(id)).toMatchObject({ state: 3, taken: 1, failed: 1, can: { resend: true } })
    expect(await balanceOf(scene.tenant)).toEqual({ balance: 999, frozen: 0 })
    expect((await scene.officer.post(`${send}/resend`, { json: { sendId: id } })).status).toBe(200)
    await t.runTasks()
    expect(await detail(id)).toMatchObject({ state: 3, taken: 2, failed: 0 })
    expect([await balanceOf(scene.tenant), takenBy(barred), takenBy(other)]).toEqual([{ balance: 998, frozen: 0 }, 1, 1])
  })

  test('the same person has the same template once a day, unless somebody insists', async () => {
    const phone = nextPhone()
    await scene.candidate(phone)
    await go((await draft()).body.data.task.id)
    await t.runTasks()
    const again = await draft()
    expect([again.status, again.body.code, again.body.reason, again.body.msg]).toEqual([
      409,
      2705,
      'send/nobody',
      '没有可以发送的人：24 小时内已发过同一模板 1 人',
    ])
    await go((await draft({ repeat: 1 })).body.data.task.id)
    await t.runTasks()
    expect(takenBy(phone)).toBe(2)
    t.clock.set('2026-03-18T10:00:01+08:00')
    await go((await draft()).body.data.task.id)
    await t.runTasks()
    expect(takenBy(phone)).toBe(3)
  })

  test('two tasks that were drafted before either was sent write to nobody twice', async () => {
    const phone = nextPhone()
    await scene.candidate(phone)
    const [one, two] = [(await draft()).body.data.task.id, (await draft()).body.data.task.id]
    await go(one)
    await go(two)
    await t.runTasks()
    expect(takenBy(phone)).toBe(1)
    expect(await messagesOf(scene.tenant, two)).toMatchObject([{ state: 3, kind: 'person' }])
    expect(await balanceOf(scene.tenant)).toEqual({ balance: 999, frozen: 0 })
  })

  test('without a balance nothing begins: 2701 says what lacks, and the draft stays', async () => {
    const poor = await sendScene(t, 1)
    await poor.candidate(nextPhone())
    await poor.candidate(nextPhone())
    const { id } = (await draft({}, poor)).body.data.task
    const refused = await go(id, poor)
    expect([refused.status, refused.body.code, refused.body.msg]).toEqual([409, 2701, '短信余额不足：需要 2 条，可用 1 条，请先充值'])
    expect([await detail(id, poor).then(task => task.state), await balanceOf(poor.tenant)]).toEqual([0, { balance: 1, frozen: 0 }])
    const free = (await draft({ channel: 2 }, poor)).body.data.task
    expect(free.parts).toBe(0)
    expect((await go(free.id, poor)).status).toBe(200)
  })

  test('at night text messages wait until eight, in-app ones do not', async () => {
    t.clock.set('2026-03-17T22:30:00+08:00')
    const phone = nextPhone()
    await scene.candidate(phone)
    const { id } = (await draft()).body.data.task
    expect((await go(id)).body.data).toMatchObject({ state: 2, waitReason: 'quiet', waitUntil: '2026-03-18 08:00:00' })
    const other = await sendScene(t)
    const person = await other.candidate(nextPhone())
    await go((await draft({ channel: 2 }, other)).body.data.task.id, other)
    await t.runTasks()
    expect([await detail(id).then(task => [task.state, task.waitReason]), takenBy(phone)]).toEqual([[2, 'quiet'], 0])
    expect(await noticesOf(other.tenant, person.userId)).toEqual(['缴费即将截止'])
    t.clock.set('2026-03-18T08:00:00+08:00')
    await t.runTasks()
    expect([takenBy(phone), await detail(id).then(task => task.state)]).toEqual([1, 3])
  })

  test('a time that is set is kept; one that is too near or too far is refused at its field', async () => {
    const phone = nextPhone()
    await scene.candidate(phone)
    const { id } = (await draft()).body.data.task
    const near = await go(id, scene, { scheduleTime: '2026-03-17 10:01:00' })
    expect([near.status, near.body.data.fields[0].field]).toEqual([400, 'scheduleTime'])
    expect((await go(id, scene, { scheduleTime: '2026-03-17 15:00:00' })).body.data).toMatchObject({
      state: 2,
      scheduleTime: '2026-03-17 15:00:00',
    })
    await t.runTasks()
    expect(takenBy(phone)).toBe(0)
    t.clock.set('2026-03-17T15:00:00+08:00')
    await t.runTasks()
    expect(takenBy(phone)).toBe(1)
  })

  test('more than a hundred people need a second person, who is told; a refusal goes back with its reason', async () => {
    for (let i = 0; i < 101; i += 1) await scene.candidate(nextPhone())
    const { id, needsApproval } = (await draft()).body.data.task
    expect(needsApproval).toBe(true)
    expect((await go(id)).body.data).toMatchObject({ state: 1, can: { approve: false } })
    expect(await noticesOf(scene.tenant, scene.admin.userId)).toEqual(['短信发送待审批'])
    const own = await scene.officer.post(`${send}/approve`, { json: { sendId: id, pass: 1 } })
    expect([own.status, own.body.reason]).toEqual([403, 'send/same-person'])
    await scene.admin.post(`${send}/approve`, { json: { sendId: id, pass: 0, reason: '名单有误' } })
    expect(await detail(id)).toMatchObject({ state: 0, rejectReason: '名单有误' })
    expect(await noticesOf(scene.tenant, scene.officer.userId)).toEqual(['短信发送未获同意'])
    await go(id)
    expect((await scene.admin.post(`${send}/approve`, { json: { sendId: id, pass: 1 } })).body.data).toMatchObject({ state: 2 })
    await t.runTasks()
    expect(await detail(id)).toMatchObject({ state: 3, taken: 101 })
    expect(await balanceOf(scene.tenant)).toEqual({ balance: 899, frozen: 0 })
  })

  test('staff of a unit write to their own people only, and always with a second person’s word; they see no other task', async () => {
    await scene.candidate(nextPhone(), { unit: 'H01' })
    await scene.candidate(nextPhone(), { unit: 'H02' })
    const unit = await scene.tenant.staff('unit_hr', { userCode: 'H02' })
    const made = await unit.post(`${send}/draft`, { json: { examId: scene.built.examId, templateId: scene.templateId, audience: 'all' } })
    expect(made.body.data.task).toMatchObject({ total: 1, needsApproval: true })
    const others = (await draft()).body.data.task.id
    expect((await unit.get(`${send}/detail`, { query: { sendId: others } })).status).toBe(404)
    expect((await unit.get(`${send}/list`)).body.data.total).toBe(1)
  })

  test('what is left is cancelled and given back; what was sent stays', async () => {
    await scene.candidate(nextPhone())
    const { id } = (await draft()).body.data.task
    await go(id, scene, { scheduleTime: '2026-03-17 15:00:00' })
    expect((await scene.officer.post(`${send}/cancel`, { json: { sendId: id } })).body.data).toMatchObject({
      state: 5,
      failed: 0,
      cancelled: 1,
      can: { resend: false, remove: true },
    })
    expect(await balanceOf(scene.tenant)).toEqual({ balance: 1_000, frozen: 0 })
    t.clock.set('2026-03-17T15:00:00+08:00')
    await t.runTasks()
    expect(await detail(id)).toMatchObject({ state: 5, taken: 0 })
  })

  test('a run that was killed asks about what it had given and sends it once; the rest goes on', async () => {
    const phones = [nextPhone(), nextPhone(), nextPhone()]
    for (const phone of phones) await scene.candidate(phone)
    const { id } = (await draft()).body.data.task
    await go(id)
    // The answer of the first never came; the process died before it wrote anything.
    const [first = ''] = phones
    emulator.fate(first, 'lost-answer', 1)
    await t.runTasks()
    expect(await detail(id)).toMatchObject({ state: 2, waiting: 1, taken: 2 })
    await runTask(t, 'message.run-send', { tenantId: scene.tenant.tenantId, sendId: id })
    expect(await detail(id)).toMatchObject({ state: 3, waiting: 0, taken: 3 })
    expect(phones.map(takenBy)).toEqual([1, 1, 1])
    expect(await balanceOf(scene.tenant)).toEqual({ balance: 997, frozen: 0 })
  })

  test('what the provider blames on us pauses the task with an alarm; it goes on when somebody says so', async () => {
    const phones = Array.from({ length: 70 }, nextPhone)
    for (const phone of phones) await scene.candidate(phone)
    emulator.fate(phones[0] ?? '', 'balance', 1)
    const { id } = (await draft()).body.data.task
    await go(id)
    await t.runTasks()
    expect(await detail(id)).toMatchObject({ state: 2, waitReason: 'problem', failed: 1, taken: 63, waiting: 6, can: { resume: true } })
    expect((await detail(id)).problem).toBe('服务商账户余额不足（isv.AMOUNT_NOT_ENOUGH）')
    expect(await noticesOf(scene.tenant, scene.officer.userId)).toEqual(['短信发送已暂停'])
    expect(await noticesOf(scene.tenant, scene.admin.userId)).toEqual(['告警：短信账户异常，短信未发出'])
    await scene.officer.post(`${send}/resend`, { json: { sendId: id } })
    await t.runTasks()
    expect(await detail(id)).toMatchObject({ state: 3, failed: 1, taken: 69 })
    expect(await balanceOf(scene.tenant)).toEqual({ balance: 931, frozen: 0 })
  })

  test('a task that was refused for its signature goes on under the one that holds then', async () => {
    await scene.tenant.rows(sql`update sms_provider set sign_name = '未报备' returning id`)
    for (let i = 0; i < 65; i += 1) await scene.candidate(nextPhone())
    const { id } = (await draft()).body.data.task
    await go(id)
    await t.runTasks()
    expect(await detail(id)).toMatchObject({ waitReason: 'problem', failed: 64, waiting: 1 })
    await scene.tenant.rows(sql`update sms_provider set sign_name = '考谱' returning id`)
    await scene.officer.post(`${send}/resend`, { json: { sendId: id } })
    await t.runTasks()
    expect(await detail(id)).toMatchObject({ state: 3, failed: 64, taken: 1 })
    await scene.officer.post(`${send}/resend`, { json: { sendId: id } })
    await t.runTasks()
    expect(await detail(id)).toMatchObject({ state: 3, failed: 0, taken: 65 })
    const contents = (await messagesOf(scene.tenant, id)).map(row => row.content)
    expect(contents.filter(content => content.startsWith('【考谱】'))).toHaveLength(65)
  })

  test('the budget of the day is kept: the rest waits for the next morning', async () => {
    await scene.tenant.rows(sql`update param set param_value = '2' where param_key = 'sms.dailyBudget'`)
    const phones = [nextPhone(), nextPhone(), nextPhone()]
    for (const phone of phones) await scene.candidate(phone)
    const { id } = (await draft()).body.data.task
    await go(id)
    await t.runTasks()
    expect([await detail(id).then(task => [task.state, task.waitReason]), phones.map(takenBy)]).toEqual([
      [2, 'budget'],
      [1, 1, 0],
    ])
    t.clock.set('2026-03-18T08:00:00+08:00')
    await t.runTasks()
    expect([await detail(id).then(task => task.state), phones.map(takenBy)]).toEqual([3, [1, 1, 1]])
  })

  test('another tenant reaches no task, no message and no template', async () => {
    await scene.candidate(nextPhone())
    const { id } = (await draft()).body.data.task
    const other = await sendScene(t)
    expect((await other.officer.get(`${send}/detail`, { query: { sendId: id } })).status).toBe(404)
    expect((await other.officer.get(`${send}/getMessages`, { query: { sendId: id } })).status).toBe(404)
    for (const call of ['sendMessage', 'cancel', 'resend', 'deleteAll'])
      expect((await other.officer.post(`${send}/${call}`, { json: { sendId: id } })).status).toBe(404)
    expect((await draft({ templateId: scene.templateId }, other)).status).toBe(404)
    expect((await other.officer.get('/blade-sendMessage/sendmessage/list')).body.data.records).toEqual([])
    expect(await detail(id)).toMatchObject({ state: 0, waiting: 1 })
  })

  test('a template without an in-app title and English texts is shown, drafted and sent; its name is the title', async () => {
    const person = await scene.candidate(nextPhone())
    await scene.tenant.rows(
      sql`update send_template set title = null, title_en = null, content_en = null, sign_name = null, vars = null where id = ${scene.templateId} returning id`,
    )
    const info = await scene.officer.get(`${send}/getSendInfo`, { query: { examId: scene.built.examId } })
    expect([info.status, info.body.data.templates]).toEqual([
      200,
      [expect.objectContaining({ id: scene.templateId, contentEn: '', personVars: ['name', 'exam', 'deadline'], ownVars: [] })],
    ])
    const { task, previews } = (await draft()).body.data
    expect(previews).toEqual([expect.objectContaining({ contentEn: '' })])
    await go(task.id)
    await t.runTasks()
    expect(await noticesOf(scene.tenant, person.userId)).toEqual(['缴费提醒'])
  })

  test('people of a workbook: a row without number, name or variable and a number that is there twice say why; the rest is sent', async () => {
    await scene.tenant.rows(
      sql`update send_template set content = '\${name}您好，请于\${day}到场。', title_en = '', content_en = '' where id = ${scene.templateId} returning id`,
    )
    const { id } = (await draft({ audience: 'workbook', examId: undefined })).body.data.task
    const [first, second] = [nextPhone(), nextPhone()]
    const bytes = await workbook([
      ['手机号', '姓名', 'day'],
      [first, '李甲', '8 日'],
      ['', '李乙', '8 日'],
      [second, '', '8 日'],
      [nextPhone(), '李丁', ''],
      [` +86 ${first}`, '李戊', '9 日'],
    ])
    const of = { sendId: id, policy: 'partial' }
    const checked = await scene.officer.post(`${send}/importMessage`, {
      multipart: { fields: { ...of, mode: 'check' }, files: [{ part: 'file', name: '名单.xlsx', bytes }] },
    })
    const { importId, ok, failed, errors } = checked.body.data
    expect([ok, failed, errors.map((one: { row: number; column: string; reason: string }) => [one.row, one.column, one.reason])]).toEqual([
      1,
      4,
      [
        [3, 'A', '必填项为空: 手机号'],
        [4, 'B', '必填项为空: 姓名'],
        [5, 'C', '必填项为空: day'],
        [6, 'A', '与第 2 行重复'],
      ],
    ])
    const done = await scene.officer.post(`${send}/importMessage`, { multipart: { fields: { ...of, mode: 'commit', importId } } })
    expect(done.body.data).toMatchObject({ state: 4, inserted: 1, skipped: 4 })
    expect((await messagesOf(scene.tenant, id)).map(row => row.content)).toEqual(['【考谱】李甲您好，请于8 日到场。'])
  })

  test('[two persons: outsideMessage] to a number of nobody’s account nothing goes by one person’s word, nor by theirs who brought it; links lead to the installation alone', async () => {
    await scene.tenant.rows(
      sql`update send_template set content = '\${name}您好，\${day}', title_en = '', content_en = '' where id = ${scene.templateId} returning id`,
    )
    const bring = async (who: SendScene['officer'], id: string, day: string, phone = nextPhone()) => {
      const bytes = await workbook([
        ['手机号', '姓名', 'day'],
        [phone, '李甲', day],
      ])
      const of = { sendId: id, policy: 'partial' }
      const fields = { ...of, mode: 'check' }
      const checked = await who.post(`${send}/importMessage`, {
        multipart: { fields, files: [{ part: 'file', name: '名单.xlsx', bytes }] },
      })
      const { importId, ok, errors } = checked.body.data
      if (ok > 0) await who.post(`${send}/importMessage`, { multipart: { fields: { ...of, mode: 'commit', importId } } })
      return errors.map((one: { reason: string }) => one.reason)
    }
    const made = async () => (await draft({ audience: 'workbook', examId: undefined })).body.data.task.id as string
    const id = await made()
    for (const link of ['请打开 https://evil.example/pay', '看 t.cn/abc', '看 ｔ．cn/abc', '看 10.9.8.7:80/x', '看 http://考试.中国'])
      expect([link, await bring(scene.officer, id, link)]).toEqual([link, [expect.stringContaining('不是本平台的地址')]])
    const own = new URL(t.app.services.config.publicUrl ?? `http://localhost:${t.app.services.config.port}`).host
    const phone = nextPhone()
    expect(await bring(scene.officer, id, `http://${own}，3.5元，1.带证件`, phone)).toEqual([])
    expect((await go(id)).body.data).toMatchObject({ state: 1 })
    await t.runTasks()
    expect(takenBy(phone)).toBe(0)
    expect((await scene.officer.post(`${send}/approve`, { json: { sendId: id, pass: 1 } })).body.reason).toBe('send/same-person')
    expect((await scene.admin.post(`${send}/approve`, { json: { sendId: id, pass: 1 } })).body.data).toMatchObject({ state: 2 })
    // Another officer who brought the people approves the task of the first no more than they do.
    const colleague = await scene.tenant.staff('exam_admin')
    const other = await made()
    expect(await bring(colleague, other, '8 日')).toEqual([])
    await go(other)
    expect((await colleague.post(`${send}/approve`, { json: { sendId: other, pass: 1 } })).body.reason).toBe('kernel/two-persons-own')
  })

  test('messages of somebody else cannot be removed: 404, and none of the others goes with them', async () => {
    const other = await sendScene(t)
    await scene.candidate(nextPhone())
    await other.candidate(nextPhone())
    const own = (await draft()).body.data.task.id
    const foreign = (await draft({}, other)).body.data.task.id
    const ids = async (of: SendScene, sendId: string) =>
      (await of.tenant.rows(sql<{ id: string }>`select id::text as id from sms_message where send_id = ${sendId}`)).map(row => row.id)
    const both = [...(await ids(scene, own)), ...(await ids(other, foreign))].join(',')
    for (const path of [`${send}/deleteMessage`, '/blade-sendMessage/sendmessage/remove'])
      expect((await scene.officer.post(path, { json: { ids: both } })).status).toBe(404)
    expect([(await ids(scene, own)).length, (await ids(other, foreign)).length]).toEqual([1, 1])
    const mine = await scene.officer.post(`${send}/deleteMessage`, { json: { ids: (await ids(scene, own)).join(',') } })
    expect(mine.body.data).toEqual({ removed: 1 })
  })

  test('no message leads elsewhere, whichever way the link came in: by a template, by a variable, by what a person is called, or by none of these', async () => {
    const [phone, strange] = [nextPhone(), nextPhone()]
    await scene.candidate(phone, { name: '李甲' })
    await scene.candidate(strange, { name: 'evil.example' })
    const saved = { id: scene.templateId, contentEn: 'Pay at evil.example/pay' }
    expect((await scene.admin.post('/blade-sendTemplate/sendtemplate/submit', { json: saved })).body).toMatchObject({
      reason: 'sms/link',
      data: { fields: [{ field: 'contentEn', msg: '“evil.example”不是本平台的地址，不能发送' }] },
    })
    const content = (text: string) =>
      scene.tenant.rows(sql`update send_template set content = ${text} where id = ${scene.templateId} returning id`)
    await content('请打开 t.cn/abc')
    expect((await draft()).body.reason).toBe('sms/link')
    await content('${name}请看 ${note}')
    expect((await draft({ params: { note: '看 https://evil.example/pay' } })).body.reason).toBe('sms/link')
    const { task } = (await draft({ params: { note: '公告' } })).body.data
    expect(task).toMatchObject({ total: 1, leftOut: { link: 1 } })
    await scene.tenant.db(db =>
      t.app.modules.message.sendSms(db, {
        phone,
        template: 'appeal-refused',
        params: { no: '1', reason: '看 evil.example' },
        userId: null,
      }),
    )
    await t.runTasks()
    expect(takenBy(phone)).toBe(0)
    expect(await scene.tenant.rows(sql`select state, fail_reason as why from sms_message where template = 'appeal-refused'`)).toEqual([
      { state: 3, why: '短信含有指向其他地址的链接，未发出' },
    ])
  })

  test('an audience of nobody, a variable nobody has filled in and a task without a service are refused; nothing is written', async () => {
    expect((await draft()).body).toMatchObject({ code: 2705, reason: 'send/nobody', msg: '没有可以发送的人' })
    await scene.candidate(nextPhone())
    await scene.tenant.rows(sql`update send_template set content = content || '\${note}' where id = ${scene.templateId} returning id`)
    expect((await draft()).body).toMatchObject({ code: 2702, reason: 'send/variable', msg: '请填写模板变量：${note}' })
    await scene.tenant.rows(sql`update sms_provider set status = 1 returning id`)
    expect((await draft({ channel: 1, params: { note: '请带证件' } })).body).toMatchObject({ code: 2702, reason: 'send/no-service' })
    expect(await scene.tenant.rows(sql`select count(*)::int as n from send_task`)).toEqual([{ n: 0 }])
  })
})
