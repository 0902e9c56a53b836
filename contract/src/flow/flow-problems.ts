import { type Label, label } from '../kernel/label.ts'
import { maxNodes, maxXmlChars } from './flow-limits.ts'

/** Everything a drawing can have wrong, with how to mend it; `{what}` is filled in. */
export const flowProblems = {
  unreadable: label('文件不是有效的 BPMN 2.0 XML：{what}', 'The file is no valid BPMN 2.0 XML: {what}'),
  doctype: label('文件不能包含 DTD 或实体声明', 'The file must not declare a DTD or entities'),
  tooLong: label(`文件过长，最多 ${maxXmlChars} 个字符`, `The file is too long; it may have ${maxXmlChars} characters`),
  tooMany: label(`元素过多（{what} 个），最多 ${maxNodes} 个`, `There are too many elements ({what}); there may be ${maxNodes}`),
  duplicateId: label('元素编号“{what}”重复', 'The id “{what}” is used twice'),
  reference: label('引用的元素“{what}”不存在', '“{what}” is referred to and does not exist'),
  noProcess: label('文件中没有流程', 'There is no process in the file'),
  severalProcesses: label('一个文件只能有一个流程', 'A file may have one process'),
  key: label(
    '流程编号须以字母开头，只含字母、数字、下划线和连字符，最多 60 个字符',
    'The id of the process begins with a letter and has letters, digits, _ and - only, 60 at most',
  ),
  name: label('请填写流程名称（最多 100 个字符）', 'Please give the process a name of at most 100 characters'),
  nodeName: label('请填写步骤名称（最多 100 个字符）', 'Please give the step a name of at most 100 characters'),
  description: label('说明最多 500 个字符', 'The description may have 500 characters'),
  element: label('不支持的元素：{what}', 'This kind of element is not supported: {what}'),
  script: label('不能使用脚本', 'Scripts are not supported'),
  listener: label('不能使用监听器', 'Listeners are not supported'),
  attribute: label('不支持的属性：{what}', 'This attribute is not supported: {what}'),
  extension: label('不支持的扩展：{what}', 'This extension is not supported: {what}'),
  gateway: label('只支持排他网关和并行网关', 'Only exclusive and parallel gateways are supported'),
  event: label('事件只支持定时（固定时长）', 'Of events, only timers with a fixed duration are supported'),
  boundary: label('边界定时只能附着在用户任务上', 'A boundary timer can be attached to a user task only'),
  nonInterrupting: label(
    '边界定时须中断任务；只需提醒时请设置任务的提醒时间',
    'A boundary timer has to interrupt its task; to remind only, set the reminder of the task',
  ),
  secondTimer: label('一个任务只能有一个边界定时', 'A task may have one boundary timer'),
  duration: label('时长“{what}”无效，请填写如 PT48H 或 P2D 的固定时长', '“{what}” is no fixed duration such as PT48H or P2D'),
  service: label('没有登记名为“{what}”的服务', 'There is no service “{what}”'),
  called: label('请填写要调用的流程编号', 'Please name the process that is called'),
  callsItself: label('流程不能调用自己', 'A process cannot call itself'),
  startCount: label('流程须有且只有一个开始事件', 'A process has exactly one start'),
  endCount: label('流程须至少有一个结束事件', 'A process has at least one end'),
  startIn: label('开始事件不能有进入的连线', 'No line may lead to the start'),
  endOut: label('结束事件不能有离开的连线', 'No line may leave an end'),
  noOut: label('没有离开的连线，流程会停在这里', 'No line leaves it, so the process would stop here'),
  severalOut: label('有多条离开的连线，请用网关分支', 'Several lines leave it; use a gateway to branch'),
  unreachable: label('从开始事件到不了这里', 'It cannot be reached from the start'),
  noEnd: label('从这里到不了结束事件', 'No end can be reached from here'),
  outside: label('连线的一端不在流程中', 'One end of the line is not in the process'),
  splitAndJoin: label('网关不能同时汇合和分支，请分成两个网关', 'A gateway cannot join and split at once; use two'),
  noDefault: label(
    '排他网关须指定默认连线，否则条件都不满足时流程会停住',
    'An exclusive gateway needs a default line, or the process stops when no condition holds',
  ),
  defaultCondition: label('默认连线不能有条件', 'The default line has no condition'),
  noCondition: label('请为这条分支填写条件，或设为默认连线', 'Please enter the condition of this line, or make it the default'),
  conditionPlace: label('只有排他网关离开的连线可以有条件', 'Only lines that leave an exclusive gateway can have a condition'),
  condition: label('条件有误：{what}', 'The condition is wrong: {what}'),
  parallel: label(
    '并行分支须在同一个并行网关汇合，且分支之间、分支与外部不能相连，分支内不能结束流程',
    'Parallel branches have to meet in one parallel gateway; no line may lead into, out of or between them, and no branch may end the process',
  ),
  loop: label('循环中没有用户任务，流程会无休止地循环', 'There is no user task in this loop, so it would never end'),
  people: label('请指定办理人或候选人', 'Please say who gets this step'),
  person: label('办理人规则“{what}”无效', '“{what}” does not say who'),
  personVariable: label('“{what}”不是已声明的人员变量', '“{what}” is no declared variable for a person'),
  sign: label('会签方式须为 all、any 或 share', 'The rule of signing is all, any or share'),
  share: label('会签比例须为 1 至 100 的整数', 'The share of signing is a whole number from 1 to 100'),
  variable: label('变量声明有误：{what}', 'The declaration of the variable {what} is wrong'),
  variableTwice: label('变量“{what}”重复声明', 'The variable “{what}” is declared twice'),
} as const satisfies Readonly<Record<string, Label>>
export type FlowProblemReason = keyof typeof flowProblems

export interface FlowProblem {
  /** Id of the element; empty for the file as a whole. */
  readonly element: string
  /** Its name, or what kind of element it is. */
  readonly where: Label
  readonly reason: FlowProblemReason
  readonly text: Label
}
export const problemOf = (
  reason: FlowProblemReason,
  at: { readonly id?: string | undefined; readonly where?: Label | undefined } = {},
  what: string | Label = '',
): FlowProblem => {
  const said = typeof what === 'string' ? { zh: what, en: what } : what
  const { zh, en } = flowProblems[reason]
  const fill = (text: string, by: string): string => text.replace('{what}', () => by.slice(0, 120))
  return { element: at.id ?? '', where: at.where ?? label('', ''), reason, text: { zh: fill(zh, said.zh), en: fill(en, said.en) } }
}
