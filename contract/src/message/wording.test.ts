import { describe, expect, test } from 'vitest'
import { templateProblem } from './check-template.ts'
import { fillWording, miswritten, smsSegments, variablesOf } from './wording.ts'

describe('words of messages', () => {
  test('variables in their order, each once; what is not given stays to be seen', () => {
    expect(variablesOf('${name}您好，${exam}，${name}')).toEqual(['name', 'exam'])
    expect(fillWording('${name}您好，${exam}', { name: '王测' })).toBe('王测您好，${exam}')
    // What every object has is no value of a message.
    expect(fillWording('${constructor}${toString}', {})).toBe('${constructor}${toString}')
  })

  test.each([
    ['${name} ok', undefined],
    ['{name}', '{name}'],
    ['${考试}', '${考试}'],
    ['${exam', '${exam'],
    ['exam}', '}'],
    ['没有变量', undefined],
  ])('%j is miswritten at %j', (text, found) => expect(miswritten(text)).toBe(found))

  test.each([
    [0, 1],
    [70, 1],
    [71, 2],
    [134, 2],
    [135, 3],
  ])('%i characters are %i parts', (length, parts) => expect(smsSegments('考'.repeat(length))).toBe(parts))

  test('a character beyond the basic plane counts as two, as providers count', () => {
    expect(smsSegments(`${'考'.repeat(69)}𠮷`)).toBe(2)
  })
})

describe('a template is judged when it is saved', () => {
  const words = { scene: 'signup-passed', title: '', content: '${exam}请于${deadline}前缴费${amount}元', titleEn: '', contentEn: '' }
  test('what an event must say is there, in both languages', () => {
    expect(templateProblem(words)).toBeUndefined()
    expect(templateProblem({ ...words, contentEn: '${exam}: pay by ${deadline}' })).toMatchObject({
      field: 'contentEn',
      refusal: { code: 2702, reason: 'template/variable-missing', text: { zh: '模板缺少变量 ${amount}：该通知必须包含' } },
    })
  })
  test('a variable that the event does not have is named, with those it has', () => {
    expect(templateProblem({ ...words, content: '${exam} ${idCard}' })?.refusal.text.zh).toBe(
      '模板中的变量 ${idCard} 不存在。可用的变量：${exam}、${deadline}、${amount}',
    )
  })
  test('one that is written wrongly is shown as it must be', () => {
    expect(templateProblem({ ...words, title: '{exam}' })).toMatchObject({
      field: 'title',
      refusal: { text: { zh: '变量写法有误：{exam}。请写成 ${exam}' } },
    })
  })
  test('messages to many may have any variable: a workbook brings its own', () => {
    expect(templateProblem({ ...words, scene: 'batch', content: '${room}' })).toBeUndefined()
  })
})
