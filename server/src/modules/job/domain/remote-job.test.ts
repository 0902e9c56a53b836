import { describe, expect, test } from 'vitest'
import { fromRemote, remoteTimeOf, sideOf, toRemote, unnamedField } from './remote-job.ts'

/** As a server of 4.3.9 tells it. */
const told = {
  id: 7,
  jobName: '对账',
  jobDescription: null,
  appId: 1,
  jobParams: '{"a":1}',
  timeExpressionType: 2,
  timeExpression: '0 0 3 * * ?',
  executeType: 4,
  processorType: 1,
  processorInfo: 'com.example.Job',
  maxInstanceNum: 1,
  concurrency: 5,
  instanceTimeLimit: 0,
  instanceRetryNum: 2,
  taskRetryNum: 1,
  status: 2,
  nextTriggerTime: null,
  minCpuCores: 0.5,
  minMemorySpace: 0,
  minDiskSpace: 0,
  designatedWorkers: null,
  maxWorkerCount: 0,
  notifyUserIds: null,
  gmtCreate: '2026-03-01T08:00:00.000+08:00',
  gmtModified: '2026-03-02T08:00:00.000+08:00',
  extra: null,
  dispatchStrategy: 2,
  dispatchStrategyConfig: 'x',
  lifecycle: '{"start":1767225600000,"end":1798675200000}',
  alarmConfig: { alertThreshold: 3, statisticWindowLen: 60, silenceWindowLen: 30 },
  tag: 'ours',
  logConfig: { type: 1, level: 2, loggerName: 'kept' },
  advancedRuntimeConfig: { taskTrackerBehavior: 11 },
}

test('numbers come, names go, and what we do not know goes back as it came', () => {
  const here = fromRemote(told)
  expect(here).toMatchObject({
    jobId: '7',
    enable: 0,
    executeType: 4,
    minCpuCores: '0.5',
    lifecycle: '2026-01-01 08:00:00,2026-12-31 08:00:00',
    alertThreshold: 3,
    notifyUserIds: '',
    jobDescription: '',
    logLevel: 2,
  })
  expect(toRemote({ ...here, notifyUserIds: '12,1005894110545969216' }, told, id => `raw ${id}`)).toEqual({
    id: 'raw 7',
    jobName: '对账',
    jobDescription: '',
    jobParams: '{"a":1}',
    timeExpression: '0 0 3 * * ?',
    processorInfo: 'com.example.Job',
    designatedWorkers: '',
    extra: '',
    timeExpressionType: 'CRON',
    executeType: 'MAP',
    processorType: 'BUILT_IN',
    dispatchStrategy: 'RANDOM',
    maxInstanceNum: 1,
    concurrency: 5,
    instanceTimeLimit: 0,
    instanceRetryNum: 2,
    taskRetryNum: 1,
    minCpuCores: 0.5,
    minMemorySpace: 0,
    minDiskSpace: 0,
    maxWorkerCount: 0,
    enable: false,
    notifyUserIds: ['raw 12', 'raw 1005894110545969216'],
    lifeCycle: { start: 1767225600000, end: 1798675200000 },
    alarmConfig: { alertThreshold: 3, statisticWindowLen: 60, silenceWindowLen: 30 },
    logConfig: { type: 1, level: 2, loggerName: 'kept' },
    dispatchStrategyConfig: 'x',
    tag: 'ours',
    advancedRuntimeConfig: { taskTrackerBehavior: 11 },
  })
})

test('an empty life cycle is one, and a number without a name is told', () => {
  expect(fromRemote({ ...told, lifecycle: '{}' })['lifecycle']).toBe('')
  expect(fromRemote({ ...told, lifecycle: 'no json' })['lifecycle']).toBe('')
  expect(unnamedField({ ...fromRemote(told), executeType: 77 })).toBe('executeType')
  expect(unnamedField(fromRemote(told))).toBeUndefined()
  expect(remoteTimeOf(told)).toEqual(new Date('2026-03-02T00:00:00Z'))
  expect(remoteTimeOf({ gmtModified: 'soon' })).toBeUndefined()
})

describe('which side is taken', () => {
  const day = (n: number) => new Date(Date.UTC(2026, 2, n))
  test.each([
    ['nothing changed', { here: day(1), there: day(2), synced: day(3), knownThere: day(2) }, 'same'],
    ['changed here', { here: day(4), there: day(2), synced: day(3), knownThere: day(2) }, 'here'],
    ['changed there', { here: day(1), there: day(4), synced: day(3), knownThere: day(2) }, 'there'],
    ['both, there is newer', { here: day(4), there: day(5), synced: day(3), knownThere: day(2) }, 'there'],
    ['both, here is newer', { here: day(6), there: day(5), synced: day(3), knownThere: day(2) }, 'here'],
    ['never the same before', { here: day(1), there: day(5), synced: undefined, knownThere: undefined }, 'there'],
  ] as const)('%s', (_, of, expected) => expect(sideOf(of)).toBe(expected))
})
