import { sql } from '#kernel/db/sql.ts'
import type { Invariant } from '#kernel/invariant.ts'

const page = '/exam/examination/{exam}/results'

/** What is kept of results beside them. */
export const resultInvariants: readonly Invariant[] = [
  {
    name: 'result.ranks',
    label: { zh: '岗位排名', en: 'Ranks within posts' },
    means: { zh: '名次与总成绩的高低不符，入围名单会出错。', en: 'A rank contradicts the totals: the shortlist would be wrong.' },
    watches: ['score_total'],
    page,
    by: 'exam',
    broken: ({ examId }) => sql`
      with ranked as (
        select t.signup_id, t.code, coalesce(t.total, t.written_total) as total, t.rank_in_post, min(coalesce(t.total, t.written_total)) filter (where t.rank_in_post is not null) over w as before
        from score_total t where t.exam_id = ${examId} and t.rank_in_post is not null
        window w as (partition by t.code order by t.rank_in_post range between unbounded preceding and 1 preceding))
      select r.signup_id as id, coalesce(s.sign_no, r.signup_id::text) as name, r.rank_in_post || ': ' || r.total as found, '≤ ' || r.before as expected
      from ranked r left join signup s on s.id = r.signup_id where r.before is not null and r.total > r.before`,
  },
  {
    name: 'result.proofs',
    label: { zh: '成绩存证', en: 'Proofs of results' },
    means: {
      zh: '公布的存证根与叶子数不符，考生无法验证成绩。',
      en: 'A published root has another number of leaves: candidates cannot prove their scores.',
    },
    watches: ['score_root', 'score_leaf'],
    page,
    by: 'exam',
    broken: ({ examId }) => sql`
      select e.id, e.exam_code as name, (select count(*) from score_leaf l where l.exam_id = e.id) as found, '≥ ' || r.leaves as expected
      from examination e join lateral (select leaves from score_root r where r.exam_id = e.id order by root_no desc limit 1) r on true
      where e.id = ${examId} and (select count(*) from score_leaf l where l.exam_id = e.id) < r.leaves`,
  },
  {
    name: 'result.released',
    label: { zh: '公布的成绩已发布', en: 'What candidates see was released' },
    means: { zh: '未发布的成绩已对考生可见。', en: 'A result shows to its candidate although the paper is not released.' },
    watches: ['result.released'],
    page,
    by: 'exam',
    broken: ({ examId }) => sql`
      select r.id, coalesce(r.ticket_no, r.id::text) as name, i.score_state as found, 'released' as expected
      from result r join exam_item i on i.tenant_id = r.tenant_id and i.id = r.item_id
      where r.exam_id = ${examId} and r.released and not r.is_deleted and i.score_state <> 'released'`,
  },
]
