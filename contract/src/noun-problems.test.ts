import { expect, test } from 'vitest'
import { crudRoutes } from './kernel/crud-routes.ts'
import { int, ref, text } from './kernel/field.ts'
import { defineRefTarget } from './kernel/ref-target.ts'
import { defineResource } from './kernel/resource.ts'
import type { Route } from './kernel/route.ts'
import { nounProblems } from './noun-problems.ts'
import { refTargets, resources } from './nouns.ts'
import { allRoutes } from './registry.ts'

const label = { zh: '便签', en: 'Note' }
const base = { name: 'note', basePath: '/blade-note/note', menuPath: '/note', label } as const
const title = text(50, { label, required: true })
const problems = (resource: ReturnType<typeof defineResource>) =>
  nounProblems({
    resources: [resource],
    targets: new Map([
      ...refTargets,
      ['seal', defineRefTarget({ name: 'seal', label, table: 'seal', permission: 'seal', title: ['name'] })],
    ]),
    routes: [...allRoutes(), ...Object.values(crudRoutes(resource))] as Route[],
  })

test('what is declared today has nothing wrong with it', () => {
  expect(nounProblems({ resources, targets: refTargets, routes: allRoutes() })).toEqual([])
})

test('[20.5] a reference to what nobody knows is said, with what there is', () => {
  const [problem = ''] = problems(defineResource({ ...base, fields: { title, moonId: ref('moon', { label }) } }))
  expect(problem).toMatch(/^noun note: moonId points at moon, which no .* declares; there are api-scope, .*examination.*user/)
})

test('[20.5] a form asks for nothing that cannot be chosen', () => {
  expect(problems(defineResource({ ...base, fields: { title, sealId: ref('seal', { label }) } }))).toEqual([
    'noun note: sealId is part of the form, and seal has no list to choose from: give its target one, or the field `form: false`',
  ])
  expect(problems(defineResource({ ...base, fields: { title, sealId: ref('seal', { label, form: false }) } }))).toEqual([])
})

test('[20.5] what belongs to an examination says to which, and headings, actions and kept rows name what is there', () => {
  const wrong = defineResource({
    ...base,
    within: 'examination',
    groups: [{ key: 'main', label, fields: ['moon' as 'title'] }],
    actions: [
      { key: 'fly', label, call: 'POST /blade-note/fly', right: 'fly' },
      { key: 'drop', label, call: 'POST /blade-note/note/remove', right: 'edit', row: { ids: 'star' } },
    ],
    fields: { title },
  })
  expect(problems(wrong)).toEqual([
    "noun note: it is within examination and has no field examId: ref('examination')",
    'noun note: a field moon is named that is not there',
    'noun note: the action fly calls POST /blade-note/fly, which is not declared',
    'noun note: the action drop is shown to holders of note_edit, and its call asks for note_delete',
    'noun note: the action drop names a field star that is not there',
  ])
})

test('[20.5] what comes in by a workbook is known by what nobody else has, and asks for nothing that no cell can say', () => {
  const code = text(20, { label, required: true, unique: true })
  expect(problems(defineResource({ ...base, workbook: { key: 'code' }, fields: { code, title } }))).toEqual([])
  const wrong = defineResource({
    ...base,
    verbs: ['list'],
    workbook: { key: 'title', kind: 'a kind that is much too long' },
    fields: { title, examId: ref('examination', { label }) },
  })
  expect(problems(wrong)).toEqual([
    'noun note: it comes in by a workbook and is known by title, which has to be a field of the form that is required and unique',
    'noun note: it comes in by a workbook, and examId (ref) cannot be read from a cell',
    'noun note: it comes in by a workbook, and nobody may write it (`submit`)',
    'noun note: its workbook needs a `kind` of at most 20 characters',
  ])
})

test('[20.5] every noun that can be chosen has a list that says what its rows are called, and takes what is typed', () => {
  const routes = new Map(allRoutes().map(route => [`${route.method} ${route.path}`, route]))
  const broken = [...refTargets.values()].flatMap(({ name, list, detail, search, title: named }) =>
    [list, detail].flatMap(path => {
      if (path === undefined) return []
      const route = routes.get(`GET ${path}`)
      const text = JSON.stringify(route?.output ?? {})
      const inputs = Object.keys((route?.input as { properties?: object } | undefined)?.properties ?? {})
      const missing = named.filter(field => !text.includes(`"${field}"`))
      return route === undefined || missing.length > 0 || (path === list && search !== undefined && !inputs.includes(search))
        ? [`${name} ${path} ${missing}`]
        : []
    }),
  )
  expect(broken).toEqual([])
})

test('[S6.03] a field that seems to hold a fact about a person says which, or that it is none', () => {
  const of = (fields: Parameters<typeof defineResource>[0]['fields']) => problems(defineResource({ ...base, fields: { title, ...fields } }))
  expect(
    of({
      realName: text(20, { label: { zh: '经办', en: 'By' } }),
      who: text(20, { label: { zh: '姓名', en: 'Name' } }),
      idCardTail: text(4, { label }),
      mobile: text(20, { label }),
      homeAddress: text(20, { label }),
      avatar: text(20, { label }),
      finalScore: int({ label }),
    }).map(line => line.split(':')[1]?.trim()),
  ).toEqual([
    'realName seems to hold the name of a person',
    'who seems to hold the name of a person',
    'idCardTail seems to hold the id number of a person',
    'mobile seems to hold the phone of a person',
    'homeAddress seems to hold the address of a person',
    'avatar seems to hold the photo of a person',
    'finalScore seems to hold the score of a person',
  ])
  expect(
    of({
      realName: text(20, { label, mask: 'name' }),
      name: text(20, { label, fact: 'none' }),
      avatar: text(20, { label, fact: 'photo' }),
      finalScore: int({ label, fact: 'score' }),
    }),
  ).toEqual([])
})
