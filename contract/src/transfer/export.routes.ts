import { Type } from 'typebox'
import { exportJobView } from '../kernel/export-job.ts'
import { pageInput, pageOf } from '../kernel/page.ts'
import { defineRoute } from '../kernel/route.ts'
import { id, strict } from '../kernel/schema.ts'

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
  tx: 'own',
})
export const exportRoutes = [exportJobs, exportJob, cancelExport, downloadExport] as const
