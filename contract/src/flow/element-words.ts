import { type Label, label } from '../kernel/label.ts'

/** What the kinds of elements are called where one has no name of its own. */
export const elementWords: Readonly<Record<string, Label>> = {
  'bpmn:Process': label('流程', 'Process'),
  'bpmn:StartEvent': label('开始', 'Start'),
  'bpmn:EndEvent': label('结束', 'End'),
  'bpmn:UserTask': label('审批步骤', 'Step'),
  'bpmn:ExclusiveGateway': label('条件分支', 'Branch by condition'),
  'bpmn:ParallelGateway': label('并行分支', 'Parallel branches'),
  'bpmn:ServiceTask': label('自动服务', 'Service'),
  'bpmn:CallActivity': label('子流程', 'Other process'),
  'bpmn:BoundaryEvent': label('超时', 'Time limit'),
  'bpmn:SequenceFlow': label('连线', 'Line'),
}
const other = label('其他元素', 'Other element')

/** An element as people know it: by its name, else by its kind. */
export const elementName = (type: string, name: string): Label => {
  const own = name.trim()
  return own === '' ? (elementWords[type] ?? other) : { zh: own, en: own }
}
/** A line as people know it: by its words, else by where it leads from and to. */
export const lineName = (name: string, from: Label | undefined, to: Label | undefined): Label =>
  name.trim() !== '' || !from || !to
    ? elementName('bpmn:SequenceFlow', name)
    : { zh: `从“${from.zh}”到“${to.zh}”的连线`, en: `Line from “${from.en}” to “${to.en}”` }
