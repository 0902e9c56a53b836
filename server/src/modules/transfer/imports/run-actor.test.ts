import { expect, test } from 'vitest'
import type { Ctx } from '#kernel/http/context.ts'
import type { ImportJobRow } from '../data/import-job.repo.ts'
import { actorOfRun, reachOf } from './run-actor.ts'

const session = { tenantId: '000001', userId: '7', userType: 1, departments: ['3'], rowRules: [], wideResources: [] }

test('[S4.11] a run is narrowed as the call that ordered it was, also when the queue reads it back', () => {
  const reach = reachOf({ session } as unknown as Ctx)
  const job = { createdBy: '7', params: JSON.parse(JSON.stringify({ reach, fixes: [] })) } as ImportJobRow
  expect(actorOfRun(job, '000001')).toEqual({ kind: 'staff', tenantId: '000001', userId: '7', departments: ['3'], units: {} })
})

test('[S4.11] a run that kept no reach, or half of it, runs for nobody', () => {
  for (const params of [{}, { fixes: [] }, { reach: {} }, { reach: { units: {} } }])
    expect(actorOfRun({ createdBy: '7', params } as unknown as ImportJobRow, '000001')).toMatchObject({ reason: 'import/no-reach' })
  expect(actorOfRun({ createdBy: '7', params: { reach: { departments: null } } } as unknown as ImportJobRow, '000001')).toEqual({
    kind: 'staff',
    tenantId: '000001',
    userId: '7',
    departments: null,
  })
})
