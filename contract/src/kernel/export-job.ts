import { Type } from 'typebox'
import type { Route } from './route.ts'

/**
 * An export that is made in the background because it has too many rows to be sent at once (decision 4.7). Every call that answers a
 * workbook answers this instead, as JSON in the envelope, above the limit.
 */
export const exportJobView = Type.Object({
  id: Type.String(),
  /** Method and path of the call that ordered it. */
  kind: Type.String(),
  fileName: Type.String(),
  /** 0 queued, 1 waits for somebody else's approval, 3 writing, 4 done, 5 failed, 6 cancelled, 7 expired, 8 not approved. */
  state: Type.Integer(),
  /** Rows it will have, and rows written so far. */
  total: Type.Integer(),
  done: Type.Integer(),
  sizeBytes: Type.Union([Type.Integer(), Type.Null()]),
  createTime: Type.String(),
  endTime: Type.Union([Type.String(), Type.Null()]),
  /** The file can be fetched until then. */
  expireTime: Type.Union([Type.String(), Type.Null()]),
  /** A link for this reader, ten minutes long; only while state is 4. */
  fileUrl: Type.Union([Type.String(), Type.Null()]),
  /** Why it failed, or what was said when it was not approved. */
  problem: Type.Union([Type.String(), Type.Null()]),
})

/** Whether a call answers a workbook that may be made in the background: what goes out is declared by this alone, in the context of its route. */
export const isExport = ({ answer, output }: Route): boolean => answer === 'file' && (output as object) === exportJobView
