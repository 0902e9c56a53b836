import type { FieldType, TableColumn, VisibleWhen } from '#contract/signup/content.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { frozen, sql } from '#kernel/db/sql.ts'
import { selectCamel } from './exam.repo.ts'

/** A field of an examination's form (`signitems`, domain 3.3): a copy of the library's field plus how this examination uses it. */
export interface SignItemRow {
  readonly id: string
  readonly examId: string
  readonly itemsId: string | null
  readonly itemKey: string
  readonly itemLabel: string
  readonly itemLabelEn: string
  readonly fieldType: FieldType
  readonly dictCode: string | null
  readonly columns: readonly TableColumn[] | null
  readonly maxRows: number | null
  readonly maxLen: number | null
  readonly pattern: string | null
  readonly minValue: string | null
  readonly maxValue: string | null
  readonly placeholder: string | null
  readonly help: string | null
  readonly helpEn: string | null
  /** 0 normal, 1 personal, 2 sensitive (sealed inside content). */
  readonly sensitive: 0 | 1 | 2
  readonly required: 0 | 1
  readonly groupName: string
  readonly groupNameEn: string | null
  readonly visibleWhen: VisibleWhen | null
  readonly lockAfterPass: 0 | 1
  readonly reviewerVisible: 0 | 1
  readonly useInTicket: 0 | 1
  readonly useInExport: 0 | 1
  readonly useInReport: 0 | 1
  readonly sort: number
}

const itemPlain = [
  'itemKey',
  'itemLabel',
  'fieldType',
  'dictCode',
  'columns',
  'maxRows',
  'maxLen',
  'pattern',
  'minValue',
  'maxValue',
  'placeholder',
  'help',
  'helpEn',
  'sensitive',
  'required',
  'groupNameEn',
  'visibleWhen',
  'lockAfterPass',
  'reviewerVisible',
  'useInTicket',
  'useInExport',
  'useInReport',
  'sort',
] as const satisfies readonly (keyof SignItemRow)[]
const itemColumns = frozen(
  sql.join([
    selectCamel('s', itemPlain, ['id', 'examId', 'itemsId']),
    sql`coalesce(s.item_label_en, '') as "itemLabelEn"`,
    sql`coalesce(s.group_name, '') as "groupName"`,
  ]),
)

export const listSignItems = (db: TenantDb, examId: string): Promise<SignItemRow[]> =>
  db.all(sql<SignItemRow>`select ${itemColumns} from sign_item s where s.exam_id = ${examId} and not s.is_deleted order by s.sort, s.id`)

/**
 * Stands for the forms of the tenant and the dictionaries they choose from, as they are: another number with every change (ADR 0092). What is
 * read behind it is at least as new.
 */
export const findFormStamp = async (db: TenantDb): Promise<string> =>
  (await db.maybe(sql<{ stamp: string }>`select stamp::text as stamp from form_stamp where tenant_id = ${db.actor.tenantId}`))?.stamp ?? '0'

export interface PhotoPixels {
  readonly minW: number
  readonly minH: number
  readonly maxW: number
  readonly maxH: number
  readonly ratio: readonly [number, number]
}

/** A file an examination asks for (`signfiles`, domain 3.4). */
export interface SignFileRow {
  readonly id: string
  readonly examId: string
  readonly filesId: string | null
  readonly fileKey: string
  readonly fileLabel: string
  readonly fileLabelEn: string
  readonly kind: number
  /** Extensions, comma-joined. */
  readonly accept: string
  readonly maxKb: number
  readonly minKb: number
  readonly maxCount: number
  readonly pixel: PhotoPixels | null
  readonly sampleFileId: string | null
  readonly help: string | null
  readonly helpEn: string | null
  readonly required: 0 | 1
  readonly visibleWhen: VisibleWhen | null
  /** 1 sign-up, 2 eligibility re-review. */
  readonly stage: 1 | 2
  readonly watermark: 0 | 1
  readonly sort: number
}

const filePlain = [
  'fileKey',
  'fileLabel',
  'kind',
  'accept',
  'maxKb',
  'minKb',
  'maxCount',
  'pixel',
  'help',
  'helpEn',
  'required',
  'visibleWhen',
  'stage',
  'watermark',
  'sort',
] as const satisfies readonly (keyof SignFileRow)[]
const fileColumns = frozen(
  sql.join([selectCamel('s', filePlain, ['id', 'examId', 'filesId', 'sampleFileId']), sql`coalesce(s.file_label_en, '') as "fileLabelEn"`]),
)

export const listSignFiles = (db: TenantDb, examId: string): Promise<SignFileRow[]> =>
  db.all(sql<SignFileRow>`select ${fileColumns} from sign_file s where s.exam_id = ${examId} and not s.is_deleted order by s.sort, s.id`)

/** What a field or a file of a form is called, and what it depends on. */
export interface FormNames {
  readonly items: readonly Pick<SignItemRow, 'itemKey' | 'itemLabel' | 'itemLabelEn' | 'fieldType' | 'dictCode' | 'visibleWhen'>[]
  readonly files: readonly Pick<SignFileRow, 'fileKey' | 'fileLabel' | 'fileLabelEn' | 'visibleWhen'>[]
}
interface NameRow {
  readonly part: 'item' | 'file'
  readonly key: string
  readonly label: string
  readonly labelEn: string
  readonly fieldType: FieldType
  readonly dictCode: string | null
  readonly visibleWhen: VisibleWhen | null
}
/** The form of an examination as whoever shows a filled one needs it: a tenth of what whoever fills it does. */
export const listFormNames = async (db: TenantDb, examId: string): Promise<FormNames> => {
  const rows = await db.all(sql<NameRow>`
    select part, key, label, coalesce(label_en, '') as "labelEn", field_type as "fieldType", dict_code as "dictCode", visible_when as "visibleWhen" from (
      select 'item' as part, item_key as key, item_label as label, item_label_en as label_en, field_type, dict_code, visible_when, sort, id
      from sign_item where exam_id = ${examId} and not is_deleted
      union all
      select 'file', file_key, file_label, file_label_en, 'text', null, visible_when, sort, id from sign_file where exam_id = ${examId} and not is_deleted
    ) f order by sort, id`)
  return {
    items: rows.flatMap(({ part, key, label, labelEn, ...rest }) =>
      part === 'item' ? [{ itemKey: key, itemLabel: label, itemLabelEn: labelEn, ...rest }] : [],
    ),
    files: rows.flatMap(({ part, key, label, labelEn, visibleWhen }) =>
      part === 'file' ? [{ fileKey: key, fileLabel: label, fileLabelEn: labelEn, visibleWhen }] : [],
    ),
  }
}
