import { Type } from 'typebox'
import { defineRoute } from '../kernel/route.ts'
import { ids, int, optional, strict, text } from '../kernel/schema.ts'

const S = Type.String()
const I = Type.Integer()

/** Tenants' own values are given up for the platform's. */
const reset = defineRoute({
  method: 'POST',
  path: '/blade-system/param/reset',
  access: { staff: 'param_edit' },
  input: strict({ ids: optional(ids()) }),
  /** With `waiting` some keep their value until another person has done the same. */
  output: Type.Object({ changed: I, waiting: optional(S) }),
  says: 'waiting',
  means: 'takes the value of the platform instead of the own one',
})
const because = 'its value holds in every tenant that has none of its own'
const platformList = defineRoute({
  method: 'GET',
  path: '/blade-system/platform-param/list',
  access: { staff: 'platformparam_view', platform: true, because },
  input: strict({ paramKey: optional(text(128)), paramName: optional(text(64)) }),
  output: Type.Array(
    Type.Object({
      paramKey: S,
      paramName: S,
      paramValue: S,
      /** Tenants with a value of their own. */
      ownCount: I,
      /** 1: no tenant may have its own. */
      platformOnly: I,
      updateTime: S,
      version: I,
    }),
  ),
  tx: 'own',
})
const platformSubmit = defineRoute({
  method: 'POST',
  path: '/blade-system/platform-param/submit',
  access: { staff: 'platformparam_edit', platform: true, because },
  input: strict({
    paramKey: text(128, { minLength: 1 }),
    paramValue: text(2_000, { minLength: 1 }),
    version: optional(int(0, 2_147_483_647)),
  }),
  /** With `waiting` the value stays until another person has set the same. */
  output: Type.Object({ changed: I, waiting: optional(S) }),
  says: 'waiting',
  tx: 'own',
  means: 'sets the value of the platform; `changed` tenants follow it',
})

export const paramCalls = { reset, platformList, platformSubmit } as const
export const paramRoutes = [reset, platformList, platformSubmit] as const
