import { Type } from 'typebox'
import { defineRoute } from '../kernel/route.ts'
import { optional, strict, text } from '../kernel/schema.ts'

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
/** One level of the regions of GB/T 2260; without a parent, or below `00`, the provinces. */
export const regionSelect = defineRoute({
  method: 'GET',
  path: '/blade-system/region/select',
  access: { public: true, because: 'a national standard; the registration form needs it' },
  input: strict({ code: optional(text(12)) }),
  output: Type.Array(Type.Object({ code: Type.String(), name: Type.String(), level: Type.Integer(), hasChildren: Type.Boolean() })),
  tx: 'read',
  background: true,
})
export const schoolRoutes = [schoolList, regionSelect] as const
