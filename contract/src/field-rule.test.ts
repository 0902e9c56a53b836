import { Type } from 'typebox'
import { describe, expect, test } from 'vitest'
import { factPlaces, factProblems } from './fact-places.ts'
import { markOf, searches, shows } from './kernel/field-rule.ts'
import { defineRoute, type Route } from './kernel/route.ts'
import { optional, strict, text } from './kernel/schema.ts'
import { noFacts } from './no-facts.ts'
import { userNoun } from './organisation/user.noun.ts'
import { allRoutes, ruledNouns } from './registry.ts'
import type { DataSet } from './report/data-sets.ts'

type Schema = { readonly [key: string]: unknown }
const placeOf = (route: Route): string => `${route.method} ${route.path}`
const isStaffs = (route: Route): boolean => 'staff' in route.access || 'signedIn' in route.access

const found = factPlaces(allRoutes())

describe('[S6.03] field rules › no answer forgets one', () => {
  test('every value that staff are answered under a personal name says which field it is, or why it is none', () => {
    expect(found.length).toBeGreaterThan(200)
    expect(factProblems(allRoutes())).toEqual([])
  })

  test('every reason stands for something that is still there', () => {
    const idle = noFacts.filter(([pattern]) => !found.some(({ place, mark }) => mark === undefined && pattern.test(place)))
    expect(idle.map(([pattern]) => String(pattern))).toEqual([])
  })

  test('every mark names a field that rules can be about, of a noun of a tenant', () => {
    const ruled = new Set(ruledNouns.flatMap(noun => Object.keys(noun.fields).map(field => `${noun.code}.${field}`)))
    const rulable = new Set(ruledNouns.map(noun => noun.code))
    const marks = found.flatMap(({ mark }) => (mark ? [mark.at] : []))
    expect([...new Set(marks)].filter(at => !ruled.has(at) && rulable.has(at.split('.')[0] ?? ''))).toEqual([])
  })

  test('a call, and a data set, that tells a fact without saying which does not start', () => {
    const told = defineRoute({
      method: 'GET',
      path: '/blade-note/note/people',
      access: { staff: 'note_view' },
      input: strict({ phone: optional(text(20)) }),
      output: Type.Array(Type.Object({ id: Type.String(), realName: Type.String(), photoUrl: Type.String() })),
    })
    expect(factProblems([told]).map(line => line.split(' seems')[0])).toEqual([
      'GET /blade-note/note/people [].realName',
      'GET /blade-note/note/people [].photoUrl',
      'GET /blade-note/note/people ?phone',
    ])
    const marked = defineRoute({
      ...told,
      input: strict({ phone: optional(searches([markOf(userNoun, 'phone')], text(20))) }),
      output: Type.Array(
        Type.Object({
          id: Type.String(),
          realName: shows(userNoun, 'realName', Type.String()),
          photoUrl: shows(userNoun, 'avatar', Type.String()),
        }),
      ),
    })
    expect(factProblems([marked])).toEqual([])
    const set: DataSet = {
      label: { zh: '便签', en: 'Notes' },
      help: { zh: '', en: '' },
      rights: [],
      version: 1,
      dimensions: { who: { label: { zh: '姓名', en: 'Name' } }, sex: { label: { zh: '性', en: 'Sex' }, field: markOf(userNoun, 'sex') } },
      measures: { score: { label: { zh: '平均', en: 'Mean' }, unit: 'number', kind: 'mean' } },
    }
    expect(factProblems([], { notes: set })).toEqual([
      'data set notes: who seems to tell the name of a person: say its `field`',
      'data set notes: score seems to tell the score of a person: say its `field`',
    ])
  })

  test('a file that staff are answered is a workbook of declared columns, or closed to who does not see what stands in it', () => {
    const files = allRoutes().filter(route => isStaffs(route) && route.answer === 'file')
    const because: Readonly<Record<string, string>> = {
      'GET /blade-report/report/file':
        'a result was made with the rules of whoever ran it, and is closed to whom a rule closes a field of it',
      'GET /blade-exam/exportjob/download': 'a workbook that was made with the rules of its owner',
      'GET /blade-exam/examination/importTemplate': 'asks by its columns',
      'POST /blade-develop/code/gen-code': 'program text',
      'POST /blade-develop/code/gen-code-fast': 'program text',
      'GET /blade-resource/oss/endpoint/file-content': 'a file of one’s own, or an attachment by its right',
    }
    const open = files.filter(
      route =>
        route.tells === undefined &&
        // An empty form.
        !route.path.endsWith('/export-template') &&
        because[placeOf(route)] === undefined &&
        !('fileName' in (((route.output as unknown as Schema)['properties'] as object) ?? {})),
    )
    expect(open.map(placeOf)).toEqual([])
  })
})
