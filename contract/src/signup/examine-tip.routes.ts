import { Type } from 'typebox'
import { nounOf, shows } from '../kernel/field-rule.ts'
import { defineRoute } from '../kernel/route.ts'
import { id, strict } from '../kernel/schema.ts'
import { examineTip } from './examine-tip.resource.ts'

const noun = nounOf(examineTip)

/** What the workbench offers: one's own texts and those of all, the most used first. */
export const offeredTips = defineRoute({
  method: 'GET',
  path: '/blade-examineTip/examinetip/offered',
  access: { staff: 'examinetip_view' },
  input: strict({}),
  output: Type.Array(
    Type.Object({
      id: Type.String(),
      title: shows(noun, 'title', Type.String()),
      content: shows(noun, 'content', Type.String()),
      kind: Type.Integer(),
      fieldKey: shows(noun, 'fieldKey', Type.Union([Type.String(), Type.Null()])),
      scope: Type.Integer(),
    }),
  ),
  tx: 'read',
  means: 'one’s own texts and those of all, the most used first',
})

/** Counts a use, by which the texts are put in order. */
export const useTip = defineRoute({
  method: 'POST',
  path: '/blade-examineTip/examinetip/use',
  access: { staff: 'examinetip_view' },
  input: strict({ id: id() }),
  output: Type.Object({ id: Type.String() }),
  background: true,
  means: 'counts a use of a text',
})
export const examineTipRoutes = [offeredTips, useTip] as const
