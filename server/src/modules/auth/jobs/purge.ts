import { type Label, label } from '#contract/kernel/label.ts'
import type { PlatformDb } from '#kernel/db/scope.ts'
import type { Processor } from '#kernel/queue/processor.ts'
import { purgeChallenges, purgeCiphers, purgeIdempotency, purgeSessionKeys, purgeSpentRefresh, purgeTries } from '../data/purge.repo.ts'
import { purgeTickets } from '../data/second-factor.repo.ts'
import { purgeThirdParty } from '../data/third-party.repo.ts'
import type { AuthDeps } from '../deps.ts'

const hourMs = 3_600_000
const keptHours = { challenge: 24, idempotency: 24 } as const
/** Lock levels are forgotten after this time, for people and for names that nobody has alike: no answer may tell the two apart. */
const triesKeptDays = 30

interface Purged {
  readonly what: Label
  readonly rows: number
}
/** Removes what has run out in every tenant. */
const purgeExpired = async (db: PlatformDb, now: Date, loginsEnded: Date | undefined): Promise<readonly Purged[]> => {
  const before = (hours: number): Date => new Date(now.getTime() - hours * hourMs)
  return [
    { what: label('验证码', 'captchas'), rows: await purgeChallenges(db, before(keptHours.challenge)) },
    { what: label('第三方登录', 'log-ins through providers'), rows: await purgeThirdParty(db, before(keptHours.challenge)) },
    { what: label('第二因素凭据', 'tickets of second factors'), rows: await purgeTickets(db, before(keptHours.challenge)) },
    { what: label('会话密钥', 'keys of sessions'), rows: await purgeSessionKeys(db, now) },
    { what: label('刷新令牌', 'refresh tokens'), rows: await purgeSpentRefresh(db, now) },
    { what: label('密文记录', 'ciphertexts'), rows: await purgeCiphers(db, loginsEnded) },
    { what: label('重复提交记录', 'records of repetition'), rows: await purgeIdempotency(db, before(keptHours.idempotency)) },
    { what: label('登录失败计数', 'counts of failed log-ins'), rows: await purgeTries(db, before(triesKeptDays * 24)) },
  ]
}

export const purgeProcessor = (deps: AuthDeps): Processor => ({
  name: 'auth.purge',
  label: { zh: '清理登录数据', en: 'Remove what log-ins leave' },
  help: {
    zh: '删除过期的验证码、会话密钥、刷新令牌、重复提交记录和登录失败计数',
    en: 'Removes captchas, session keys, refresh tokens, repetition records and counts of failures that have run out',
  },
  scope: 'platform',
  erases: [
    {
      what: { zh: '验证码、会话密钥、刷新令牌、登录失败计数', en: 'Captchas, keys of sessions, spent tokens, counts of failed log-ins' },
      since: { zh: '过期', en: 'their end' },
      after: { zh: '1 至 30 天', en: '1 to 30 days' },
    },
  ],
  own: { cron: '0 5 * * * ?', mayPause: true },
  run: async ({ now, log }) => {
    const purged = await deps.services.scopes.asPlatform('what has run out goes in every tenant', now, db =>
      purgeExpired(db, deps.clock.now(), deps.services.keys.loginsEndedBefore(deps.clock.now())),
    )
    for (const { what, rows } of purged) log(2, { zh: `${what.zh}：${rows} 条`, en: `${rows} ${what.en}` })
    const all = purged.reduce((sum, { rows }) => sum + rows, 0)
    return { zh: `删除过期登录数据 ${all} 条`, en: `${all} rows removed` }
  },
})
