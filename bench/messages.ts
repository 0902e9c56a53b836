// How fast a task of messages is sent to the emulated provider by one process. `node bench/messages.ts [messages]`

import { systemOf } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'
import { createLog } from '#kernel/log.ts'
import { loadSecrets } from '#kernel/secrets.ts'
import { createApplication } from '#server/app.ts'
import { loadConfig } from '#server/config.ts'
import { seedMessages } from '../server/seed/demo/messages.ts'
import { createDatabase, startCluster } from './cluster.ts'

const count = Number(process.argv[2] ?? 5_000)
const cluster = await startCluster()
const database = await createDatabase(cluster, 'messages')
const app = await createApplication({
  config: loadConfig({ KAOPU_PROFILE: 'test', KAOPU_DATA: cluster.dataDir }),
  secrets: await loadSecrets({ dataDir: cluster.dataDir }),
  databaseUrl: database.url,
  log: createLog('error'),
  isPrepared: true,
  withoutWorker: true,
})
const { scopes, cipher, clock } = app.services
const tenantId = '000000'
const inTenant = <T>(work: Parameters<typeof scopes.tx<T>>[2]): Promise<T> => scopes.tx(systemOf(tenantId), clock.now(), work)
try {
  const sendId = await inTenant(async db => {
    await seedMessages(app.services, db)
    await db.run(sql`update send_account set balance = ${count}, frozen = ${count}`)
    await db.run(
      sql`update param set param_value = case param_key when 'sms.quiet' then '0' else '1000000' end where param_key in ('sms.quiet', 'sms.dailyBudget')`,
    )
    const { id } = await db.one(sql<{ id: string }>`
      insert into send_task (tenant_id, title, template_id, channel, audience, state, total, parts)
      select ${tenantId}, 'bench', id, 1, 'workbook', 2, ${count}, ${count} from send_template where code = 'exam-note' returning id::text as id`)
    for (let n = 0; n < count; n += 1) {
      const { rowId } = await db.one(sql<{ rowId: string }>`select next_id()::text as "rowId"`)
      const phone = cipher.seal(tenantId, { table: 'sms_message', column: 'phone_sealed', rowId }, `138${String(n).padStart(8, '0')}`)
      db.send(sql`
        insert into sms_message (tenant_id, id, send_id, template, template_id, phone_sealed, phone_mask, channel, content, params, segments, sent_key)
        values (${tenantId}, ${rowId}, ${id}, 'exam-note', 'SMS_900200004', ${phone}, '138', 1, '【考谱】王测您好', ${JSON.stringify({ name: '王测', exam: '考试', note: '带证件' })}, 1, ${rowId})`)
    }
    return id
  })
  await database.owner.query('analyze')
  const task = app.modules.tasks.find(one => one.name === 'message.run-send')
  const began = performance.now()
  await task?.run({ tenantId, sendId } as never, { attempt: 1, now: clock.now() })
  const seconds = (performance.now() - began) / 1000
  const sent = await inTenant(db =>
    db.one(sql<{ n: number }>`select count(*)::int as n from sms_message where send_id = ${sendId} and state = 1`),
  )
  console.log(
    `${sent.n} of ${count} messages taken by the emulated provider in ${seconds.toFixed(1)} s: ${Math.round(sent.n / seconds)} a second`,
  )
} finally {
  await app.close()
  await database.close()
  await cluster.stop()
}
