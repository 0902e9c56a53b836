import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { requiredMessage } from '#contract/kernel/field.ts'
import type { RefusalDefinition } from '#contract/kernel/refusal.ts'
import { resources } from '#contract/nouns.ts'
import { allRoutes } from '#contract/registry.ts'
import { openApiOf } from '#kernel/http/openapi.ts'
import { menuSeeds } from '../../seed/base/menus.ts'

const han = /\p{Script=Han}/u
const contract = fileURLToPath(new URL('../../../contract/src/', import.meta.url))
const placeholders = (text: string): string[] => [...text.matchAll(/\{(\w+)\}/g)].map(match => match[1] ?? '').sort()

const errorTables = async (): Promise<[string, RefusalDefinition][]> => {
  const files = readdirSync(contract, { recursive: true })
    .map(String)
    .filter(name => name.endsWith('.errors.ts') || name === 'kernel/errors.ts')
  const tables = await Promise.all(files.map(async name => Object.values((await import(contract + name)) as Record<string, unknown>)))
  return tables
    .flat()
    .flatMap(value =>
      typeof value === 'object' && value !== null
        ? Object.entries(value as Record<string, RefusalDefinition>).filter(
            ([, one]) => typeof one === 'object' && one !== null && 'code' in one && 'zh' in one,
          )
        : [],
    )
}

describe('texts and declarations', () => {
  test('every refusal has both languages with the same placeholders, and no reason stands twice', async () => {
    const all = await errorTables()
    expect(all.length).toBeGreaterThan(50)
    for (const [reason, definition] of all) {
      expect([reason, placeholders(definition.zh)]).toEqual([reason, placeholders(definition.en)])
      expect([reason, han.test(definition.en.replace(/\{\w+\}/g, ''))]).toEqual([reason, false])
      expect([reason, definition.zh.length > 0 && definition.en.length > 0]).toEqual([reason, true])
    }
    const reasons = all.map(([reason]) => reason)
    expect(reasons.filter((reason, index) => reasons.indexOf(reason) !== index)).toEqual([])
  })

  test('every field, resource and menu is named in Chinese and English', () => {
    const labels = [
      ...resources.flatMap(resource => [
        resource.label,
        ...Object.values(resource.fields).flatMap(field => [field.label, requiredMessage(field)]),
      ]),
      ...menuSeeds.flatMap(function names(seed): { zh: string; en: string }[] {
        return [seed, ...(seed.buttons ?? []).map(([, zh, en]) => ({ zh, en })), ...(seed.children ?? []).flatMap(names)]
      }),
    ]
    expect(labels.filter(label => label.zh === '' || label.en === '' || han.test(label.en))).toEqual([])
  })

  test('[S3.01][S5.01] the messages of the parameter form are those of the specification', () => {
    const param = resources.find(resource => resource.name === 'param')
    expect(
      Object.values(param?.fields ?? {})
        .filter(field => field.required)
        .map(field => requiredMessage(field).zh),
    ).toEqual(['请输入参数名称', '请输入参数键名', '请输入参数键值'])
  })

  test('a route stands once, and its OpenAPI description says who may call it', () => {
    const places = allRoutes().map(route => `${route.method} ${route.path}`)
    expect(places.filter((place, index) => places.indexOf(place) !== index)).toEqual([])
    const document = openApiOf(allRoutes(), 'test')
    for (const route of allRoutes()) {
      const path = document.paths[`/api${route.path.replace(/:(\w+)/g, '{$1}')}`] as Record<string, { 'x-access': unknown }>
      expect(path[route.method.toLowerCase()]?.['x-access']).toEqual(route.access)
    }
  })

  test('docs/openapi.json is what the program says of itself (npm run openapi)', async () => {
    const { openApiText } = await import('../../../tools/openapi.ts')
    expect(readFileSync(fileURLToPath(new URL('../../../docs/openapi.json', import.meta.url)), 'utf8') === openApiText()).toBe(true)
  })

  test('every call of the list that this program answers has the method of the list', () => {
    const calls = readFileSync(fileURLToPath(new URL('../../seed/data/calls.tsv', import.meta.url)), 'utf8')
      .trim()
      .split('\n')
      .slice(1)
      .map(line => line.split('\t'))
    const methods = new Map<string, Set<string>>()
    for (const [method = '', path = ''] of calls) methods.set(path, new Set([...(methods.get(path) ?? []), method]))
    const wrong = allRoutes().filter(
      route =>
        methods.has(`/api${route.path}`) &&
        !methods.get(`/api${route.path}`)?.has(route.method) &&
        !(route.also ?? []).length &&
        route.answer !== 'file',
    )
    expect(wrong.map(route => `${route.method} ${route.path}`)).toEqual([])
  })
})
