import { apartRoles } from '#contract/access/role.ts'
import { allHeads, readMemories } from '#kernel/audit-chain/memory.ts'
import { verifyAudit } from '#kernel/audit-chain/verify.ts'
import { sql } from '#kernel/db/sql.ts'
import { keyRing } from '#kernel/secrets.ts'
import { attempt, parameterOf, rowsOf, sampleOf } from '../ask.ts'
import { expectText, type Installation, judged, type Reading, whenSet } from '../reading.ts'

const auditCoverage = async (at: Installation): Promise<Reading> => {
  const actions = await rowsOf(
    at,
    sql<{ action: string; times: number; latest: Date }>`
      select action, count(*)::int as times, max(created_at) as latest from audit_log
      where created_at > ${at.now}::timestamptz - interval '180 days' group by 1 order by 2 desc limit 200`,
  )
  return {
    tests: [
      whenSet(
        { zh: '近 180 天有审计记录', en: 'There are audit lines of the last 180 days' },
        'one or more kinds',
        `${actions.length} kinds of acts`,
        actions.length > 0,
      ),
    ],
    samples: [sampleOf({ zh: '行为种类、次数、最近一次', en: 'Kinds of acts, how often, the latest' }, actions)],
  }
}

const auditLine = async (at: Installation): Promise<Reading> => {
  const lines = await rowsOf(
    at,
    sql<Record<string, unknown>>`
      select created_at as at, tenant_id as tenant, user_id::text as "user", actor_kind as kind, action, entity, entity_id as "entityId", ip, trace_id as "traceId"
      from audit_log where user_id <> 0 order by created_at desc limit 10`,
  )
  const empty = await rowsOf(
    at,
    sql<{ n: number }>`select count(*)::int as n from audit_log where created_at is null or action = '' or actor_kind = '' or entity = ''`,
  )
  return {
    tests: [
      expectText({ zh: '缺少时间、主体、行为或对象的记录', en: 'Lines without time, subject, act or object' }, '0', String(empty[0]?.n)),
    ],
    samples: [
      sampleOf({ zh: '最近十条审计记录', en: 'The latest ten audit lines' }, lines),
      sampleOf(
        { zh: '最近的登录结果（成功与失败）', en: 'The latest log-ins with their outcome' },
        await rowsOf(
          at,
          sql<Record<string, unknown>>`
            select created_at as at, tenant_id as tenant, left(account_key, 2) || '***' as account, grant_type as grant, result, ip from login_log order by created_at desc limit 10`,
        ),
      ),
    ],
  }
}

const auditUnchangeable = async ({ application: { services } }: Installation): Promise<Reading> => {
  const tests = []
  for (const role of ['kaopu_staff', 'kaopu_candidate', 'kaopu_system', 'kaopu_platform', 'kaopu_worker'] as const)
    for (const [verb, text] of [
      ['update', 'update audit_log set action = action'],
      ['delete', 'delete from audit_log'],
    ] as const)
      tests.push(
        expectText(
          { zh: `数据库角色 ${role} 执行 ${verb}（回滚）`, en: `${verb} as the database role ${role} (rolled back)` },
          'permission denied for table audit_log',
          await attempt(services.pools[role], [text]),
        ),
      )
  return { tests }
}

const auditChain = async (at: Installation): Promise<Reading> => {
  const { config, application, now } = at
  const { pools, secrets } = application.services
  const remembered = allHeads(await readMemories({ dataDir: config.dataDir, second: config.auditJournal }, keyRing(secrets, 'auditKey')))
  const client = await pools.kaopu_platform.connect()
  try {
    await client.query('set statement_timeout = 0; set idle_in_transaction_session_timeout = 0')
    const verdict = await verifyAudit(client, keyRing(secrets, 'auditKey'), now, remembered)
    return {
      settings: [
        { name: { zh: '第二处审计日记', en: 'Second journal of the audit' }, value: config.auditJournal ?? '' },
        { name: { zh: '已验证行数', en: 'Lines verified' }, value: verdict.lines },
        { name: { zh: '等待封存行数', en: 'Lines that wait for their seal' }, value: verdict.waiting },
      ],
      tests: [
        expectText(
          {
            zh: '逐行验证每个机构的审计链（摘要、链接、签名、外部记录的链头）',
            en: 'Every line of every tenant’s chain is verified: digest, link, signature, heads remembered outside',
          },
          '0 findings',
          `${verdict.findings.length} findings${verdict.findings
            .map(({ tenant, place, problem }) => `; ${tenant} ${place}: ${problem}`)
            .slice(0, 5)
            .join('')}`,
        ),
        whenSet(
          { zh: '审计链头另有一处保存', en: 'Heads of the chain are kept at a second place' },
          'KAOPU_AUDIT_JOURNAL is set',
          config.auditJournal === undefined ? 'not set' : 'KAOPU_AUDIT_JOURNAL is set',
          config.auditJournal !== undefined,
        ),
      ],
      samples: [
        sampleOf(
          { zh: '各机构链头', en: 'Heads of the chains' },
          verdict.heads.map(({ tenant, seq, chain }) => ({ tenant, lines: seq, head: chain })),
        ),
      ],
    }
  } finally {
    client.release(true)
  }
}

const logRetention = async (at: Installation): Promise<Reading> => {
  const days = await rowsOf(
    at,
    sql<{ tenant: string; calls: string; logins: string }>`
      select t.tenant_id as tenant, ${parameterOf('log.apiDays', '180')} as calls, ${parameterOf('log.loginDays', '180')} as logins
      from tenant t where not t.is_deleted order by 1`,
  )
  const oldest = await rowsOf(
    at,
    sql<Record<string, unknown>>`
      select 'audit_log' as log, min(created_at) as oldest, count(*)::int as lines from audit_log
      union all select 'login_log', min(created_at), count(*)::int from login_log
      union all select 'api_log', min(created_at), count(*)::int from api_log`,
  )
  return {
    settings: [{ name: { zh: '审计记录', en: 'Audit lines' }, value: { zh: '不删除', en: 'are never removed' } }],
    tests: [
      judged(
        { zh: '各机构接口日志和登录日志保存天数', en: 'Days that calls and log-ins are kept in every tenant' },
        '180 or more',
        days.map(({ tenant, calls, logins }) => `${tenant}: ${calls}/${logins}`).join(', '),
        days.length > 0 && days.every(({ calls, logins }) => Number(calls) >= 180 && Number(logins) >= 180),
      ),
    ],
    samples: [sampleOf({ zh: '最早记录', en: 'The oldest lines' }, oldest)],
  }
}

/** A change and its line are one transaction: what cannot be audited does not happen. */
const auditInTheTransaction = async (at: Installation): Promise<Reading> => {
  const rights = await rowsOf(
    at,
    sql<{ role: string; inserts: boolean; truncates: boolean; triggers: boolean }>`
      select r.rolname as role, has_table_privilege(r.oid, 'public.audit_log', 'insert') as inserts, has_table_privilege(r.oid, 'public.audit_log', 'truncate') as truncates,
        has_table_privilege(r.oid, 'public.audit_log', 'trigger') as triggers
      from pg_catalog.pg_roles r where r.oid in (select unnest(polroles) from pg_catalog.pg_policy where polrelid = 'public.audit_log'::regclass) order by 1`,
  )
  const { pools } = at.application.services
  return {
    tests: [
      expectText(
        { zh: '能清空审计表或在其上加触发器的程序角色', en: 'Roles of the program that may empty the audit or put triggers on it' },
        'none',
        rights
          .filter(({ truncates, triggers }) => truncates || triggers)
          .map(({ role }) => role)
          .join(', ') || 'none',
      ),
      expectText(
        { zh: '停用审计表触发器（回滚）', en: 'Triggers of the audit are switched off (rolled back)' },
        'must be owner of table audit_log',
        await attempt(pools.kaopu_platform, ['alter table audit_log disable trigger user']),
      ),
    ],
    samples: [sampleOf({ zh: '程序角色对审计表的权限', en: 'Rights of the program’s roles on the audit' }, rights)],
  }
}

const administratorsInTheTrail = async (at: Installation): Promise<Reading> => {
  const acts = await rowsOf(
    at,
    sql<{ role: string; action: string; times: number; latest: Date }>`
      select r.role_alias as role, l.action, count(*)::int as times, max(l.created_at) as latest
      from audit_log l join account_role ar on ar.tenant_id = l.tenant_id and ar.user_id = l.user_id join role r on r.tenant_id = ar.tenant_id and r.id = ar.role_id
      where r.role_alias = any(${['administrator', ...apartRoles]}) and l.created_at > ${at.now}::timestamptz - interval '180 days'
      group by 1, 2 order by 1, 3 desc limit 200`,
  )
  const untraced = await attempt(at.application.services.pools.kaopu_staff, [
    "insert into audit_log (tenant_id, actor_kind, action, entity) values ('000000', 'staff', 'x', 'x')",
  ])
  return {
    tests: [
      judged(
        { zh: '不声明身份写入审计（回滚）', en: 'An audit line without naming who acts (rolled back)' },
        'refused',
        untraced,
        !untraced.startsWith('rows: '),
      ),
    ],
    samples: [sampleOf({ zh: '近 180 天三员的操作', en: 'Acts of administrators in the last 180 days' }, acts)],
  }
}

const grantsInTheTrail = async (at: Installation): Promise<Reading> => {
  const grants = await rowsOf(
    at,
    sql<{ action: string; times: number; latest: Date }>`
      select action, count(*)::int as times, max(created_at) as latest from audit_log
      where action like 'role.%' or action like 'scope.%' or action in ('account.added', 'account.roles-granted', 'param.changed') group by 1 order by 2 desc`,
  )
  const apart = await rowsOf(
    at,
    sql<{ trigger: string; enabled: string }>`
      select tgname as trigger, tgenabled::text as enabled from pg_catalog.pg_trigger where tgname in ('watch_apart_grants', 'apart_accounts') order by 1`,
  )
  return {
    tests: [
      expectText(
        { zh: '数据库中看护三员授权的触发器已启用', en: 'Triggers that guard the grants of administrators are on' },
        'apart_accounts, watch_apart_grants',
        apart
          .filter(({ enabled }) => enabled === 'O')
          .map(({ trigger }) => trigger)
          .join(', '),
      ),
    ],
    samples: [sampleOf({ zh: '授权变更的审计', en: 'Audit of changed grants' }, grants)],
  }
}

const watchRules = async (at: Installation): Promise<Reading> => {
  const rules = await rowsOf(
    at,
    sql<{ tenant: string; rule: string; isOn: boolean }>`
      select tenant_id as tenant, name_zh as rule, is_on as "isOn" from watch_rule order by 1, 2 limit 500`,
  )
  const tenants = await rowsOf(at, sql<{ tenant: string }>`select tenant_id as tenant from tenant where not is_deleted`)
  const without = tenants.filter(({ tenant }) => !rules.some(rule => rule.tenant === tenant && rule.isOn)).map(({ tenant }) => tenant)
  return {
    tests: [
      whenSet(
        { zh: '每个机构都有启用的告警规则', en: 'Every tenant has alert rules that are on' },
        'every tenant',
        without.length === 0 ? 'every tenant' : `none on in ${without.join(', ')}`,
        without.length === 0,
      ),
    ],
    samples: [
      sampleOf({ zh: '告警规则', en: 'Alert rules' }, rules),
      sampleOf(
        { zh: '近 180 天的告警及处理', en: 'Alerts of the last 180 days and what became of them' },
        await rowsOf(
          at,
          sql<Record<string, unknown>>`
            select name_zh as rule, state, count(*)::int as alerts, max(created_at) as latest from watch_alert
            where created_at > ${at.now}::timestamptz - interval '180 days' group by 1, 2 order by 3 desc limit 100`,
        ),
      ),
    ],
  }
}

/** What was done, and that nobody can hide it. */
export const auditProbes = {
  'audit-coverage': { title: { zh: '审计覆盖', en: 'What is audited' }, read: auditCoverage },
  'audit-line': { title: { zh: '审计内容', en: 'Content of audit lines' }, read: auditLine },
  'audit-unchangeable': { title: { zh: '审计不可改', en: 'Audit lines cannot be changed' }, read: auditUnchangeable },
  'audit-chain': { title: { zh: '审计链', en: 'Chain of the audit' }, read: auditChain },
  'log-retention': { title: { zh: '日志留存', en: 'Retention of logs' }, read: logRetention },
  'audit-in-the-transaction': { title: { zh: '审计不可中断', en: 'The audit cannot be interrupted' }, read: auditInTheTransaction },
  'administrators-in-the-trail': { title: { zh: '管理员操作审计', en: 'Administrators are audited' }, read: administratorsInTheTrail },
  'grants-in-the-trail': { title: { zh: '授权变更审计', en: 'Changes of grants are audited' }, read: grantsInTheTrail },
  'watch-rules': { title: { zh: '异常告警', en: 'Alerts' }, read: watchRules },
} as const
