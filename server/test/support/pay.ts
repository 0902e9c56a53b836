import type { DueState } from '#contract/pay/order.state.ts'
import { sql } from '#kernel/db/sql.ts'
import type { Task } from '#kernel/queue/outbox.ts'
import type { NoticeRequest } from '#server/demo/wxpay-emulator/notices.ts'
import { type Answer, type Person, type TestApp, type TestTenant, testStart } from './app.ts'
import { type BuiltExam, buildExam, type ExamOverrides } from './factories.ts'

export const exam = '/blade-exam/examination'

/** A candidate whose sign-up has passed, with the dues that arose. */
export interface Payer {
  readonly person: Person
  readonly signupId: string
  readonly payId: string
}
export interface PayScene {
  readonly tenant: TestTenant
  readonly built: BuiltExam
  readonly finance: Person
  payer(): Promise<Payer>
}

/** HZ2026A with people who owe 100 yuan each. */
export const payScene = async (t: TestApp, overrides: ExamOverrides = {}): Promise<PayScene> => {
  const tenant = await t.tenant()
  const built = await buildExam(tenant, overrides)
  const finance = await tenant.staff('finance')
  const payer = async (): Promise<Payer> => {
    const person = await tenant.candidate()
    return tenant.db(async db => {
      const { id: signupId } = await db.one(sql<{ id: string }>`
        insert into signup (tenant_id, exam_id, user_id, code, type, unit, examine, name, id_card_mask, sign_no, sign_version)
        values (${tenant.tenantId}, ${built.examId}, ${person.userId}, 'B001', 'B', 'H01', 'passed', '王测', '3301**********301X', ${`2026${person.userId}`.slice(0, 16)}, 1)
        returning id::text as id`)
      await t.app.modules.pay.openDues(db, signupId)
      const due = await db.maybe(sql<{ id: string }>`select id::text as id from exam_pay where signup_id = ${signupId} order by id limit 1`)
      return { person, signupId, payId: due?.id ?? '' }
    })
  }
  return { tenant, built, finance, payer }
}

/** The code of a due, as the portal asks for it. */
export const openCode = async (person: Person, payId: string): Promise<{ orderNo: string; codeUrl: string }> => {
  const { body, status } = await person.get(`${exam}/getPayQrcode`, { query: { payId } })
  if (status !== 200) throw new Error(`getPayQrcode answered ${status}: ${JSON.stringify(body)}`)
  return body.data
}

export const emulatorOf = async (t: TestApp) => {
  const { payments } = t.app
  if (!payments) throw new Error('the test application has no payment emulator')
  return { emulator: await payments.emulator(), payments }
}

/** Puts clock and emulator back, before each test of one application. */
export const beginPayments = async (t: TestApp): Promise<void> => {
  t.clock.set(testStart)
  const { emulator } = await emulatorOf(t)
  emulator.resetFaults()
}

/** The notices about an order or refund, signed and ready to be sent. */
export const noticesAbout = async (t: TestApp, subject: string): Promise<NoticeRequest[]> => {
  const { emulator } = await emulatorOf(t)
  return emulator.noticesAbout(subject).map(notice => emulator.composeNotice(notice))
}

/** Sends one notice as the provider does. */
export const deliver = async (t: TestApp, notice: NoticeRequest): Promise<Pick<Answer, 'status' | 'raw'>> => {
  const answer = await t.app.server.inject({
    method: 'POST',
    url: new URL(notice.url).pathname,
    headers: notice.headers,
    payload: notice.body,
  })
  return { status: answer.statusCode, raw: answer.rawPayload }
}

/** Due, order, ledger and refunds of one due, as a test compares them. */
export const moneyOf = (tenant: TestTenant, payId: string) =>
  tenant.db(async db => ({
    due: await db.one(sql<{ state: DueState; paid: number; refunded: number; payState: string }>`
      select p.state, p.paid_fen as paid, p.refunded_fen as refunded, s.pay_state as "payState"
      from exam_pay p join signup s on s.id = p.signup_id where p.id = ${payId}`),
    orders: await db.all(sql<{ orderNo: string; state: string; exception: string | null; notices: number }>`
      select order_no as "orderNo", state, exception, notify_count as notices from pay_order where pay_id = ${payId} order by id`),
    ledger: await db.all(
      sql<{ kind: string; fen: number }>`select kind, amount_fen as fen from pay_ledger where pay_id = ${payId} order by id`,
    ),
    refunds: await db.all(sql<{ state: string; reason: string; fen: number }>`
      select state, reason, amount_fen as fen from pay_refund where pay_id = ${payId} order by id`),
  }))

export const alarmsOf = (tenant: TestTenant): Promise<string[]> =>
  tenant.rows(sql<{ kind: string }>`select kind from pay_alarm order by id`).then(rows => rows.map(row => row.kind))

export const noticesOf = (tenant: TestTenant, userId: string): Promise<string[]> =>
  tenant
    .rows(sql<{ title: string }>`select title_zh as title from notify where user_id = ${userId} order by id`)
    .then(rows => rows.map(row => row.title))

/** Runs one task of the application now, whether or not it is due. */
export const runTask = async (t: TestApp, name: string, payload: object): Promise<void> => {
  const task = t.app.modules.tasks.find((one: Task) => one.name === name)
  if (!task) throw new Error(`nobody handles the task ${name}`)
  await task.run(payload as never, { attempt: 1, now: t.clock.now() })
}
