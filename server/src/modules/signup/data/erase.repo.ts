import type { TenantDb } from '#kernel/db/scope.ts'
import { type RawBuilder, sql } from '#kernel/db/sql.ts'

export interface ErasableRow {
  readonly id: string
  readonly userId: string
  readonly examId: string
}

/** What is erased (domain P9): drafts as a whole, of the others the files. `photo`: of those who were eliminated after the interview. */
export type Erasure = 'draft' | 'refused' | 'eliminated'
const kinds: Readonly<Record<Erasure, RawBuilder<unknown>>> = {
  draft: sql`s.examine = 'draft'`,
  refused: sql`s.examine in ('refused', 'withdrawn', 'disqualified') and (s.files <> '[]' or s.photo_file_id is not null or s.signature_file_id is not null)`,
  // Stage 9 is the end of who was not hired; their forms stay as records, their portraits do not.
  eliminated: sql`s.examine = 'passed' and s.stage = 9 and s.photo_file_id is not null`,
}

/** Sign-ups of examinations that were closed before an instant, locked. One whose examination was closed before closings had a time counts from its last change. */
export const lockErasable = (db: TenantDb, kind: Erasure, closedBefore: Date, most: number): Promise<ErasableRow[]> =>
  db.all(sql<ErasableRow>`
    select s.id::text as id, s.user_id::text as "userId", s.exam_id::text as "examId" from signup s join examination e on e.id = s.exam_id
    where ${kinds[kind]} and not s.is_deleted and e.state in ('closed', 'archived') and coalesce(e.close_at, e.updated_at) < ${closedBefore}
    order by s.id limit ${most} for update of s skip locked`)

/** How long after the examination was closed (domain P9). */
export const keptDays: Readonly<Record<Erasure, number>> = { draft: 90, refused: 365, eliminated: 365 }

export interface OwnErasure {
  readonly signupId: string
  readonly examName: string
  readonly kind: Erasure
  readonly closedAt: Date | null
}
/** What will be erased of a person's own sign-ups, by the rules of the erasure itself; when the examination was closed, where it was. */
export const listOwnErasures = async (db: TenantDb, userId: string): Promise<OwnErasure[]> =>
  (
    await Promise.all(
      (Object.keys(kinds) as Erasure[]).map(async kind =>
        (
          await db.all(sql<Omit<OwnErasure, 'kind'>>`
            select s.id::text as "signupId", e.exam_name as "examName", case when e.state in ('closed', 'archived') then coalesce(e.close_at, e.updated_at) end as "closedAt"
            from signup s join examination e on e.id = s.exam_id where ${kinds[kind]} and s.user_id = ${userId} and not s.is_deleted order by s.id desc`)
        ).map(row => ({ ...row, kind })),
      ),
    )
  ).flat()

/** Which of these files are named by other sign-ups too: they stay. */
export const listNamedElsewhere = async (
  db: TenantDb,
  fileIds: readonly string[],
  people: readonly string[],
  except: readonly string[],
): Promise<string[]> =>
  (
    await db.all(sql<{ id: string }>`
      select f.id from unnest(${[...fileIds]}::text[]) f(id) where exists (
        select 1 from signup o where o.user_id = any(${[...people]}::bigint[]) and o.id <> all(${[...except]}::bigint[]) and not o.is_deleted
          and strpos(concat_ws(' ', o.files, o.content, o.photo_file_id, o.signature_file_id), f.id) > 0)`)
  ).map(({ id }) => id)

/** Nothing of a draft is left but that there was one. */
export const clearDrafts = async (db: TenantDb, rows: readonly ErasableRow[]): Promise<void> => {
  const ids = rows.map(({ id }) => id)
  await db.run(sql`
    update signup set content = '{}', files = '[]', name = null, id_card_type = null, id_card_sealed = null, id_card_index = null, id_card_mask = null,
      phone_sealed = null, phone_index = null, phone_mask = null, sex = null, birthday = null, nation = null, education = null, degree = null, major = null,
      school = null, province = null, city = null, area = null, photo_file_id = null, photo_advice = null, signature_file_id = null, relatives = '[]', auto_check = '[]',
      advisements = '[]', promise_ip = null, is_deleted = true, updated_at = app_now(), version = version + 1
    where id = any(${ids}::bigint[])`)
  await db.run(sql`
    delete from signup_draft d using unnest(${rows.map(row => row.examId)}::bigint[], ${rows.map(row => row.userId)}::bigint[]) r(exam_id, user_id)
    where d.exam_id = r.exam_id and d.user_id = r.user_id`)
}

export const clearFiles = async (db: TenantDb, ids: readonly string[]): Promise<void> => {
  await db.run(sql`
    update signup set files = '[]', photo_file_id = null, photo_advice = null, signature_file_id = null, updated_at = app_now(), version = version + 1
    where id = any(${[...ids]}::bigint[])`)
}

export const clearPhotos = (db: TenantDb, ids: readonly string[]): Promise<{ photoId: string }[]> =>
  db.all(sql<{ photoId: string }>`
    update signup s set photo_file_id = null, updated_at = app_now(), version = s.version + 1
    from signup old where old.id = s.id and s.id = any(${[...ids]}::bigint[]) returning old.photo_file_id::text as "photoId"`)

/** What was typed and never became a sign-up, of examinations closed that long ago. @returns how many */
export const deleteLooseDrafts = (db: TenantDb, closedBefore: Date): Promise<number> =>
  db.run(sql`
    delete from signup_draft d using examination e
    where e.id = d.exam_id and e.state in ('closed', 'archived') and coalesce(e.close_at, e.updated_at) < ${closedBefore}`)
