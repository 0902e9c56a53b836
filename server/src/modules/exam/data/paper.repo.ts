import type { PaperScoreState, PaperTicketState } from '#contract/exam/exam.state.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'
import { selectCamel } from './exam.repo.ts'

export interface RoomSpec {
  readonly siteCode: string
  readonly siteName: string
  readonly siteAddress: string
  readonly roomNo: string
  readonly roomName: string
  readonly floor: number
  readonly rows: number
  readonly cols: number
  readonly layout: string
  readonly disabled: readonly string[]
  readonly accessible: boolean
  readonly spare: number
}

/** A paper of an examination (`examitem`, domain 3.2). Decimals are texts. */
export interface PaperRow {
  readonly id: string
  readonly examId: string
  readonly itemName: string
  readonly itemCode: string
  /** 1 written, 2 interview, 3 practical, 4 physical. */
  readonly itemType: 1 | 2 | 3 | 4
  readonly startTime: Date
  readonly endTime: Date
  readonly reportTime: Date | null
  readonly lateMinutes: number
  readonly fullScore: string
  readonly passScore: string | null
  readonly weight: string
  readonly feeFen: number
  /** Post codes the paper applies to; empty = all. */
  readonly typeCodes: readonly string[]
  readonly seatGroup: string | null
  readonly rooms: readonly RoomSpec[]
  readonly rules: string
  readonly tools: string
  readonly ticketState: PaperTicketState
  readonly seedCommit: string | null
  readonly seedReveal: string | null
  readonly allotVersion: number
  readonly scoreState: PaperScoreState
  readonly scoreImportBy: string | null
  readonly scoreReleaseAt: Date | null
  readonly sort: number
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly version: number
}

const plain = [
  'itemName',
  'itemCode',
  'itemType',
  'startTime',
  'endTime',
  'reportTime',
  'lateMinutes',
  'feeFen',
  'typeCodes',
  'seatGroup',
  'rooms',
  'ticketState',
  'seedCommit',
  'seedReveal',
  'allotVersion',
  'scoreState',
  'scoreReleaseAt',
  'sort',
  'createdAt',
  'updatedAt',
  'version',
] as const satisfies readonly (keyof PaperRow)[]
const asText = ['id', 'examId', 'fullScore', 'passScore', 'weight', 'scoreImportBy'] as const satisfies readonly (keyof PaperRow)[]
const paperColumns = sql.join([selectCamel('i', plain, asText), sql`coalesce(i.rules, '') as rules`, sql`coalesce(i.tools, '') as tools`])

export const listPapers = (db: TenantDb, examId: string): Promise<PaperRow[]> =>
  db.all(
    sql<PaperRow>`select ${paperColumns} from exam_item i where i.exam_id = ${examId} and not i.is_deleted order by i.sort, i.item_code`,
  )

/** Codes of the posts that sit each of these papers, by the id of the paper. */
export const postsOfPapers = async (db: TenantDb, paperIds: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> => {
  const rows = await db.all(sql<{ id: string; codes: readonly string[] }>`
    select i.id::text as id, array_agg(p.code order by p.sort, p.code) as codes
    from exam_item i join type_code p on p.tenant_id = i.tenant_id and p.exam_id = i.exam_id and not p.is_deleted
    where i.id = any(${[...paperIds]}::bigint[]) and sits_paper(i.type_codes, i.item_code, p.item_codes, p.code) group by i.id`)
  return new Map(rows.map(({ id, codes }) => [id, codes]))
}

/** Ids of the papers that people of a post sit. */
export const papersOfPost = async (db: TenantDb, examId: string, code: string): Promise<readonly string[]> =>
  (
    await db.all(sql<{ id: string }>`
      select i.id::text as id from exam_item i join type_code p on p.tenant_id = i.tenant_id and p.exam_id = i.exam_id and p.code = ${code} and not p.is_deleted
      where i.exam_id = ${examId} and not i.is_deleted and sits_paper(i.type_codes, i.item_code, p.item_codes, p.code) order by i.start_time`)
  ).map(row => row.id)

/** Papers of several examinations. */
export const listPapersOf = (db: TenantDb, examIds: readonly string[]): Promise<PaperRow[]> =>
  db.all(
    sql<PaperRow>`select ${paperColumns} from exam_item i where i.exam_id = any(${[...examIds]}::bigint[]) and not i.is_deleted order by i.exam_id, i.sort, i.item_code`,
  )

export const findPaper = (db: TenantDb, id: string): Promise<PaperRow | undefined> =>
  db.maybe(sql<PaperRow>`select ${paperColumns} from exam_item i where i.id = ${id} and not i.is_deleted`)

/** Moves the papers of an examination by whole days, each keeping its hours. */
export const movePapers = (db: TenantDb, examId: string, days: number): Promise<unknown> =>
  db.run(sql`
    update exam_item set start_time = start_time + make_interval(days => ${days}), end_time = end_time + make_interval(days => ${days}),
      report_time = report_time + make_interval(days => ${days})
    where exam_id = ${examId} and not is_deleted`)
