import { sql } from '#kernel/db/sql.ts'
import type { Invariant } from '#kernel/invariant.ts'

/** Looked at every hour; `npm run audit:verify` walks whole chains. */
const newestSeals = 10_000

export const logInvariants: readonly Invariant[] = [
  {
    name: 'audit.chain',
    label: { zh: '审计链连续', en: 'The chain of the audit trail has no gap' },
    means: {
      zh: '审计记录缺号，或被封存的记录已不在：可能被删改。',
      en: 'A number of the chain is missing, or a sealed line is gone: somebody may have removed it.',
    },
    watches: ['audit_seal'],
    page: '/monitor/audit',
    by: 'tenant',
    broken: () => sql`
      with newest as (select seq, audit_id, lag(seq) over (order by seq) as before from (select seq, audit_id from audit_seal order by seq desc limit ${sql.lit(newestSeals)}) s)
      select n.seq as id, 'seal ' || n.seq as name, coalesce(n.before::text, '-') as found, (n.seq - 1)::text as expected from newest n where n.before is not null and n.before <> n.seq - 1
      union all
      select n.seq, 'seal ' || n.seq, '-', 'line ' || n.audit_id from newest n where not exists (select 1 from audit_log a where a.tenant_id = app_tenant() and a.id = n.audit_id)`,
  },
]
