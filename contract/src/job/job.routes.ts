import { type Static, Type } from 'typebox'
import { nounOf, shows } from '../kernel/field-rule.ts'
import { pageInput, pageOf } from '../kernel/page.ts'
import { defineRoute, type PermissionCode } from '../kernel/route.ts'
import { flag, id, ids, int, nullable, optional, strict, text, time } from '../kernel/schema.ts'
import { jobInfo, jobsOfAll } from './job-info.resource.ts'

const S = Type.String()
const I = Type.Integer()

const jobs = (staff: PermissionCode | readonly PermissionCode[]) => ({ staff, reachesAll: 'asked', because: jobsOfAll }) as const

/** What a comparison with a job server has done. */
const counts = Type.Object({
  /** Jobs that were there and not here. */
  created: I,
  /** Newer there. */
  updated: I,
  /** Not there, or newer here. */
  pushed: I,
  failed: I,
  /** What failed, a sentence each. */
  problems: Type.Array(S),
})
export type SyncCounts = Static<typeof counts>

const checkServer = defineRoute({
  method: 'POST',
  path: '/blade-job/job-server/check',
  access: { staff: 'jobserver_edit' },
  input: strict({ id: id() }),
  output: Type.Object({ state: I, serverVersion: S, isOpen: I, text: S }),
  tx: 'own',
  means: 'asks the job server whether it answers to the application and its password',
})
const syncServers = defineRoute({
  method: 'POST',
  path: '/blade-job/job-server/sync',
  access: { staff: 'jobserver_sync' },
  input: strict({}),
  output: counts,
  tx: 'own',
  means: 'compares the jobs of every job server with those here, both ways',
})
const changeJob = defineRoute({
  method: 'POST',
  path: '/blade-job/job-info/change',
  access: jobs('jobinfo_edit'),
  input: strict({ id: id(), enable: flag() }),
  output: Type.Object({ id: S, enable: I }),
  tx: 'own',
  means: 'switches a job on or off',
})
const runJob = defineRoute({
  method: 'POST',
  path: '/blade-job/job-info/run',
  access: jobs('jobinfo_run'),
  input: strict({ id: id(), instanceParams: optional(text(2000)) }),
  /** Of the run; at a PowerJob server its id there. */
  output: Type.Object({ instanceId: S }),
  tx: 'own',
  means: 'runs a job now, switched on or not',
})
const syncJobs = defineRoute({
  method: 'POST',
  path: '/blade-job/job-info/sync',
  access: jobs('jobinfo_sync'),
  input: strict({ ids: optional(ids()) }),
  several: { because: 'it names the jobs that it could not push' },
  output: counts,
  tx: 'own',
  means: 'the same for chosen jobs, or for all',
})
const copyJob = defineRoute({
  method: 'POST',
  path: '/blade-job/job-info/copy',
  access: jobs('jobinfo_add'),
  input: strict({ id: id() }),
  output: Type.Object({ id: S }),
  tx: 'own',
  means: 'adds a job like another, switched off',
})
const nextRuns = defineRoute({
  method: 'GET',
  path: '/blade-job/job-info/next-times',
  access: jobs(['jobinfo_view', 'jobinfo_add', 'jobinfo_edit']),
  input: strict({
    timeExpressionType: int(1, 99),
    timeExpression: optional(text(200)),
    lifecycle: optional(text(40)),
    jobServerId: optional(id()),
  }),
  /** At most five times, none where no time starts the job; what is wrong, and what is worth knowing. */
  output: Type.Object({ times: Type.Array(S), problem: S, field: S, note: S }),
  tx: 'read',
  means: 'checks what somebody writes about the times of a job (S5.11) and says the next ones',
})
const processors = defineRoute({
  method: 'GET',
  path: '/blade-job/job-info/processors',
  access: jobs(['jobinfo_view', 'jobinfo_add', 'jobinfo_edit']),
  input: strict({}),
  output: Type.Array(Type.Object({ processor: S, label: S, help: S, isMap: Type.Boolean() })),
  tx: 'read',
  means: 'what the built-in scheduler can run for this tenant',
})
const notifiable = defineRoute({
  method: 'GET',
  path: '/blade-job/job-info/people',
  access: jobs(['jobinfo_view', 'jobinfo_add', 'jobinfo_edit']),
  input: strict({}),
  output: Type.Array(Type.Object({ id: S, account: S })),
  tx: 'read',
  means: 'members of staff whom an alarm may go to, by their accounts',
})

const instance = Type.Object({
  id: S,
  jobInfoId: S,
  jobName: shows(nounOf(jobInfo), 'jobName', S),
  /** Id at the PowerJob server; empty for a run of the built-in scheduler. Text, for it exceeds what JavaScript counts. */
  instanceId: S,
  state: I,
  kind: I,
  dueTime: S,
  startTime: nullable(S),
  endTime: nullable(S),
  durationMs: nullable(I),
  attempt: I,
  /** Machine that ran it. */
  host: S,
  result: S,
  params: S,
  /** Account of who started it by hand. */
  startedBy: S,
  /** Parts of it, and how many of them have ended. */
  parts: I,
  partsDone: I,
})
export type JobInstanceView = Static<typeof instance>
const instances = defineRoute({
  method: 'GET',
  path: '/blade-job/job-instance/list',
  access: jobs('jobinfo_view'),
  input: strict({
    ...pageInput,
    jobInfoId: optional(id()),
    parentId: optional(id()),
    state: optional(int(1, 10)),
    from: optional(time()),
    to: optional(time()),
  }),
  output: pageOf(instance),
  tx: 'own',
  means: 'runs of the jobs, the newest first; a PowerJob server is asked about those of one job that go on there',
})
const instanceDetail = defineRoute({
  method: 'GET',
  path: '/blade-job/job-instance/detail',
  access: jobs('jobinfo_view'),
  input: strict({ id: id() }),
  output: Type.Object({ ...instance.properties, logs: Type.Array(Type.Object({ at: S, level: I, text: S })) }),
  tx: 'own',
  means: 'a run with its log; one at a PowerJob server is asked about there',
})
const chart = defineRoute({
  method: 'GET',
  path: '/blade-job/job-instance/chart',
  access: jobs('jobinfo_view'),
  input: strict({ jobInfoId: id() }),
  output: Type.Array(Type.Object({ id: S, at: S, state: I, durationMs: I })),
  tx: 'read',
  means: 'the last thirty runs that have ended, the oldest first',
})
const stopInstance = defineRoute({
  method: 'POST',
  path: '/blade-job/job-instance/stop',
  access: jobs('jobinfo_run'),
  input: strict({ id: id() }),
  output: Type.Object({ id: S, state: I }),
  tx: 'own',
  means: 'stops a run that waits or goes on',
})
const retryInstance = defineRoute({
  method: 'POST',
  path: '/blade-job/job-instance/retry',
  access: jobs('jobinfo_run'),
  input: strict({ id: id() }),
  output: Type.Object({ instanceId: S }),
  tx: 'own',
  means: 'repeats a run that has ended, with its parameters; at a PowerJob server under the number it has there',
})

export const job = {
  ...{ checkServer, syncServers, changeJob, runJob, syncJobs, copyJob, nextRuns, processors, notifiable },
  ...{ instances, instanceDetail, chart, stopInstance, retryInstance },
} as const
export const jobRoutes = Object.values(job)
