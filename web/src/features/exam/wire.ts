/**
 * Shapes of the calls of an exam administrator as domain.md 3.1–3.5 and 5.1 name them: ids are decimal strings, money is fen,
 * instants are `yyyy-MM-dd HH:mm:ss` in Asia/Shanghai.
 */
import type { ExamPhase } from '#contract/exam/window.ts'
import type { FieldType, TableColumn, VisibleWhen } from '#contract/signup/content.ts'

export interface Page<T> {
  readonly records: readonly T[]
  readonly total: number
}

export interface ExamRow {
  readonly id: string
  readonly version: number
  readonly examName: string
  readonly examCode: string
  readonly examNo: number
  readonly year: number
  readonly examType: number
  /** Empty: nobody's in particular. */
  readonly deptName: string
  /** 0 draft, 1 released, 2 closed, 3 archived. */
  readonly state: number
  readonly phase: ExamPhase
  readonly signBegin: string | null
  readonly signEnd: string | null
  readonly examineEnd: string | null
  readonly modifyEnd: string | null
  readonly adjustEnd: string | null
  readonly payBegin: string | null
  readonly payEnd: string | null
  readonly ticketBegin: string | null
  readonly ticketEnd: string | null
  readonly msTicketBegin: string | null
  readonly msTicketEnd: string | null
  readonly signCount: number
  readonly passCount: number
  readonly paidCount: number
  readonly closeReason?: string | null
  /** Of a draft: how many things keep it from being released. */
  readonly missing?: number
}

/** A field of the library; `LibraryItem` becomes a `SignItem` by being chosen for an examination. */
export interface LibraryItem {
  readonly id: string
  readonly itemKey: string
  readonly itemLabel: string
  readonly itemLabelEn?: string | null
  readonly fieldType: FieldType
  readonly dictCode?: string | null
  readonly columns?: readonly TableColumn[] | null
  readonly maxRows?: number | null
  readonly maxLen?: number | null
  readonly pattern?: string | null
  readonly minValue?: string | null
  readonly maxValue?: string | null
  readonly help?: string | null
  readonly helpEn?: string | null
  readonly placeholder?: string | null
  readonly sensitive?: number | null
  readonly status: number
}

export interface SignItem {
  /** Absent until the examination has been saved with it. */
  readonly id?: string
  readonly itemsId: string | null
  readonly itemKey: string
  readonly itemLabel: string
  readonly itemLabelEn?: string | null
  readonly fieldType: FieldType
  readonly dictCode?: string | null
  readonly columns?: readonly TableColumn[] | null
  readonly maxRows?: number | null
  readonly maxLen?: number | null
  readonly pattern?: string | null
  readonly minValue?: string | null
  readonly maxValue?: string | null
  readonly sensitive?: number | null
  readonly help?: string | null
  readonly helpEn?: string | null
  readonly placeholder?: string | null
  readonly required: number
  readonly groupName: string
  readonly groupNameEn?: string | null
  readonly visibleWhen: VisibleWhen | null
  readonly useInTicket: number
  readonly useInExport: number
  readonly sort: number
}

export interface LibraryFile {
  readonly id: string
  readonly fileKey: string
  readonly fileLabel: string
  readonly fileLabelEn?: string | null
  readonly kind: number
  readonly accept: string
  readonly maxKb: number
  readonly minKb?: number | null
  readonly pixel?: unknown
  readonly maxCount: number
  readonly help?: string | null
  readonly helpEn?: string | null
  readonly sampleFileId?: string | null
  readonly status?: number
}

export interface SignFile {
  readonly id?: string
  readonly filesId: string | null
  readonly fileKey: string
  readonly fileLabel: string
  readonly fileLabelEn?: string | null
  readonly kind: number
  readonly accept: string
  readonly maxKb: number
  readonly minKb?: number | null
  readonly pixel?: unknown
  readonly maxCount: number
  readonly help?: string | null
  readonly helpEn?: string | null
  readonly sampleFileId?: string | null
  readonly required: number
  readonly visibleWhen: VisibleWhen | null
  /** 1 sign-up, 2 eligibility re-review. */
  readonly stage: number
  readonly sort: number
}

export interface Room {
  readonly siteCode: string
  readonly siteName: string
  readonly siteAddress: string
  readonly roomNo: string
  readonly roomName: string
  readonly floor: number
  readonly rows: number
  readonly cols: number
  readonly layout: 'S' | 'Z'
  /** Seats that cannot be used, `r6c5`, counted from 1. */
  readonly disabled: readonly string[]
  readonly accessible: boolean
  readonly spare: number
}

export interface Paper {
  readonly id?: string
  readonly version?: number
  readonly itemName: string
  readonly itemCode: string
  readonly itemType: number
  readonly startTime: string
  readonly endTime: string
  readonly reportTime: string | null
  readonly lateMinutes: number
  readonly fullScore: string
  readonly passScore: string | null
  readonly weight: string
  readonly feeFen: number
  readonly seatGroup: string | null
  readonly tools: string
  readonly rules: string
  readonly rooms?: readonly Room[]
  /** Codes of the posts that sit it, as the posts say. */
  readonly typeCodes?: readonly string[]
  readonly ticketState?: number
  readonly scoreState?: number
  readonly sort: number
}

export type ExamValues = Readonly<Record<string, unknown>>
export type ExamDetail = ExamRow &
  ExamValues & {
    readonly signitems: readonly SignItem[]
    readonly signfiles: readonly SignFile[]
    readonly examitems: readonly Paper[]
    readonly changes?: readonly { readonly time: string; readonly text: string }[]
  }

export interface PostRow {
  readonly id: string
  readonly examId: string
  readonly unit: string
  readonly unitName: string
  readonly type: string
  readonly typeName: string
  readonly code: string
  readonly codeName: string
  readonly planNum: number
  readonly curNum: number
  readonly postState: number
  /** Fen; null where posts have no fee of their own. */
  readonly fee: number | null
  readonly signCount: number | null
  readonly passCount: number | null
}

/** One thing that keeps an examination from being released (2005). `path` leads to the field. */
export interface ReleaseProblem {
  readonly path: string
  readonly msg: string
}
