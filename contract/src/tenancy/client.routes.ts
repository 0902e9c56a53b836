import { Type } from 'typebox'
import { defineRoute } from '../kernel/route.ts'
import { id, strict } from '../kernel/schema.ts'

/** A new secret of a client: it is in this answer and nowhere else; the one before opens nothing any more. */
export const renewSecret = defineRoute({
  method: 'POST',
  path: '/blade-system/client/renew-secret',
  access: { staff: 'client_edit', platform: true, because: 'a client opens every tenant' },
  input: strict({ id: id() }),
  output: Type.Object({ clientId: Type.String(), clientSecret: Type.String() }),
})
