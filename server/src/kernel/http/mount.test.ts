import fastify from 'fastify'
import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { defineRoute } from '#contract/kernel/route.ts'
import { strict } from '#contract/kernel/schema.ts'
import type { Gate } from '../admission/gate.ts'
import { systemClock } from '../clock.ts'
import { createLog } from '../log.ts'
import { handle } from './context.ts'
import { createClaimedOnce } from './idempotency.ts'
import { createLastAnswers } from './last-answers.ts'
import { mount } from './mount.ts'

const openGate: Gate = {
  enter: async () => ({ isIn: true, claim: async () => undefined, cookies: () => [] }),
  stand: () => ({ standing: { isIn: true }, cookies: [] }),
  mayOpen: () => true,
  isRush: () => false,
  desk: () => ({ name: '', value: '', maxAgeSeconds: 0 }),
}

const person = defineRoute({
  method: 'GET',
  path: '/person',
  access: { public: true, because: 'a test' },
  input: strict({}),
  output: Type.Object({ name: Type.String(), roles: Type.Array(Type.Object({ id: Type.String() })) }),
  tx: 'own',
})

test('[PF 14] what an answer does not declare never leaves, however much a handler hands over', async () => {
  const app = fastify()
  app.decorateRequest('isMultipart', () => false)
  const row = { name: '王测', passwordHash: '$argon2id$secret', roles: [{ id: '1', permissionKey: 'secret' }], tenantId: 'secret' }
  mount(app, [handle(person, async () => row)], {
    scopes: { tx: () => Promise.reject(new Error('no database')), asPlatform: () => Promise.reject(new Error('no database')) },
    clock: systemClock,
    log: createLog('silent'),
    authenticate: async () => undefined,
    answerExport: () => Promise.reject(new Error('no export')),
    guestOf: async () => undefined,
    sealedCalls: { keyOf: async () => undefined, spend: async () => false },
    isClockRight: () => true,
    onceClaimed: createClaimedOnce(createLog('silent')),
    answerSeal: { seal: () => Buffer.alloc(0), open: () => '' },
    tenantOf: async () => '000000',
    gate: openGate,
    isHttps: false,
    last: createLastAnswers(systemClock),
  })
  const answer = await app.inject({ method: 'GET', url: '/api/person' })
  expect(answer.json()).toEqual({ code: 200, success: true, data: { name: '王测', roles: [{ id: '1' }] }, msg: '操作成功' })
  expect(answer.body).not.toContain('secret')
  await app.close()
})
