import { refuse, refuseField } from '#contract/kernel/errors.ts'
import { idsOf } from '#contract/kernel/ids.ts'
import { type Label, label } from '#contract/kernel/label.ts'
import type { Refusal } from '#contract/kernel/refusal.ts'
import { toWireTime } from '#contract/kernel/when.ts'
import { refuseParam } from '#contract/tenancy/param.errors.ts'
import { param } from '#contract/tenancy/param.resource.ts'
import { paramCalls } from '#contract/tenancy/param.routes.ts'
import { keysNamedLike, parameterNameIn, storedParameterName } from '#contract/tenancy/parameter-names.ts'
import { isForPlatformOnly, parameterProblem, weakensTwoPersons } from '#contract/tenancy/parameter-rules.ts'
import { audit } from '#kernel/audit.ts'
import { crud } from '#kernel/crud/crud.ts'
import { type Handler, handle, Refused } from '#kernel/http/context.ts'
import { rowScopeOf } from '#kernel/http/row-scope.ts'
import { forgetParameters, platformAudit } from '#kernel/platform-audit.ts'
import { passAlone, passWith } from '#kernel/two-persons.ts'
import { gateParameter, waitsForSecond } from './commands/weaken-parameter.ts'
import {
  findPlatformParam,
  listPlatformParams,
  lockParams,
  lockParamWith,
  parametersWritten,
  resetParams,
  searchOf,
  setPlatformParam,
} from './data/param.repo.ts'
import type { TenancyDeps } from './deps.ts'

/** The value does not fit; the field is named for the form. */
const misfit = (problem: Label): Refusal =>
  refuseField(
    'paramValue',
    label(`${param.fields.paramValue.label.zh}：${problem.zh}`, `${param.fields.paramValue.label.en}: ${problem.en}`),
  )

/** Parameters: the platform's values, and what tenants set of their own. */
export const paramHandlers = ({ services: { scopes } }: TenancyDeps): Handler[] => [
  ...crud(param, {
    counted: 'param',
    filter: ({ language }, input) =>
      searchOf(input, language === 'zh' || !input['paramName'] ? [] : keysNamedLike(String(input['paramName']))),
    present: ({ language }, row) => ({ ...row, paramName: parameterNameIn(String(row['paramKey']), String(row['paramName']), language) }),
    prepare: async ({ db, input: given, before }) => {
      const oldKey = before === undefined ? undefined : String(before['paramKey'])
      const key = String(given['paramKey'] ?? oldKey ?? '')
      const input = given['paramName'] === undefined ? given : { ...given, paramName: storedParameterName(key, String(given['paramName'])) }
      if (oldKey !== undefined && key !== oldKey && (await findPlatformParam(db, oldKey)))
        return refuseParam('param/built-in', { key: oldKey })
      const value = input['paramValue']
      if (value === undefined || (before !== undefined && value === before['paramValue'])) return input
      if (isForPlatformOnly(key)) return refuseParam('param/platform-only', { key })
      const problem = parameterProblem(key, String(value))
      if (problem) return misfit(problem)
      return { ...input, isOwn: 1 }
    },
    waits: async ({ ctx, db, input, before }) => {
      const key = String(input['paramKey'] ?? before?.['paramKey'] ?? '')
      const from = before === undefined ? (await findPlatformParam(db, key))?.paramValue : String(before['paramValue'])
      const to = String(input['paramValue'] ?? from ?? '')
      // A parameter of the tenant's own making is a part of no rule.
      if (from === undefined || before === undefined) {
        if (from !== undefined && weakensTwoPersons(key, from, to)) throw new Refused(refuseParam('param/built-in', { key }))
        passAlone(db, 'parameterChange', 'notWeaker')
        return undefined
      }
      const word = await gateParameter(db, ctx, 'parameterChange', { id: String(before['id']), key, from, to })
      return word === undefined || word.kind === 'go' ? undefined : { fields: ['paramValue', 'isOwn'], waiting: waitsForSecond }
    },
    refuseRemove: async ({ db, rows }) => {
      for (const row of rows) {
        const key = String(row['paramKey'])
        if (await findPlatformParam(db, key)) return refuseParam('param/built-in', { key })
      }
      return undefined
    },
    afterWrite: ({ db, input }) => {
      // What is removed was the tenant's own making, and what waits was not written.
      if (input['paramValue'] === undefined) passAlone(db, 'parameterChange', 'notWeaker')
      return parametersWritten(db)
    },
  }),
  handle(paramCalls.reset, async ({ ctx, db, input }) => {
    const ids = idsOf(input.ids)
    if (ids.length === 0) return refuse('kernel/select-one', {})
    const rows = await lockParams(db, ids, rowScopeOf(ctx.session, param))
    if (rows.length !== ids.length) return refuse('kernel/not-found', {})
    const foreign = rows.find(row => row.platformValue === null)
    if (foreign) return refuseParam('param/own-only', { key: foreign.paramKey })
    const own: typeof rows = []
    for (const row of rows.filter(({ isOwn }) => isOwn)) {
      const change = { id: row.id, key: row.paramKey, from: row.paramValue, to: row.platformValue ?? row.paramValue }
      const word = await gateParameter(db, ctx, 'parameterChange', change)
      if (word === undefined || word.kind === 'go') own.push(row)
    }
    const waits = rows.filter(({ isOwn }) => isOwn).length > own.length
    if (own.length > 0)
      await resetParams(
        db,
        own.map(row => row.id),
      )
    for (const row of own)
      await audit(db, ctx, {
        action: 'param.reset',
        entity: 'param',
        entityId: row.id,
        before: { paramKey: row.paramKey, paramValue: row.paramValue },
        after: { paramKey: row.paramKey, paramValue: row.platformValue },
      })
    if (own.length > 0) await forgetParameters(db)
    return { changed: own.length, ...(waits ? { waiting: ctx.say(waitsForSecond) } : {}) }
  }),
  handle(paramCalls.platformList, ({ ctx, input }) =>
    scopes.asPlatform('operators see the values of the platform and how many tenants differ', ctx.arrivedAt, async db =>
      (await listPlatformParams(db, { ...input, orKeys: ctx.language === 'zh' ? [] : keysNamedLike(input.paramName ?? '') })).map(
        ({ updatedAt, ...row }) => ({
          ...row,
          paramName: parameterNameIn(row.paramKey, row.paramName, ctx.language),
          platformOnly: isForPlatformOnly(row.paramKey) ? 1 : 0,
          updateTime: toWireTime(updatedAt),
        }),
      ),
    ),
  ),
  handle(paramCalls.platformSubmit, async ({ ctx, input }) => {
    // The word of a person is of the tenant that they work in, also where the effect is above the tenants.
    const said = await ctx.tx(async db => {
      const at = await lockParamWith(db, input.paramKey)
      const held = await findPlatformParam(db, input.paramKey)
      if (!(at && held)) throw new Refused(refuse('kernel/not-found', {}))
      if (input.version !== undefined && input.version !== held.version) throw new Refused(refuse('kernel/changed-meanwhile', {}))
      const problem = parameterProblem(input.paramKey, input.paramValue)
      if (problem) throw new Refused(misfit(problem))
      const change = { id: at, key: input.paramKey, from: held.paramValue, to: input.paramValue }
      return { from: held.paramValue, word: await gateParameter(db, ctx, 'platformParameter', change) }
    })
    const { word } = said
    if (word && word.kind !== 'go') return { changed: 0, waiting: ctx.say(waitsForSecond) }
    return scopes.asPlatform('a value of the platform reaches every tenant that follows it', ctx.arrivedAt, async db => {
      const before = await findPlatformParam(db, input.paramKey, true)
      if (!before) throw new Refused(refuse('kernel/not-found', {}))
      if (before.paramValue !== said.from) throw new Refused(refuse('kernel/changed-meanwhile', {}))
      if (word) passWith(db, 'platformParameter', word)
      else passAlone(db, 'platformParameter', 'notWeaker')
      if (input.version !== undefined && input.version !== before.version) throw new Refused(refuse('kernel/changed-meanwhile', {}))
      const changed = await setPlatformParam(db, input.paramKey, input.paramValue, ctx.session?.userId ?? '0')
      await platformAudit(
        ctx,
        db,
        {
          action: 'platform-param.updated',
          entity: 'platform_param',
          entityId: input.paramKey,
          before: { paramValue: before.paramValue },
          after: { paramValue: input.paramValue, tenants: changed },
        },
        'all',
      )
      await forgetParameters(db)
      return { changed }
    })
  }),
]
