import type { TenantDb } from '#kernel/db/scope.ts'
import { systemOf } from '#kernel/db/scope.ts'
import { type SharedReads, shareReads } from '#kernel/shared-reads.ts'
import type { Services } from '#server/services.ts'
import { dictionaryLabels } from '../commands/labels.ts'
import { type ExamRow, findExam, listReleased } from '../data/exam.repo.ts'
import { listChanges } from '../data/exam-write.repo.ts'
import { listSignFiles, type SignFileRow } from '../data/form.repo.ts'
import { listPapers, type PaperRow } from '../data/paper.repo.ts'
import { listPostsToSearch, type SearchedPost } from '../data/post.repo.ts'
import { allCounts, type PostCounts } from '../data/signup-facts.repo.ts'
import type { Dictionary } from '../domain/post-view.ts'

/** What is public of one examination, in memory: pages and judgements of everybody are made of it. */
export interface OpenExam {
  readonly exam: ExamRow
  readonly papers: readonly PaperRow[]
  readonly posts: readonly SearchedPost[]
  readonly files: readonly SignFileRow[]
  readonly changes: readonly { readonly createdAt: Date; readonly zh: string; readonly en: string }[]
  readonly counts: ReadonlyMap<string, PostCounts>
  readonly dictionary: Dictionary
}

/** What everybody sees is at most this old: a change of the office is there after that. */
const maxAgeMs = 20_000
const keptExams = 300
const shownChanges = 30

const readOpen = async (db: TenantDb, examId: string): Promise<OpenExam | undefined> => {
  const exam = await findExam(db, examId)
  if (!exam || exam.state === 'draft') return undefined
  const [papers, posts, files, changes, counts, dictionary] = await Promise.all([
    listPapers(db, examId),
    listPostsToSearch(db, examId),
    listSignFiles(db, examId),
    listChanges(db, examId, shownChanges),
    allCounts(db, examId),
    dictionaryLabels(db),
  ])
  const byCode = new Map(counts.map(row => [row.code, row]))
  return { exam, papers, posts, files: files.filter(file => file.stage === 1), changes, counts: byCode, dictionary }
}

export interface OpenExams {
  readonly of: (tenantId: string, examId: string) => Promise<OpenExam | undefined>
  /** Released examinations of a tenant, the one whose sign-up ends first at the top. */
  readonly listed: (tenantId: string) => Promise<readonly ExamRow[]>
}

export const createOpenExams = ({ scopes, clock }: Pick<Services, 'scopes' | 'clock'>): OpenExams => {
  const asSystem = <T>(tenantId: string, work: (db: TenantDb) => Promise<T>) => scopes.tx(systemOf(tenantId), clock.now(), work)
  const options = { clock, maxAgeMs, maxEntries: keptExams }
  const exams: SharedReads<OpenExam | undefined> = shareReads(key => {
    const [tenantId = '', examId = ''] = key.split(' ')
    return asSystem(tenantId, db => readOpen(db, examId))
  }, options)
  const lists = shareReads(tenantId => asSystem(tenantId, listReleased), options)
  return { of: (tenantId, examId) => exams.of(`${tenantId} ${examId}`), listed: tenantId => lists.of(tenantId) }
}
