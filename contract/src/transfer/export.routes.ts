import { Type } from 'typebox'
import { exportJobView } from '../kernel/export-job.ts'
import { pageInput, pageOf } from '../kernel/page.ts'
import { defineRoute } from '../kernel/route.ts'
import { flag, id, named, optional, strict, text } from '../kernel/schema.ts'

const because = 'only exports the caller ordered are shown'

export const exportJobs = defineRoute({
  method: 'GET',
  path: '/blade-exam/exportjob/page',
  access: { signedIn: true, because },
  input: strict(pageInput),
  output: pageOf(exportJobView),
  also: ['GET /blade-exam/exportjob/list'],
  means: 'my exports, the newest first',
})
export const exportJob = defineRoute({
  method: 'GET',
  path: '/blade-exam/exportjob/detail',
  access: { signedIn: true, because },
  input: strict({ id: id() }),
  output: exportJobView,
  background: true,
})
export const cancelExport = defineRoute({
  method: 'POST',
  path: '/blade-exam/exportjob/cancel',
  access: { signedIn: true, because },
  input: strict({ id: id() }),
  output: Type.Object({ id: Type.String(), state: Type.Integer() }),
})
export const downloadExport = defineRoute({
  method: 'GET',
  path: '/blade-exam/exportjob/download',
  access: { signedIn: true, because: 'the handler asks for the right of the export itself' },
  input: strict({ id: id() }),
  output: Type.Unknown(),
  answer: 'file',
  kinds: ['xlsx', 'zip'],
  tx: 'own',
})
/** Exports of others that wait for somebody who holds the right they name; the caller sees those they may decide on. */
export const exportApprovals = defineRoute({
  method: 'GET',
  path: '/blade-exam/exportjob/approvals',
  access: { signedIn: true, because: 'each export names the right that its approval needs' },
  input: strict(pageInput),
  output: pageOf(
    Type.Object({
      id: Type.String(),
      what: Type.String(),
      reason: Type.String(),
      total: Type.Integer(),
      askedBy: Type.String(),
      createTime: Type.String(),
      /** The caller ordered it: somebody else decides. */
      isOwn: Type.Boolean(),
    }),
  ),
  tx: 'read',
  means: 'exports that wait for an approval the caller may give',
})
export const approveExport = defineRoute({
  method: 'POST',
  path: '/blade-exam/exportjob/approve',
  access: { signedIn: true, because: 'the export names the right that its approval needs' },
  input: strict({
    id: id(),
    pass: named({ zh: '审批意见', en: 'Decision' }, flag()),
    /** Required when it is not approved. */
    remark: optional(text(200)),
  }),
  output: Type.Object({ id: Type.String(), state: Type.Integer() }),
  means: 'agrees to an export of somebody else, or refuses it with a reason',
})
export const exportRoutes = [exportJobs, exportJob, cancelExport, downloadExport, exportApprovals, approveExport] as const
