import { apartRoles } from '#contract/access/role.ts'
import { checkPassword, passwordPolicyOf } from '#contract/auth/password-policy.ts'
import { platformTenant } from '#contract/kernel/platform.ts'
import { sql } from '#kernel/db/sql.ts'
import { attemptWindowMs, lockMs, sessionLimits } from '#modules/auth/index.ts'
import { attempt, call, parameterOf, rowsOf, sampleOf, singleValue } from '../ask.ts'
import { expectText, type Installation, judged, type Reading, whenSet } from '../reading.ts'

const minutes = (ms: number): string => `${ms / 60_000} min`

const uniqueAccounts = async ({ application: { services } }: Installation): Promise<Reading> => ({
  tests: [
    expectText(
      { zh: '以同一账号名再建一个账号（事务回滚）', en: 'A second account of the same name is made (and rolled back)' },
      'duplicate key value violates unique constraint "account_account_uq"',
      await attempt(services.pools.kaopu_platform, [
        `set local app.now = '2024-01-01T00:00:00Z'`,
        `insert into account (tenant_id, account, account_key, user_type, nick_name, real_name)
         select tenant_id, account, account_key, user_type, nick_name, real_name from account where not is_deleted limit 1`,
      ]),
    ),
  ],
})

const passwordRules = async (): Promise<Reading> => {
  const isCommon = (word: string): boolean => word === 'password1234'
  const staff = passwordPolicyOf('staff')
  const problemsOf = (password: string): string =>
    checkPassword({ password, ownWords: ['zhangsan'], isCommon }, staff).join(', ') || 'accepted'
  return {
    settings: [
      { name: { zh: '工作人员口令最短长度', en: 'Shortest password of staff' }, value: staff.minLength },
      { name: { zh: '考生口令最短长度', en: 'Shortest password of candidates' }, value: passwordPolicyOf('candidate').minLength },
      { name: { zh: '口令最大长度', en: 'Longest password' }, value: staff.maxLength },
    ],
    tests: [
      expectText({ zh: '过短的口令', en: 'A short password' }, 'too-short', problemsOf('abc12345')),
      expectText({ zh: '常见口令', en: 'A common password' }, 'common', problemsOf('password1234')),
      expectText(
        { zh: '含本人账号的口令', en: 'A password with the own account in it' },
        'contains-own-data',
        problemsOf('my-zhangsan-2026'),
      ),
    ],
  }
}

const passwordStorage = async (at: Installation): Promise<Reading> => {
  const forms = await rowsOf(
    at,
    sql<{ form: string; accounts: number }>`
      select split_part(password_hash, '$', 2) || ' ' || split_part(password_hash, '$', 4) as form, count(*)::int as accounts
      from account where password_hash is not null group by 1 order by 2 desc`,
  )
  const { passwords } = at.application.services
  const word = 'of the evidence'
  return {
    tests: [
      judged(
        { zh: '所有已存口令的形式', en: 'Form of every stored password' },
        'argon2id-sm3',
        forms.map(({ form }) => form).join('; ') || 'none stored',
        forms.every(({ form }) => form.startsWith('argon2id-sm3 ')),
      ),
      expectText(
        { zh: '同一口令两次散列', en: 'The same password hashed twice' },
        'two values',
        new Set([await passwords.hash(word), await passwords.hash(word)]).size === 2 ? 'two values' : 'one value',
      ),
    ],
    samples: [sampleOf({ zh: '口令存储形式', en: 'Forms of stored passwords' }, forms)],
  }
}

const loginLock = async (at: Installation): Promise<Reading> => {
  const limits = await rowsOf(
    at,
    sql<{ tenant: string; limit: string }>`
      select t.tenant_id as tenant, ${parameterOf('account.failCount', '5')} as limit from tenant t where not t.is_deleted order by 1`,
  )
  const answer = await call(at, 'POST', '/api/blade-auth/oauth/token', {
    headers: { 'content-type': 'application/json', 'tenant-id': platformTenant },
    payload: { grant_type: 'captcha', username: 'nobody-of-the-evidence', password: 'x', tenantId: platformTenant },
  })
  return {
    settings: [
      { name: { zh: '计数时间窗', en: 'Window of the count' }, value: minutes(attemptWindowMs) },
      { name: { zh: '首次锁定时长', en: 'First lock' }, value: minutes(lockMs(0)) },
      { name: { zh: '最长锁定时长', en: 'Longest lock' }, value: minutes(lockMs(12)) },
    ],
    tests: [
      judged(
        { zh: '各机构登录失败次数上限', en: 'Limit of failed log-ins in every tenant' },
        '1–10',
        limits.map(({ tenant, limit }) => `${tenant}: ${limit}`).join(', '),
        limits.length > 0 && limits.every(({ limit }) => Number(limit) >= 1 && Number(limit) <= 10),
      ),
      judged(
        { zh: '没有验证码的登录请求', en: 'A log-in without a captcha' },
        'refused',
        `HTTP ${answer.status}`,
        answer.status >= 400 && answer.status < 500,
      ),
    ],
    samples: [
      sampleOf(
        { zh: '近 180 天登录结果', en: 'Outcomes of log-ins in the last 180 days' },
        await rowsOf(
          at,
          sql<Record<string, unknown>>`
            select result, count(*)::int as times, max(created_at) as latest from login_log where created_at > ${at.now}::timestamptz - interval '180 days' group by 1 order by 2 desc limit 20`,
        ),
      ),
    ],
  }
}

const sessionLife = async (at: Installation): Promise<Reading> => {
  const answer = await call(at, 'GET', '/api/blade-system/user/info', { headers: { 'blade-auth': 'bearer of-an-ended-session' } })
  return {
    settings: [
      { name: { zh: '工作人员会话最长', en: 'Longest session of staff' }, value: minutes(sessionLimits.staffMs) },
      { name: { zh: '考生会话最长', en: 'Longest session of candidates' }, value: minutes(sessionLimits.candidateMs) },
      { name: { zh: '工作人员空闲锁定', en: 'Idle staff are locked out after' }, value: minutes(sessionLimits.staffIdleMs) },
      { name: { zh: '每人同时会话上限', en: 'Sessions of one person' }, value: sessionLimits.perUser },
    ],
    tests: [expectText({ zh: '以失效的令牌调用', en: 'A call with the token of an ended session' }, 'HTTP 401', `HTTP ${answer.status}`)],
    samples: [
      sampleOf(
        { zh: '近 30 天会话结束原因', en: 'Why sessions ended in the last 30 days' },
        await rowsOf(
          at,
          sql<Record<string, unknown>>`
            select end_reason as reason, count(*)::int as sessions from session where ended_at > ${at.now}::timestamptz - interval '30 days' group by 1 order by 2 desc limit 20`,
        ),
      ),
    ],
  }
}

const passwordOnItsWay = async (at: Installation): Promise<Reading> => {
  const answer = await call(at, 'GET', '/api/blade-auth/oauth/public-key', { headers: { 'tenant-id': platformTenant } })
  const { publicKey } = (JSON.parse(answer.body) as { readonly data: { readonly publicKey: string } }).data
  return {
    settings: [
      { name: { zh: '口令传输加密', en: 'Encryption of passwords on their way' }, value: 'SM2 (GB/T 32918)' },
      { name: { zh: '登录公钥（前 16 位）', en: 'Public key of log-ins, first digits' }, value: publicKey.slice(0, 16) },
    ],
    tests: [
      judged(
        { zh: '登录公钥是 SM2 曲线上的未压缩点', en: 'The public key is an uncompressed point' },
        '04 + 128 hex digits',
        `${publicKey.slice(0, 2)} + ${publicKey.length - 2}`,
        /^04[0-9a-f]{128}$/i.test(publicKey),
      ),
    ],
  }
}

const secondFactor = async (at: Installation): Promise<Reading> => {
  const demanded = await rowsOf(
    at,
    sql<{ tenant: string; administrators: string; staff: string }>`
      select t.tenant_id as tenant, ${parameterOf('account.totpAdmin', '0')} as administrators, ${parameterOf('account.totpStaff', '0')} as staff
      from tenant t where not t.is_deleted order by 1`,
  )
  const has = await rowsOf(
    at,
    sql<{ role: string; accounts: number; confirmed: number }>`
      select r.role_alias as role, count(distinct a.id)::int as accounts, count(distinct f.user_id)::int as confirmed
      from account a join account_role ar on ar.tenant_id = a.tenant_id and ar.user_id = a.id
        join role r on r.tenant_id = ar.tenant_id and r.id = ar.role_id and not r.is_deleted
        left join second_factor f on f.tenant_id = a.tenant_id and f.user_id = a.id and f.confirmed_at is not null
      where a.user_type = 1 and not a.is_deleted and a.status = 1 group by 1 order by 1`,
  )
  return {
    settings: demanded.flatMap(({ tenant, administrators, staff }) => [
      {
        name: { zh: `机构 ${tenant}：管理员必须两步验证`, en: `Tenant ${tenant}: demanded of administrators` },
        value: administrators === '1',
      },
      { name: { zh: `机构 ${tenant}：全体工作人员必须两步验证`, en: `Tenant ${tenant}: demanded of all staff` }, value: staff === '1' },
    ]),
    tests: [
      whenSet(
        { zh: '每个机构都要求管理员两步验证', en: 'Every tenant demands it of administrators' },
        'on in every tenant',
        demanded
          .filter(({ administrators, staff }) => administrators !== '1' && staff !== '1')
          .map(({ tenant }) => `off: ${tenant}`)
          .join(', ') || 'on in every tenant',
        demanded.every(({ administrators, staff }) => administrators === '1' || staff === '1'),
      ),
    ],
    samples: [sampleOf({ zh: '各角色已启用两步验证的账号', en: 'Accounts with a confirmed second factor by role' }, has)],
  }
}

const defaultAccounts = async (at: Installation): Promise<Reading> => {
  const waiting = await singleValue(
    at,
    sql<{ value: number }>`select count(*)::int as value from account where not is_deleted and user_type = 1 and must_change_password`,
  )
  return {
    settings: [
      { name: { zh: '运行方式', en: 'Profile' }, value: at.config.profile },
      { name: { zh: '尚未修改一次性口令的账号', en: 'Accounts whose one-time password has not been changed yet' }, value: waiting },
    ],
    tests: [
      whenSet(
        { zh: '以生产方式运行：没有预置账号和演示页面', en: 'Runs as production: no accounts and no demo pages come with it' },
        'production',
        at.config.profile,
        at.config.profile === 'production',
      ),
    ],
  }
}

const idleAccounts = async (at: Installation): Promise<Reading> => {
  const idle = await rowsOf(
    at,
    sql<{ tenant: string; account: string; latest: Date | null }>`
      select a.tenant_id as tenant, left(a.account, 2) || '***' as account, max(s.active_at) as latest
      from account a left join session s on s.tenant_id = a.tenant_id and s.user_id = a.id
      where a.user_type = 1 and not a.is_deleted and a.status = 1 and a.created_at < ${at.now}::timestamptz - interval '90 days'
      group by a.tenant_id, a.id having coalesce(max(s.active_at), '-infinity') < ${at.now}::timestamptz - interval '90 days' order by 3 nulls first limit 100`,
  )
  return {
    tests: [
      whenSet(
        { zh: '90 天未使用的工作人员账号', en: 'Accounts of staff not used for 90 days' },
        'none',
        idle.length === 0 ? 'none' : `${idle.length}`,
        idle.length === 0,
      ),
    ],
    samples: [sampleOf({ zh: '待停用账号', en: 'Accounts to shut' }, idle)],
  }
}

const dutiesApart = async (at: Installation): Promise<Reading> => {
  const both = await rowsOf(
    at,
    sql<{ tenant: string; account: string; roles: string }>`
      select a.tenant_id as tenant, left(a.account, 2) || '***' as account, string_agg(r.role_alias, ', ' order by r.role_alias) as roles
      from account a join account_role ar on ar.tenant_id = a.tenant_id and ar.user_id = a.id
        join role r on r.tenant_id = ar.tenant_id and r.id = ar.role_id and not r.is_deleted
      where r.role_alias = any(${[...apartRoles]}) and not a.is_deleted group by a.tenant_id, a.id having count(*) > 1`,
  )
  const counts = await rowsOf(
    at,
    sql<{ role: string; accounts: number }>`
      select r.role_alias as role, count(*)::int as accounts from account_role ar join role r on r.tenant_id = ar.tenant_id and r.id = ar.role_id
        join account a on a.tenant_id = ar.tenant_id and a.id = ar.user_id and not a.is_deleted
      where r.role_alias = any(${['administrator', ...apartRoles]}) and not r.is_deleted group by 1 order by 1`,
  )
  return {
    tests: [
      expectText(
        { zh: '同时持有系统、安全、审计管理员中两种角色的人', en: 'People with two of administrator, security administrator and auditor' },
        'none',
        both.length === 0 ? 'none' : both.map(({ tenant, account, roles }) => `${tenant} ${account}: ${roles}`).join('; '),
      ),
      whenSet(
        { zh: '审计监督已设置人员', en: 'Somebody is auditor' },
        'one or more',
        `${counts.find(({ role }) => role === 'auditor')?.accounts ?? 0}`,
        (counts.find(({ role }) => role === 'auditor')?.accounts ?? 0) > 0,
      ),
    ],
    samples: [sampleOf({ zh: '三员人数', en: 'How many hold each of the roles' }, counts)],
  }
}

/** Who somebody is, and that it is they. */
export const identityProbes = {
  'unique-accounts': { title: { zh: '账号唯一', en: 'Accounts are unique' }, read: uniqueAccounts },
  'password-rules': { title: { zh: '口令规则', en: 'Rules of passwords' }, read: passwordRules },
  'password-storage': { title: { zh: '口令存储', en: 'Storage of passwords' }, read: passwordStorage },
  'login-lock': { title: { zh: '登录失败锁定', en: 'Locks after failed log-ins' }, read: loginLock },
  'session-life': { title: { zh: '会话时长', en: 'Life of sessions' }, read: sessionLife },
  'password-on-its-way': { title: { zh: '口令传输', en: 'Passwords on their way' }, read: passwordOnItsWay },
  'second-factor': { title: { zh: '两步验证', en: 'Second factor' }, read: secondFactor },
  'default-accounts': { title: { zh: '默认账户', en: 'Default accounts' }, read: defaultAccounts },
  'idle-accounts': { title: { zh: '长期未用账户', en: 'Idle accounts' }, read: idleAccounts },
  'duties-apart': { title: { zh: '三员分立', en: 'Separation of administrators' }, read: dutiesApart },
} as const
