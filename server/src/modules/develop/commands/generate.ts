import { systemRoles } from '#contract/access/role.ts'
import { code as codeNoun } from '#contract/develop/code.resource.ts'
import { refuseDevelop } from '#contract/develop/develop.errors.ts'
import type { develop } from '#contract/develop/develop.routes.ts'
import { refuse } from '#contract/kernel/errors.ts'
import type { Label } from '#contract/kernel/label.ts'
import { isRefusal, type Refusal } from '#contract/kernel/refusal.ts'
import type { InputOf } from '#contract/kernel/route.ts'
import { toWireDay, toWireTime } from '#contract/kernel/when.ts'
import { audit } from '#kernel/audit.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import type { Ctx, FileAnswer } from '#kernel/http/context.ts'
import { zipOf } from '#kernel/zip.ts'
import { type CodeRow, findCodes, findMenuCode, keepGenerated, knownTables, unknownDictionaries } from '../data/code.repo.ts'
import { findModel, type ModelRow } from '../data/model.repo.ts'
import type { DevelopDeps } from '../deps.ts'
import type { ModelField, NounFile } from '../domain/model-field.ts'
import { englishOf, labelText, nounOf, tableOf } from '../generator/names.ts'
import { type CodeChoice, filesOf, type TableChoice } from '../generator/plan.ts'
import { fieldsOf } from './model-fields.ts'
import { readTable } from './read-source.ts'

/** Those who may hold a generated screen: the platform's operator and candidates have none of a tenant's nouns. */
export const screenRoles = systemRoles.filter(alias => alias !== 'administrator' && alias !== 'candidate')
const usualRole = 'admin'
const usualMenu = 'system'
export const usualContext = 'develop'

type Wish = Pick<
  CodeRow,
  'codeName' | 'englishName' | 'templateType' | 'serviceName' | 'nounName' | 'menuId' | 'roles' | 'subFkId' | 'treePid' | 'treeName'
>

interface Found {
  readonly model: Pick<ModelRow, 'modelTable' | 'modelName' | 'modelCode'>
  readonly fields: readonly ModelField[]
}
const found = async (deps: DevelopDeps, ctx: Ctx, modelId: string): Promise<Found | Refusal> => {
  const model = await ctx.tx(db => findModel(db, modelId))
  if (model === undefined) return refuse('kernel/not-found', {})
  const fields = await fieldsOf(deps, ctx, model)
  return isRefusal(fields) ? fields : { model, fields }
}

type NamedModel = Pick<ModelRow, 'modelTable' | 'modelName' | 'modelCode'>
/** What the noun of a configuration is called, and after it that of the child. */
export const nounsOf = (nounName: string, main: NamedModel, child: NamedModel | undefined): readonly string[] | Refusal => {
  const noun = nounName || nounOf(main.modelCode) || nounOf(main.modelTable)
  if (noun === undefined) return refuseDevelop('develop/no-noun-name', { model: main.modelName })
  if (child === undefined) return [noun]
  const wanted = nounOf(child.modelCode)
  return [noun, wanted === undefined || wanted === noun ? `${noun}-item` : wanted]
}
/** One of these that the program has already, as a noun, a menu or a table. */
export const takenNoun = async ({ tree }: DevelopDeps, db: TenantDb, wanted: readonly string[]): Promise<string | undefined> => {
  const tables = await knownTables(db, wanted.map(tableOf))
  return wanted.find(
    name => tree.nouns.includes(name) || tree.menuCodes.includes(name.replaceAll('-', '')) || tables.includes(tableOf(name)),
  )
}
/** A role that no generated screen can be given to. */
export const strangeRole = (roles: string): string | undefined => rolesOf(roles).find(role => !screenRoles.some(alias => alias === role))
const rolesOf = (roles: string): readonly string[] =>
  roles
    .split(',')
    .map(role => role.trim())
    .filter(Boolean)
export const knownRoles = screenRoles.join(', ')

/** What a choice is about, once everything that it names has been looked at. */
const choiceOf = async (deps: DevelopDeps, ctx: Ctx, wish: Wish, main: Found, child: Found | undefined): Promise<CodeChoice | Refusal> => {
  const { contexts, folders } = deps.tree
  if (!contexts.includes(wish.serviceName))
    return refuseDevelop('develop/unknown-context', { context: wish.serviceName, known: contexts.join(', ') })
  const roles = rolesOf(wish.roles)
  const stranger = strangeRole(wish.roles)
  if (stranger !== undefined) return refuseDevelop('develop/unknown-role', { role: stranger, known: knownRoles })
  const under = wish.menuId === '' ? usualMenu : await ctx.tx(db => findMenuCode(db, wish.menuId))
  if (under === undefined || !folders.includes(under)) return refuseDevelop('develop/unknown-menu', {})
  const names = nounsOf(wish.nounName, main.model, child?.model)
  if (isRefusal(names)) return names
  const [noun = '', childNoun = ''] = names
  const taken = await ctx.tx(db => takenNoun(deps, db, names))
  if (taken !== undefined) return refuseDevelop('develop/noun-taken', { noun: taken })
  const missing = (field: Label, { model, fields }: Found, column: string): Refusal | undefined =>
    fields.some(({ jdbcName }) => jdbcName === column)
      ? undefined
      : refuseDevelop('develop/column-missing', { field, model: model.modelName, column })
  const { subFkId, treePid, treeName } = codeNoun.fields
  const problem =
    (child && missing(subFkId.label, child, wish.subFkId)) ??
    (wish.templateType === 'tree'
      ? (missing(treePid.label, main, wish.treePid) ?? missing(treeName.label, main, wish.treeName))
      : undefined)
  if (problem !== undefined) return problem
  const tableChoice = ({ model, fields }: Found, name: string, label: Label): TableChoice => ({
    table: model.modelTable,
    noun: name,
    label,
    fields,
  })
  return {
    context: wish.serviceName,
    under,
    roles: roles.length === 0 ? [usualRole] : roles,
    main: tableChoice(main, noun, { zh: labelText(wish.codeName) || noun, en: labelText(wish.englishName, 60) || englishOf(noun) }),
    child: child && {
      of: tableChoice(child, childNoun, { zh: labelText(child.model.modelName) || childNoun, en: englishOf(childNoun) }),
      column: wish.subFkId,
    },
    tree: wish.templateType === 'tree' ? { parent: wish.treePid, name: wish.treeName } : undefined,
  }
}

/** Nothing is made of a table whose every column is left out. */
const emptyModel = (choice: CodeChoice, names: readonly string[]): Refusal | undefined => {
  const hasForm = ({ fields }: TableChoice, but: string | undefined): boolean =>
    fields.some(field => field.isForm && field.leftOut === '' && field.jdbcName !== but)
  if (!hasForm(choice.main, choice.tree?.parent)) return refuseDevelop('develop/nothing-left', { model: names[0] ?? '' })
  if (choice.child && !hasForm(choice.child.of, choice.child.column))
    return refuseDevelop('develop/nothing-left', { model: names[1] ?? '' })
  return undefined
}

const choiceOfCode = async (deps: DevelopDeps, ctx: Ctx, code: CodeRow): Promise<CodeChoice | Refusal> => {
  const main = await found(deps, ctx, code.modelId)
  if (isRefusal(main)) return main
  const child = code.templateType === 'sub' && code.subModelId !== '' ? await found(deps, ctx, code.subModelId) : undefined
  if (isRefusal(child)) return child
  const choice = await choiceOf(deps, ctx, code, main, child)
  if (isRefusal(choice)) return choice
  return emptyModel(choice, [main.model.modelName, child?.model.modelName ?? '']) ?? choice
}

/** The files of some choices. Two that would make the same noun are refused: one would be written over the other. */
const write = async (deps: DevelopDeps, ctx: Ctx, choices: readonly CodeChoice[]): Promise<readonly NounFile[] | Refusal> => {
  const nouns = choices.flatMap(({ main, child }) => [main.noun, ...(child ? [child.of.noun] : [])])
  const twice = nouns.find((noun, at) => nouns.findIndex(other => other.replaceAll('-', '') === noun.replaceAll('-', '')) !== at)
  if (twice !== undefined) return refuseDevelop('develop/noun-taken', { noun: twice })
  const dictionaries = choices.flatMap(({ main, child }) => [...main.fields, ...(child?.of.fields ?? [])].map(({ dictCode }) => dictCode))
  const unknown = await ctx.tx(db => unknownDictionaries(db, [...new Set(dictionaries)].filter(Boolean)))
  return filesOf(choices, deps.tree.lastMigration, unknown)
}

/** @param nouns - what was generated: a single one names the file */
const answerOf = (ctx: Ctx, files: readonly NounFile[], nouns: readonly string[]): FileAnswer => {
  const time = ctx.arrivedAt
  return {
    body: zipOf(files.map(({ path, text }) => ({ name: path, content: Buffer.from(text), time }))),
    mime: 'application/zip',
    name: `kaopu-code-${nouns.length === 1 ? nouns[0] : nouns.length}-${toWireDay(time)}.zip`,
  }
}

/** A zip of what some configurations make. */
export const generate = async (deps: DevelopDeps, ctx: Ctx, ids: readonly string[]): Promise<FileAnswer | Refusal> => {
  const wanted = [...new Set(ids)]
  if (wanted.length === 0) return refuse('kernel/select-one', {})
  const codes = await ctx.tx(db => findCodes(db, wanted))
  if (codes.length !== wanted.length) return refuse('kernel/not-found', {})
  const choices: CodeChoice[] = []
  for (const code of codes) {
    const choice = await choiceOfCode(deps, ctx, code)
    if (isRefusal(choice)) return choice
    choices.push(choice)
  }
  const files = await write(deps, ctx, choices)
  if (isRefusal(files)) return files
  await ctx.tx(async db => {
    for (const [at, code] of codes.entries()) {
      // Each is compared with what it makes alone.
      const own = choices[at]
      const alone = own === undefined ? [] : await write(deps, ctx, [own])
      if (!isRefusal(alone)) await keepGenerated(db, code.id, alone)
      await audit(db, ctx, {
        action: 'code.generated',
        entity: 'code',
        entityId: code.id,
        after: { codeName: code.codeName, noun: own?.main.noun ?? '' },
      })
    }
  })
  return answerOf(
    ctx,
    files,
    choices.map(({ main }) => main.noun),
  )
}

/** The same of one table or model, with nothing saved. */
export const generateFast = async (
  deps: DevelopDeps,
  ctx: Ctx,
  input: InputOf<typeof develop.genCodeFast>,
): Promise<FileAnswer | Refusal> => {
  const table = input.tableName ?? ''
  const read = async (): Promise<Found | Refusal> => {
    if (input.modelId !== undefined) return found(deps, ctx, input.modelId)
    const read = await readTable(deps, ctx, input.datasourceId ?? '', table)
    return isRefusal(read)
      ? read
      : { model: { modelTable: table, modelName: labelText(read.comment, 60) || table, modelCode: table }, fields: read.fields }
  }
  const main = await read()
  if (isRefusal(main)) return main
  const wish = {
    codeName: input.codeName || main.model.modelName,
    englishName: '',
    templateType: 'crud',
    serviceName: input.serviceName || usualContext,
    nounName: input.nounName ?? '',
    menuId: input.menuId ?? '',
    roles: input.roles ?? '',
    subFkId: '',
    treePid: '',
    treeName: '',
  }
  const choice = await choiceOf(deps, ctx, wish, main, undefined)
  if (isRefusal(choice)) return choice
  const empty = emptyModel(choice, [main.model.modelName])
  if (empty !== undefined) return empty
  const files = await write(deps, ctx, [choice])
  if (isRefusal(files)) return files
  await ctx.tx(db =>
    audit(db, ctx, {
      action: 'code.generated',
      entity: 'code',
      entityId: null,
      after: { codeName: wish.codeName, noun: choice.main.noun },
    }),
  )
  return answerOf(ctx, files, [choice.main.noun])
}

/** The files as they would be made now, each with what it was at the last generation; what is made no longer stands at the end. */
export const previewCode = async (
  deps: DevelopDeps,
  ctx: Ctx,
  id: string,
): Promise<{ generatedTime: string; files: { path: string; text: string; before: string | null }[] } | Refusal> => {
  const [code] = await ctx.tx(db => findCodes(db, [id]))
  if (code === undefined) return refuse('kernel/not-found', {})
  const choice = await choiceOfCode(deps, ctx, code)
  if (isRefusal(choice)) return choice
  const files = await write(deps, ctx, [choice])
  if (isRefusal(files)) return files
  // A migration that was added meanwhile moves the number on; the file is the same.
  const nameOf = (path: string): string => path.replace(/migrations\/\d+_/, 'migrations/')
  const before = new Map((code.generatedFiles ?? []).map(file => [nameOf(file.path), file.text]))
  const now = new Set(files.map(({ path }) => nameOf(path)))
  return {
    generatedTime: code.generatedTime === null ? '' : toWireTime(code.generatedTime),
    files: [
      ...files.map(({ path, text }) => ({ path, text, before: before.get(nameOf(path)) ?? null })),
      ...(code.generatedFiles ?? [])
        .filter(({ path }) => !now.has(nameOf(path)))
        .map(({ path, text }) => ({ path, text: '', before: text })),
    ],
  }
}
