import { Type } from 'typebox'
import { defineRoute } from '../kernel/route.ts'
import { named, strict, text } from '../kernel/schema.ts'

/** Changes by others of what an account is opened with, as an objection names them before the number of their row. */
export const objectionKinds = ['appeal', 'change', 'account', 'password', 'factor'] as const
export type ObjectionKind = (typeof objectionKinds)[number]

/** Sent in a body: what stands in an address is written down by every proxy on the way. */
const which = { code: named({ zh: '反对码', en: 'Code to object with' }, text(40)) } as const
const because = 'the key was sent to the owner of the account, who may have lost the way into it'
const standing = Type.Object({
  kind: Type.Enum(objectionKinds),
  /** The change still waits: it can be objected to. */
  open: Type.Boolean(),
})
/** What the owner can name later: the number of the change and when the objection came in. */
const receipt = Type.Object({ ...standing.properties, no: Type.String(), time: Type.String() })

/** What somebody is told of, and whether it can still be stopped. */
export const objectionState = defineRoute({
  method: 'POST',
  path: '/blade-userappeal/userappeal/objection',
  rank: 'within',
  means: 'looks whether a change of an account can still be objected to',
  access: { public: true, because },
  input: strict(which),
  output: standing,
  tx: 'own',
})

/** The owner of an account did not ask for the change: it stops. */
export const objectToChange = defineRoute({
  method: 'POST',
  path: '/blade-userappeal/userappeal/object',
  means: 'the owner of an account objects to a change that somebody else asked for',
  access: { public: true, because },
  input: strict(which),
  output: receipt,
  tx: 'own',
})

export const objectionRoutes = [objectionState, objectToChange] as const
