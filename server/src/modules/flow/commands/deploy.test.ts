import { describe, expect, test } from 'vitest'
import { maxNodes, maxXmlChars } from '#contract/flow/flow-limits.ts'
import { drawing, expr, line, straight, task, variable } from '../../../../test/support/drawing.ts'
import { readModel } from './deploy.ts'

const problems = async (xml: string): Promise<readonly string[]> =>
  (await readModel(xml)).problems.map(({ element, reason }) => `${element} ${reason}`)
const ends = '<startEvent id="s"/><endEvent id="e"/>'
const mine = `flowable:assignee="${expr('starter')}"`
const one = (body: string, extension = '') =>
  drawing('p', `${ends}${task('a', mine)}${line('f1', 's', 'a')}${line('f2', 'a', 'e')}${body}`, extension)

describe('[S7.33] what a drawing may have', () => {
  test('a straight approval is read as it runs', async () => {
    const { graph, problems: none } = await readModel(straight('p', [['a', 'flowable:candidateGroups="role:admin,post:12,dept:starter"']]))
    expect(none).toEqual([])
    expect(graph?.nodes['a']).toEqual({
      ...{ id: 'a', type: 'userTask', name: '步骤 a', incoming: ['f0'], outgoing: ['f1'], defaultFlow: null, block: [], calls: null },
      ...{ timerSeconds: null, attachedTo: null },
      task: {
        ...{ assignee: null, sign: null, share: 100, dueSeconds: null, remindSeconds: null },
        candidates: [
          { kind: 'role', ref: 'admin' },
          { kind: 'post', ref: '12' },
          { kind: 'dept', ref: 'starter' },
        ],
      },
    })
  })

  test('branches are known by the fork they come from, within each other too', async () => {
    const fork = (id: string) => `<parallelGateway id="${id}"/>`
    const { graph, problems: none } = await readModel(
      drawing(
        'p',
        `${ends}${fork('p1')}${fork('p2')}${fork('q1')}${fork('q2')}${['a', 'b', 'c'].map(id => task(id, mine)).join('')}${line('f1', 's', 'p1')}${line('f2', 'p1', 'a')}${line('f3', 'p1', 'q1')}${line('f4', 'q1', 'b')}${line('f5', 'q1', 'c')}${line('f6', 'b', 'q2')}${line('f7', 'c', 'q2')}${line('f8', 'q2', 'p2')}${line('f9', 'a', 'p2')}${line('f10', 'p2', 'e')}`,
      ),
    )
    expect(none).toEqual([])
    expect(Object.fromEntries(Object.values(graph?.nodes ?? {}).map(({ id, block }) => [id, block]))).toEqual({
      ...{ s: [], e: [], p1: [], p2: [], a: ['p1#0'], q1: ['p1#1'], q2: ['p1#1'], b: ['p1#1', 'q1#0'], c: ['p1#1', 'q1#1'] },
    })
  })

  test('a drawing of the modeler of Flowable 6.8.0 is read: its form checks, its notes for the editor, its word for who starts', async () => {
    const note = (name: string) =>
      `<extensionElements><modeler:${name} xmlns:modeler="http://flowable.org/modeler">true</modeler:${name}></extensionElements>`
    const checked = 'flowable:formFieldValidation="true"'
    const drawn = (body: string) =>
      drawing(
        'p',
        `<startEvent id="s" flowable:initiator="starter" ${checked}/><endEvent id="e"/>${body}${line('f1', 's', 'a')}${line('f2', 'a', 'e')}`,
      )
    const task = (inner: string) => `<userTask id="a" name="甲" flowable:assignee="$INITIATOR" ${checked}>${inner}</userTask>`
    const { graph, problems: none } = await readModel(drawn(task(note('activiti-idm-initiator'))))
    expect([none, graph?.nodes['a']?.task?.assignee]).toEqual([[], { kind: 'starter', ref: '' }])
    expect(await problems(drawn(task(note('allow-send-email'))))).toEqual(['a extension'])
  })

  test.each([
    ['no XML', 'hello', [' unreadable']],
    ['nothing', '', [' unreadable']],
    ['a DTD', `<!DOCTYPE x [<!ENTITY y "z">]>${one('')}`, [' doctype']],
    ['an unclosed file', one('').slice(0, -20), [' unreadable']],
    ['an id twice', one('<task id="a"/>'), [' duplicateId']],
    ['a line to nowhere', one(line('f3', 'a', 'nowhere')), [' reference']],
    ['an element nobody knows', one('<robot id="r"/>'), [' unreadable']],
    ['a script', one('<scriptTask id="x"/>'), ['x script']],
    [
      'a listener',
      one(task('b', mine, '<extensionElements><flowable:taskListener event="create"/></extensionElements>')),
      ['b listener', 'b noOut'],
    ],
    ['a service of some class', one('<serviceTask id="x" flowable:class="a.B"/>'), ['x attribute', 'x service', 'x noOut']],
    ['a service nobody registered', one(`<serviceTask id="x" flowable:delegateExpression="${expr('rm')}"/>`), ['x service', 'x noOut']],
    ['an inclusive gateway', one('<inclusiveGateway id="x"/>'), ['x gateway']],
    ['an event gateway', one('<eventBasedGateway id="x"/>'), ['x gateway']],
    ['a complex gateway', one('<complexGateway id="x"/>'), ['x gateway']],
    ['a message', one('<intermediateCatchEvent id="x"/>'), ['x event']],
    ['a subprocess', one('<subProcess id="x"/>'), ['x element']],
    ['Flowable’s own loops', one(task('b', mine, '<multiInstanceLoopCharacteristics/>')), ['b attribute', 'b noOut']],
    ['nobody to do it', one(task('b', '')), ['b people', 'b noOut']],
    ['an undeclared person', one(task('b', `flowable:assignee="${expr('boss')}"`)), ['b personVariable', 'b noOut']],
    ['a call of a method', one(task('b', `flowable:assignee="${expr('bean.run()')}"`)), ['b person', 'b noOut']],
    ['a second line from a task', one(`${task('b', mine)}${line('f3', 'a', 'b')}${line('f4', 'b', 'e')}`), ['a severalOut']],
    ['a step nothing leads to', one(`${task('b', mine)}${line('f4', 'b', 'e')}`), ['b unreachable']],
    [
      'a step that wants another person, but not with true or false',
      one('').replace('<userTask ', '<userTask kaopu:other="yes" '),
      ['a attribute'],
    ],
    ['a variable of no kind', one('', '<kaopu:variable name="x" label="X" type="any"/>'), ['p variable']],
    ['a variable twice', one('', variable('x', 'text') + variable('x', 'text')), ['p variableTwice']],
    ['two processes', one('').replace('</definitions>', '<process id="q" name="q"/></definitions>'), [' severalProcesses']],
  ])('%s is refused, with the element', async (_, xml, expected) => expect(await problems(xml)).toEqual(expected))

  test.each([
    ['without a default', 'x', '', ['x noDefault']],
    ['with a condition that is none', 'x', 'default="f3"', ['f4 condition']],
  ])('an exclusive gateway %s is refused', async (_, id, attributes, expected) =>
    expect(
      await problems(
        drawing(
          'p',
          `${ends}${task('a', mine)}<exclusiveGateway id="${id}" ${attributes}/>${line('f1', 's', 'a')}${line('f2', 'a', id)}${line('f3', id, 'e')}${line('f4', id, 'a', attributes === '' ? expr('pass') : expr('Runtime.exec()'))}`,
        ),
      ),
    ).toEqual(expected),
  )

  test('[22.4] what is wrong is said of a step by its name, and of what has none by its kind and its ends', async () => {
    const { problems: found } = await readModel(
      drawing(
        'p',
        `<startEvent id="s"/><endEvent id="e"/><exclusiveGateway id="Gateway_1x" default="f3"/>${task('Activity_9', '')}${line('f1', 's', 'Activity_9')}${line('f2', 'Activity_9', 'Gateway_1x')}${line('f3', 'Gateway_1x', 'e')}${line('Flow_7', 'Gateway_1x', 'Activity_9')}`,
      ),
    )
    expect(found.map(({ where: { zh }, text }) => [zh, text.zh])).toEqual([
      ['步骤 Activity_9', '请指定办理人或候选人'],
      ['从“条件分支”到“步骤 Activity_9”的连线', '请为这条分支填写条件，或设为默认连线'],
    ])
  })

  test('what could wait for ever, or turn for ever, is refused', async () => {
    const join = (kind: string) =>
      drawing(
        'p',
        `${ends}<exclusiveGateway id="x" default="f2"/>${task('a', mine)}${task('b', mine)}<${kind} id="y"/>${line('f1', 's', 'x')}${line('f2', 'x', 'a')}${line('f3', 'x', 'b', expr('pass'))}${line('f4', 'a', 'y')}${line('f5', 'b', 'y')}${line('f6', 'y', 'e')}`,
      )
    expect([await problems(join('parallelGateway')), await problems(join('exclusiveGateway'))]).toEqual([['y parallel'], []])
    const loop = (inside: string) =>
      drawing(
        'p',
        `${ends}${inside}<exclusiveGateway id="x" default="f3"/>${line('f1', 's', 'm')}${line('f2', 'm', 'x')}${line('f3', 'x', 'e')}${line('f4', 'x', 'm', expr('pass'))}`,
      )
    expect([await problems(loop('<exclusiveGateway id="m"/>')), await problems(loop(task('m', mine)))]).toEqual([['m loop'], []])
    const out = drawing(
      'p',
      `${ends}<endEvent id="e2"/><parallelGateway id="x"/>${task('a', mine)}${task('b', mine)}<parallelGateway id="y"/>${line('f1', 's', 'x')}${line('f2', 'x', 'a')}${line('f3', 'x', 'b')}${line('f4', 'a', 'y')}${line('f5', 'b', 'e2')}${line('f6', 'y', 'e')}`,
    )
    expect(await problems(out)).toContain('x parallel')
  })

  test('more than its size is refused', async () => {
    expect(await problems('x'.repeat(maxXmlChars + 1))).toEqual([' tooLong'])
    const many = Array.from({ length: maxNodes }, (_, at) => [`t${at}`, mine] as const)
    expect(await problems(straight('p', many))).toEqual(['p tooMany'])
    expect(await problems(straight('p', many.slice(2)))).toEqual([])
  })
})
