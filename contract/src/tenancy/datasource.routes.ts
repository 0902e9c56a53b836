import { Type } from 'typebox'
import { defineRoute } from '../kernel/route.ts'
import { id, strict, text } from '../kernel/schema.ts'

/** The password of a data source goes in sealed (SM2) and never comes out; an empty one takes it away. */
export const datasourcePassword = defineRoute({
  method: 'POST',
  path: '/blade-develop/datasource/password',
  access: { staff: 'datasource_edit', platform: true, because: 'a data source reaches outside the installation' },
  input: strict({ id: id(), password: text(1100) }),
  output: Type.Object({ passwordState: Type.Integer() }),
})
