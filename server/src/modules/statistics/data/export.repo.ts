import type { TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'
import type { ExportField, SignupExportRow } from '../domain/signup-sheet.ts'

/** The rows of a batch, which are all that their transaction asks for. */
export const readSignups = (db: TenantDb, ids: readonly string[]): Promise<SignupExportRow[]> =>
  db.last(() =>
    db.all(sql<SignupExportRow>`
    select s.sign_no as "signNo", a.user_code as "candidateNo", s.name, s.id_card_mask as "idCardMask", s.sex, s.birthday, s.nation, s.education,
      s.degree, s.school, s.major, s.phone_mask as "phoneMask", s.province, s.city, s.area, p.unit_name as "unitName", p.type_name as "typeName",
      s.code, p.code_name as "codeName", p2.unit_name as "secondUnitName", s.code2 as "secondCode", p2.code_name as "secondCodeName", s.adjust,
      s.examine, s.examine_remark as "examineRemark", r1.real_name as reviewer1, s.reviewer1_time as "reviewer1Time",
      r2.real_name as reviewer2, s.reviewer2_time as "reviewer2Time", s.pay_state as "payState", s.submit_time as "submitTime", s.content
    from signup s
    join account a on a.id = s.user_id
    left join type_code p on p.exam_id = s.exam_id and p.code = s.code and not p.is_deleted
    left join type_code p2 on p2.exam_id = s.exam_id and p2.code = s.code2 and not p2.is_deleted
    left join account r1 on r1.id = s.reviewer1_id
    left join account r2 on r2.id = s.reviewer2_id
    where s.id = any(${[...ids]}::bigint[]) order by s.sign_no`),
  )

export const listExportFields = (db: TenantDb, examId: string): Promise<ExportField[]> =>
  db.all(sql<ExportField>`
    select item_key as key, item_label as label, item_label_en as "labelEn", field_type as "fieldType", dict_code as "dictCode", columns, sensitive
    from sign_item where exam_id = ${examId} and use_in_export = 1 and not is_deleted order by sort, id`)
