import { refuse } from '#contract/kernel/errors.ts'
import { permissionOf } from '#contract/kernel/permission.ts'
import type { Resource } from '#contract/kernel/resource.ts'
import { type Ctx, Refused } from '../http/context.ts'
import type { checkerOf } from '../http/input.ts'

/** What a form of a noun sends, checked by its declaration as an addition or a change; derived values may come back as they were. */
export const checkInput = (
  { derived = {}, takes = {}, permission }: Pick<Resource, 'derived' | 'takes' | 'permission'>,
  checks: Readonly<Record<'add' | 'edit', ReturnType<typeof checkerOf>>>,
  ctx: Ctx,
  raw: Readonly<Record<string, unknown>>,
): { readonly input: Readonly<Record<string, unknown>>; readonly id: string | undefined; readonly version: number | undefined } => {
  const { id: rawId, version, ...sent } = raw
  const input = Object.fromEntries(Object.entries(sent).filter(([name]) => !Object.hasOwn(derived, name) || Object.hasOwn(takes, name)))
  const id = typeof rawId === 'string' && rawId !== '' ? rawId : undefined
  const verb = id === undefined ? 'add' : 'edit'
  if (!ctx.session?.permissions.has(permissionOf(permission, verb))) throw new Refused(refuse('kernel/forbidden', {}))
  const problems = checks[verb](id === undefined ? input : { id, ...input }, ctx.language)
  const [first] = problems
  if (first)
    throw new Refused({ ...refuse('kernel/invalid-input', {}, { data: { fields: problems } }), text: { zh: first.msg, en: first.msg } })
  return { input, id, version: typeof version === 'number' ? version : undefined }
}
