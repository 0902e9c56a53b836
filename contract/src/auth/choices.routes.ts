import { Type } from 'typebox'
import { defineRoute } from '../kernel/route.ts'
import { none } from '../kernel/schema.ts'

const held = Type.Array(Type.Object({ id: Type.String(), name: Type.String(), isChosen: Type.Boolean() }))

/** What somebody may work as (framework-contract 2.14): all of their roles and departments, and those the session goes on with. */
export const choices = defineRoute({
  method: 'GET',
  path: '/me/choices',
  access: { signedIn: true, because: 'everybody may know which roles and departments are theirs' },
  input: none(),
  output: Type.Object({ roles: held, departments: held }),
  tx: 'read',
  background: true,
  means: 'another choice: the refresh grant with headers Role-Id and Dept-Id, comma-joined',
})
