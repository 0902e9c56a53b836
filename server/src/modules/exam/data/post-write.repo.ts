import type { TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'
import type { PostInput } from '../domain/post-sheet.ts'

/** Rows of one statement. */
const batch = 500

/** Writes posts by code: new ones are added, known ones replaced; numbers of sign-ups stay. */
export const upsertPosts = async (
  db: TenantDb,
  examId: string,
  posts: readonly PostInput[],
  progress: (done: number) => Promise<void>,
): Promise<{ inserted: number; updated: number }> => {
  let inserted = 0
  for (let at = 0; at < posts.length; at += batch) {
    const rows = posts.slice(at, at + batch).map(post => ({ ...post, feeFen: post.feeFen ?? 0 }))
    const written = await db.all(sql<{ isNew: boolean }>`
      insert into type_code (tenant_id, exam_id, created_by, updated_by, unit, unit_name, type, type_name, code, code_name, competent_dept, post_level, plan_num, cur_num, open_ratio, max_sign,
        born_from, born_to, age_text, sex, educations, degrees, majors, major_text, fresh, political, hukou, cert, title, min_work_years, other_text, item_codes, fee_fen, phone, sort, remark)
      select ${db.actor.tenantId}, ${examId}, ${db.actor.userId}, ${db.actor.userId}, s.unit, s."unitName", s.type, s."typeName", s.code, s."codeName", nullif(s."competentDept", ''),
        nullif(s."postLevel", ''), s."planNum", s."planNum", s."openRatio", s."maxSign", s."bornFrom", s."bornTo", nullif(s."ageText", ''), s.sex, s.educations, s.degrees, s.majors,
        nullif(s."majorText", ''), s.fresh, s.political, s.hukou, s.cert, s.title, s."minWorkYears", nullif(s."otherText", ''), s."itemCodes", s."feeFen", nullif(s.phone, ''), s.sort,
        nullif(s.remark, '')
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as s(unit text, "unitName" text, type text, "typeName" text, code text, "codeName" text, "competentDept" text, "postLevel" text,
        "planNum" int, "openRatio" int, "maxSign" int, "bornFrom" date, "bornTo" date, "ageText" text, sex int, educations jsonb, degrees jsonb, majors jsonb, "majorText" text, fresh int,
        political jsonb, hukou jsonb, cert jsonb, title jsonb, "minWorkYears" int, "otherText" text, "itemCodes" jsonb, "feeFen" int, phone text, sort int, remark text)
      on conflict (tenant_id, exam_id, code) where not is_deleted do update set
        unit = excluded.unit, unit_name = excluded.unit_name, type = excluded.type, type_name = excluded.type_name, code_name = excluded.code_name, competent_dept = excluded.competent_dept,
        post_level = excluded.post_level, plan_num = excluded.plan_num, cur_num = excluded.cur_num, open_ratio = excluded.open_ratio, max_sign = excluded.max_sign, born_from = excluded.born_from,
        born_to = excluded.born_to, age_text = excluded.age_text, sex = excluded.sex, educations = excluded.educations, degrees = excluded.degrees, majors = excluded.majors,
        major_text = excluded.major_text, fresh = excluded.fresh, political = excluded.political, hukou = excluded.hukou, cert = excluded.cert, title = excluded.title,
        min_work_years = excluded.min_work_years, other_text = excluded.other_text, item_codes = excluded.item_codes, fee_fen = excluded.fee_fen, phone = excluded.phone, sort = excluded.sort,
        remark = excluded.remark, updated_at = app_now(), updated_by = excluded.updated_by, version = type_code.version + 1
      returning (xmax = 0) as "isNew"`)
    inserted += written.filter(row => row.isNew).length
    await progress(Math.min(at + batch, posts.length))
  }
  return { inserted, updated: posts.length - inserted }
}

/** Makes the units that posts name and nobody knew. */
export const addUnits = async (db: TenantDb, posts: readonly PostInput[]): Promise<number> => {
  const units = [...new Map(posts.map(post => [post.unit, post.unitName]))]
  return db.run(sql`
    insert into user_code (tenant_id, code, name, code_kind, created_by, updated_by)
    select ${db.actor.tenantId}, u.code, u.name, 1, ${db.actor.userId}, ${db.actor.userId}
    from unnest(${units.map(([code]) => code)}::text[], ${units.map(([, name]) => name)}::text[]) as u(code, name)
    where not exists (select 1 from user_code c where c.code = u.code and not c.is_deleted)`)
}

export const knownUnits = (db: TenantDb): Promise<{ code: string; name: string }[]> =>
  db.all(sql<{ code: string; name: string }>`select code, name from user_code where code_kind = 1 and not is_deleted`)

/** Places and state of a post after a decision about it. */
export interface PostCut {
  readonly code: string
  readonly curNum: number
  readonly postState: number
}
export const writeCuts = async (db: TenantDb, examId: string, cuts: readonly PostCut[]): Promise<void> => {
  await db.run(sql`
    update type_code p set cur_num = c.num, post_state = c.state, updated_at = app_now(), updated_by = ${db.actor.userId}, version = p.version + 1
    from (select * from unnest(${cuts.map(cut => cut.code)}::text[], ${cuts.map(cut => cut.curNum)}::int[], ${cuts.map(cut => cut.postState)}::int[]) as c(code, num, state)
      order by code) c
    where p.exam_id = ${examId} and p.code = c.code and not p.is_deleted`)
}
