import { sql } from '#kernel/db/sql.ts'

// Places and scores of people who were called, as the results have them today. What they were when somebody was called stands in `selection_person`
// and in the chain; after a correction of a score the two differ, and lists show the one that counts.

/** To be joined where `s` is the sign-up. */
export const standingNow = sql`
  left join score_total st on st.tenant_id = s.tenant_id and st.signup_id = s.id and st.released
  left join examination se on se.tenant_id = s.tenant_id and se.id = s.exam_id`

/** The place by which people are called; once an interview is counted too, the rank of the results is another one. */
export const rankNow = sql`case when st.written_total is null or st.interview_total is null then coalesce(st.rank_in_post, p.rank) else p.rank end`
export const scoreNow = sql`coalesce(round(coalesce(st.written_total, st.interview_total), se.score_scale)::text, p.score)`
/** After the interview. */
export const stageRankNow = sql`case when st.total is null then p.stage_rank else coalesce(st.rank_in_post, p.stage_rank) end`
export const stageTotalNow = sql`coalesce(round(st.total, se.score_scale)::text, p.stage_total)`
/** A correction took somebody off the shortlist who is still in the re-review. */
export const isOff = sql`(coalesce(st.shortlist = 0, false) and s.review_state in (1, 2, 5) and s.stage < 5)::int`
