import { Type } from 'typebox'
import { defineRoute } from '../kernel/route.ts'
import { strict, text } from '../kernel/schema.ts'

/** Schools whose name, former name or code holds the word; at most 20. */
export const schoolList = defineRoute({
  method: 'GET',
  path: '/blade-school/school/list',
  access: { signedIn: true, because: 'the school picker of the form; a public list of the ministry' },
  input: strict({ keyword: text(40, { minLength: 1 }) }),
  output: Type.Array(
    Type.Object({
      id: Type.String(),
      schoolCode: Type.String(),
      schoolName: Type.String(),
      province: Type.String(),
      city: Type.String(),
      level: Type.Integer(),
      isMedical: Type.Integer(),
    }),
  ),
  tx: 'read',
  background: true,
})
export const schoolRoutes = [schoolList] as const
