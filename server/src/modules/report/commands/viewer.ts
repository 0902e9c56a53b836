import { refuse } from '#contract/kernel/errors.ts'
import { type DataSet, dataSets } from '#contract/report/data-sets.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { Refused, type Session } from '#kernel/http/context.ts'
import { findReport, type ReportRow, type Viewer } from '../data/report.repo.ts'
import { whyClosed } from './compute.ts'

/** Names of the data sets whose figures somebody may see. */
export const openSets = (session: Session): readonly string[] =>
  Object.entries<DataSet>(dataSets)
    .filter(([, set]) => whyClosed(session, set) === undefined)
    .map(([name]) => name)

export const viewerOf = (session: Session): Viewer => ({
  userId: session.userId,
  roleIds: session.roleIds,
  dataSets: openSets(session),
  isAdmin: session.roleAliases.has('admin'),
})

/** A report that this person sees. @throws Refused kernel/not-found */
export const seenReport = async (db: TenantDb, session: Session, id: string): Promise<ReportRow> => {
  const found = await findReport(db, id, viewerOf(session))
  if (!found) throw new Refused(refuse('kernel/not-found', {}))
  return found
}
