import { Type } from 'typebox'
import { defineRoute } from '../kernel/route.ts'
import { optional, strict, text } from '../kernel/schema.ts'

export const tenantInfo = defineRoute({
  method: 'GET',
  path: '/blade-system/tenant/info',
  access: { public: true, because: 'the login page shows title and background before anybody is known' },
  input: strict({ domain: optional(text(2_000, { 'x-label': { zh: '网址', en: 'Address' } })), tenantId: optional(text(12)) }),
  output: Type.Object({
    tenantId: optional(Type.String()),
    domain: optional(Type.String()),
    domainUrl: optional(Type.String()),
    backgroundUrl: optional(Type.String()),
    logoUrl: optional(Type.String()),
    title: optional(Type.Object({ zh: Type.String(), en: Type.String() })),
  }),
  tx: 'own',
  background: true,
})
