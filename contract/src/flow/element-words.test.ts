import { expect, test } from 'vitest'
import { elementName, lineName } from './element-words.ts'

test('[22.4] an element is called by its name, else by its kind, and never by its id', () => {
  const [task, end] = [elementName('bpmn:UserTask', ' '), elementName('bpmn:EndEvent', '')]
  expect([task, elementName('bpmn:UserTask', ' 审批 '), elementName('bpmn:DataObject', '')]).toEqual([
    { zh: '审批步骤', en: 'Step' },
    { zh: '审批', en: '审批' },
    { zh: '其他元素', en: 'Other element' },
  ])
  expect([lineName('', task, end), lineName('同意', task, end), lineName('', undefined, end)]).toEqual([
    { zh: '从“审批步骤”到“结束”的连线', en: 'Line from “Step” to “End”' },
    { zh: '同意', en: '同意' },
    { zh: '连线', en: 'Line' },
  ])
})
