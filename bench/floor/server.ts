// The floor: what a bare Fastify + pg program needs for the same rows. No session, no permission, no isolation, no check of the input.
import { randomUUID } from 'node:crypto'
import Fastify from 'fastify'
import pg from 'pg'
import { createPasswordHasher } from '#kernel/crypto/password.ts'
import { sm2Decrypt } from '#kernel/crypto/sm2.ts'
import { hashToken } from '#kernel/crypto/token.ts'
import { loadSecrets } from '#kernel/secrets.ts'
import { admin, complete, counts, create, deep, detail, lists, login, score } from './statements.ts'

const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: 10 })
/** A bare program has no index that covers a search in names: here it reads the rows, as it would. */
const plain = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: 10, options: '-c enable_indexonlyscan=off' })
const secrets = await loadSecrets({ dataDir: process.env['FLOOR_SECRETS'] ?? '' })
const passwords = createPasswordHasher({ pepper: secrets.passwordPepper })

type Runner = Pick<pg.Pool, 'query'> | pg.PoolClient
const names = new Map<string, string>()
/** A named prepared statement. */
const ask = async <T extends pg.QueryResultRow>(runner: Runner, text: string, values: readonly unknown[]): Promise<T[]> => {
  let name = names.get(text)
  if (name === undefined) {
    name = `floor${names.size}`
    names.set(text, name)
  }
  return (await (runner as pg.Pool).query<T>({ name, text, values: [...values] })).rows
}

const app = Fastify()
interface Query {
  readonly tenant: string
  readonly exam: string
  readonly value?: string
  readonly offset?: string
  readonly id?: string
  readonly user?: string
  readonly from?: string
  readonly until?: string
}
const envelope = (data: unknown) => ({ code: 200, success: true, data, msg: 'ok' })

app.get<{ Querystring: Query; Params: { kind: keyof typeof lists } }>('/list/:kind', async ({ query, params }) => {
  const { rows, count } = lists[params.kind]
  const values = [query.tenant, query.exam, query.value]
  const asked = params.kind === 'name' ? plain : pool
  const records = await ask(asked, rows, values)
  const [row] = await ask<{ total: number }>(asked, count, values)
  return envelope({ records, total: row?.total, size: 10, current: 1 })
})

app.get<{ Querystring: Query }>('/deep', async ({ query }) => {
  const values = [query.tenant, query.exam, query.value]
  const records = await ask(pool, deep.rows, [...values, query.offset])
  const [row] = await ask<{ total: number }>(pool, deep.count, values)
  return envelope({ records, total: row?.total })
})

app.get<{ Querystring: Query }>('/detail', async ({ query }) => {
  const { tenant } = query
  const [row] = await ask<{ exam_id: string; files: readonly { readonly fileId: string }[] }>(pool, detail.signup, [tenant, query.id])
  if (!row) throw new Error('no such sign-up')
  const records = await ask(pool, detail.records, [tenant, query.id])
  const files = await ask(pool, detail.files, [tenant, row.files.map(file => file.fileId)])
  const items = await ask<{ dict_code: string | null }>(pool, detail.items, [tenant, row.exam_id])
  const required = await ask(pool, detail.required, [tenant, row.exam_id])
  const labels = await ask(pool, detail.labels, [tenant, [...new Set(items.flatMap(item => item.dict_code ?? []))]])
  if (query.user !== undefined) await ask(pool, detail.audit, [tenant, query.user, query.id])
  // Who shows labels needs the few that occur, not the dictionaries.
  return envelope({ ...row, records, checks: files, items: items.length, required: required.length, labels: labels.slice(0, 20) })
})

interface Form {
  readonly tenant: string
  readonly exam: string
  readonly user: string
  readonly code: string
  readonly content: object
  readonly files: readonly { readonly fileId: string }[]
}
app.post<{ Body: Form }>('/create', async ({ body }) => {
  const { tenant, exam, user, code } = body
  const [content, files] = [JSON.stringify(body.content), JSON.stringify(body.files)]
  const digest = hashToken(user)
  const sealed = Buffer.from(digest.slice(0, 46))
  const client = await pool.connect()
  try {
    await client.query('begin')
    await ask(client, create.place, [tenant, exam, code])
    const [number] = await ask<{ sign_seq: number }>(client, create.number, [tenant, exam])
    const signNo = `202603${String(number?.sign_seq).padStart(8, '0')}`
    const values = [
      tenant,
      exam,
      user,
      code,
      'A',
      'H01',
      content,
      files,
      '王测',
      sealed,
      digest,
      sealed,
      digest,
      body.files[0]?.fileId,
      signNo,
      digest,
    ]
    const [row] = await ask<{ id: string }>(client, create.signup, values)
    await ask(client, create.history, [tenant, row?.id, user, code, content, files])
    await ask(client, create.attach, [tenant, body.files.map(file => file.fileId), row?.id])
    await ask(client, create.audit, [
      tenant,
      user,
      row?.id,
      JSON.stringify({ examine: 'waiting', code, signNo, signVersion: 1, autoResult: 'ok' }),
    ])
    await ask(client, create.notice, [tenant, user, exam, `报名序号 ${signNo}，请等待审核。`, `signup.submitted:${row?.id}:1`])
    const answer = { id: row?.id, examine: 1, signNo, signVersion: 1, autoCheck: [] }
    await ask(client, create.answer, [tenant, user, randomUUID(), digest, JSON.stringify(answer)])
    await client.query('commit')
    return envelope(answer)
  } catch (error) {
    await client.query('rollback')
    throw error
  } finally {
    client.release()
  }
})

interface Completion {
  readonly tenant: string
  readonly user: string
  readonly task: string
  readonly comment: string
  /** Of the next step; empty: this was the last. */
  readonly next: { readonly node: string; readonly user: string } | null
}
app.post<{ Body: Completion }>('/complete', async ({ body }) => {
  const { tenant, user, task, comment, next } = body
  const client = await pool.connect()
  try {
    await client.query('begin')
    const [row] = await ask<{ instance_id: string; node: string; token: number; seq: number; title: string; start_user: string }>(
      client,
      complete.task,
      [tenant, task, user],
    )
    if (!row) throw new Error('no such task')
    const { instance_id: id, node, token, title, start_user: starter } = row
    await ask(client, complete.done, [tenant, task, user, comment])
    const lines = [
      [node, `步骤 ${node}`, 'userTask', 'ok', task, user, user, comment],
      [`f-${node}`, '', 'sequenceFlow', '', null, user, null, ''],
      ...(next ? [] : [['e', '', 'endEvent', '', null, user, null, '']]),
    ]
    for (const [at, line] of lines.entries()) await ask(client, complete.history, [tenant, id, row.seq + at + 1, ...line])
    const values = JSON.stringify({ starter, pass: true })
    if (next) {
      const [made] = await ask<{ id: string }>(client, complete.next, [
        tenant,
        id,
        next.node,
        `步骤 ${next.node}`,
        token + 1,
        next.user,
        user,
      ])
      await ask(client, complete.notice, [tenant, next.user, `待办：步骤 ${next.node}`, title, `flow-task-${made?.id}`])
    } else {
      await ask(client, complete.audit, [tenant, user, 'flow-instance.ended', 'flow_instance', id, JSON.stringify({ passed: true }), null])
      await ask(client, complete.notice, [tenant, starter, '您的申请已办结', title, `flow-${id}-end-${row.seq}`])
    }
    const place = { seq: token + 1, tokens: next ? [{ id: token + 1, at: next.node, via: `f-${node}`, wait: 'task' }] : [] }
    const isOver = next === null
    await ask(client, complete.instance, [
      ...[tenant, id, isOver ? 'finished' : 'running', values, JSON.stringify(place), isOver ? true : null, isOver ? comment : '', user],
    ])
    const after = JSON.stringify({ process: id, step: `步骤 ${node}`, outcome: 'ok' })
    await ask(client, complete.audit, [tenant, user, 'flow-task.completed', 'flow_task', task, after, comment])
    await client.query('commit')
    return envelope({ processInstanceId: id, state: isOver ? 2 : 0 })
  } catch (error) {
    await client.query('rollback')
    throw error
  } finally {
    client.release()
  }
})

app.get<{ Querystring: Query }>('/score', async ({ query }) => {
  const values = [query.tenant, query.exam, query.user]
  const items = await ask(pool, score.results, values)
  const [total] = await ask(pool, score.total, values)
  return envelope({ items, ...total })
})

app.post<{ Body: { readonly tenant: string; readonly account: string; readonly password: string } }>('/login', async ({ body }, reply) => {
  const plain = sm2Decrypt(secrets.login.privateKey, body.password)
  const [row] = await ask<{ id: string; password_hash: string; real_name: string }>(pool, login.account, [body.tenant, body.account])
  if (!row || plain === undefined || !(await passwords.verify(plain, row.password_hash))) return reply.status(400).send({ code: 400 })
  const token = randomUUID()
  await ask(pool, login.session, [body.tenant, row.id, hashToken(token), hashToken(`r${token}`), hashToken('bench')])
  return { access_token: token, user_id: row.id, real_name: row.real_name }
})

/** The hash of a log-in and nothing else. */
const stored = await passwords.hash('bench-Password-2026')
app.get('/hash', async () => envelope(await passwords.verify('bench-Password-2026', stored)))

interface Node {
  readonly id: string
  readonly parentId: string
  readonly children: Node[]
}
const asTree = (rows: readonly Omit<Node, 'children'>[]): Node[] => {
  const nodes = rows.map((row): Node => ({ ...row, children: [] }))
  const byId = new Map(nodes.map(node => [node.id, node]))
  return nodes.filter(row => {
    const above = byId.get(row.parentId)
    above?.children.push(row)
    return !above
  })
}
app.get<{ Querystring: Query }>('/depts', async ({ query }) => envelope(asTree(await ask<Node>(pool, admin.depts, [query.tenant]))))
app.get<{ Querystring: Query }>('/menus', async ({ query }) =>
  envelope(asTree(await ask<Node>(pool, admin.menus, [query.tenant, query.user, query.value]))),
)
app.get<{ Querystring: Query; Params: { noun: 'users' | 'params' } }>('/page/:noun', async ({ query, params: { noun } }) => {
  const records = await ask(pool, admin[noun], [query.tenant])
  const [row] = await ask<{ total: number }>(pool, admin[`${noun}Count`], [query.tenant])
  return envelope({ records, total: row?.total, size: 10, current: 1 })
})
app.post<{ Body: { readonly tenant: string; readonly user: string } }>('/post', async ({ body: { tenant, user } }) => {
  const client = await pool.connect()
  try {
    await client.query('begin')
    const code = randomUUID().slice(0, 30)
    const [row] = await ask<{ id: string }>(client, admin.post, [tenant, code, user])
    await ask(client, admin.postAudit, [
      tenant,
      user,
      row?.id,
      JSON.stringify({ category: '1', postCode: code, postName: '测试职务', sort: 1 }),
    ])
    await client.query('commit')
    return envelope({ id: row?.id })
  } catch (error) {
    await client.query('rollback')
    throw error
  } finally {
    client.release()
  }
})
/** A page of the portal as a bare program would send it: a text that is there already. */
const portalPage = `<!doctype html><html lang="zh-CN"><body>${'<p>报名须知</p>'.repeat(200)}</body></html>`
app.get('/portal', (_, reply) => reply.type('text/html; charset=utf-8').send(portalPage))

app.get<{ Querystring: Query }>('/timeline', async ({ query }) => {
  await ask(pool, counts.bounds, [query.tenant, query.exam])
  return envelope(await ask(pool, counts.timeline, [query.tenant, query.exam, query.from, query.until]))
})

const url = await app.listen({ port: Number(process.env['PORT']), host: '127.0.0.1' })
process.on('disconnect', () => process.exit(0))
process.on('SIGTERM', () => process.exit(0))
process.stdout.write(`The floor is ready at ${url}\n`)
