import { refuse, refuseField } from '#contract/kernel/errors.ts'
import { idsOf } from '#contract/kernel/ids.ts'
import type { Label } from '#contract/kernel/label.ts'
import { sliceOf, toPage } from '#contract/kernel/page.ts'
import type { Refusal } from '#contract/kernel/refusal.ts'
import type { InputOf } from '#contract/kernel/route.ts'
import { toWireTime } from '#contract/kernel/when.ts'
import { region, regionSelect } from '#contract/reference/region.routes.ts'
import { isRegionBelow, regionCodeBelow, regionCodeOf, regionLevelOf } from '#contract/reference/region.ts'
import { fileName, watermarkOf } from '#kernel/crud/export.ts'
import type { PlatformDb } from '#kernel/db/scope.ts'
import { type Ctx, type Handler, handle, handleExport, Refused } from '#kernel/http/context.ts'
import { platformAudit } from '#kernel/platform-audit.ts'
import type { SheetLine } from '#kernel/sheet/write-sheet.ts'
import type { Services } from '#server/services.ts'
import { regionSheetLabels } from './commands/import-regions.ts'
import {
  countRegions,
  everyRegion,
  findRegion,
  keptParent,
  listRegions,
  listRegionsBelow,
  lockRegions,
  type RegionFilter,
  removeRegions,
  rootCode,
  saveRegions,
} from './data/region.repo.ts'

/** Matches that a search shows at once. */
const searchLimit = 200
const batch = 2_000

const label = { zh: '行政区划', en: 'Regions' } satisfies Label
const userOf = (ctx: Ctx): string => ctx.session?.userId ?? '0'

export const regionHandlers = ({ scopes }: Services): Handler[] => {
  const above = <T>(ctx: Ctx, work: (db: PlatformDb) => Promise<T>): Promise<T> =>
    scopes.asPlatform('regions belong to the whole installation', ctx.arrivedAt, async db => {
      await lockRegions(db)
      return work(db)
    })

  const submit = (ctx: Ctx, sent: InputOf<typeof region.submit>) =>
    above(ctx, async db => {
      const code = regionCodeBelow(sent.code, sent.parentCode ?? '')
      const input = {
        ...sent,
        code,
        ...(sent.parentCode && sent.parentCode !== rootCode ? { parentCode: regionCodeOf(sent.parentCode) } : {}),
        // Beside the id of the region above stands that one's version.
        version: sent.id !== undefined && sent.id !== '' && regionCodeOf(sent.id) !== code ? undefined : sent.version,
      }
      const before = await findRegion(db, input.code)
      const needed = before ? 'region_edit' : 'region_add'
      if (!ctx.session?.permissions.has(needed)) throw new Refused(refuse('kernel/forbidden', {}))
      if (before && input.version === undefined)
        throw new Refused(refuseField('code', { zh: `区划编号 ${input.code} 已存在`, en: `The code ${input.code} exists already` }))
      if (input.version !== undefined && before?.version !== input.version) throw new Refused(refuse('kernel/changed-meanwhile', {}))
      const level = regionLevelOf(input.code)
      const parentCode = input.parentCode || before?.parentCode || rootCode
      const parent = parentCode === rootCode ? undefined : await findRegion(db, parentCode)
      const isPlaced = parentCode === rootCode ? level === 1 : parent !== undefined && isRegionBelow(input.code, parentCode)
      if (level === null || !isPlaced)
        throw new Refused(
          refuseField('code', {
            zh: parent
              ? `${input.code} 不能在“${parent.name}”之下：编号须以上级编号开头`
              : '省级编号为 6 位，末四位为 0000；其他区划须选择上级',
            en: parent
              ? `${input.code} cannot stand below ${parent.name}: a code begins like the one above`
              : 'A province has six digits and ends in 0000; anything else needs a parent',
          }),
        )
      const values = {
        code: input.code,
        parentCode,
        name: input.name,
        regionLevel: level,
        sort: input.sort ?? before?.sort ?? 0,
        remark: input.remark ?? before?.remark ?? '',
      }
      await saveRegions(db, userOf(ctx), [values])
      await platformAudit(
        ctx,
        db,
        {
          action: before ? 'region.updated' : 'region.added',
          entity: 'region',
          entityId: input.code,
          ...(before ? { before: { parentCode: before.parentCode, name: before.name, sort: before.sort, remark: before.remark } } : {}),
          after: values,
        },
        'all',
      )
      return { id: input.code }
    })

  const remove = (ctx: Ctx, codes: readonly string[]): Promise<{ removed: number } | Refusal> => {
    if (codes.length === 0) return Promise.resolve(refuse('kernel/select-one', {}))
    return above(ctx, async db => {
      const rows = await Promise.all(codes.map(code => findRegion(db, code)))
      if (rows.some(row => row === undefined)) return refuse('kernel/not-found', {})
      const kept = await keptParent(db, codes)
      if (kept) return refuse('kernel/in-use', { what: { zh: `${kept.name} 还有下级区划`, en: `${kept.name} has regions below it` } })
      for (const row of rows)
        if (row)
          await platformAudit(
            ctx,
            db,
            { action: 'region.removed', entity: 'region', entityId: row.code, before: { name: row.fullName } },
            'all',
          )
      return { removed: await removeRegions(db, codes) }
    })
  }

  const children = (parentCode: string | undefined): RegionFilter => ({ parentCode: regionCodeOf(parentCode || rootCode) })
  return [
    handle(region.list, async ({ db, input }) => {
      const { current, size, offset, ...filter } = sliceOf(input)
      return toPage(await listRegions(db, filter, size, offset), await countRegions(db, filter), current, size)
    }),
    handle(region.lazyList, ({ db, input: { parentCode, ...search } }) =>
      search.code || search.name ? listRegions(db, search, searchLimit) : listRegions(db, children(parentCode), batch),
    ),
    handle(region.lazyTree, async ({ db, input }) =>
      (await listRegions(db, children(input.parentCode), batch)).map(row => ({
        id: row.code,
        parentId: row.parentCode,
        title: row.name,
        key: row.code,
        value: row.code,
        hasChildren: row.hasChildren,
      })),
    ),
    handle(
      region.detail,
      async ({ db, input }) => (await findRegion(db, regionCodeOf(input.code ?? input.id ?? ''))) ?? refuse('kernel/not-found', {}),
    ),
    handle(regionSelect, ({ db, input }) => listRegionsBelow(db, input.code === undefined ? undefined : regionCodeOf(input.code))),
    handle(region.submit, ({ ctx, input }) => submit(ctx, input)),
    handle(region.remove, ({ ctx, input }) => remove(ctx, idsOf(input.ids, input.id).map(regionCodeOf))),
    handleExport(region.export, async ({ ctx, input }) => {
      async function* lines(): AsyncGenerator<SheetLine> {
        for await (const row of everyRegion(work => ctx.tx(work), input, batch))
          yield [row.code, row.parentCode === rootCode ? '' : row.parentCode, row.name, row.sort, row.remark]
      }
      return {
        fileName: fileName(ctx.say(label), toWireTime(ctx.arrivedAt).replace(/\D/g, '')),
        total: await ctx.tx(db => countRegions(db, input)),
        audit: { action: 'region.exported', entity: 'region', entityId: null, after: { ...input } },
        book: {
          watermark: watermarkOf(ctx, ctx.say(label)),
          sheets: [
            {
              name: ctx.say(label),
              columns: Object.values(regionSheetLabels).map(column => ({ header: ctx.say(column) })),
              rows: lines(),
            },
          ],
        },
      }
    }),
  ]
}
