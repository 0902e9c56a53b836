import { elementName, lineName } from '#contract/flow/element-words.ts'
import type { FlowLine, FlowNode, FlowVariable, PeopleRule, ProcessGraph } from '#contract/flow/process-graph.ts'
import { type Label, label } from '#contract/kernel/label.ts'
import { conditionWords, onlyIfOf, otherwiseWords } from '../model/straight.ts'

export type DifferenceMark = 'added' | 'removed' | 'changed'
export interface Difference {
  readonly mark: DifferenceMark
  /** Ids of the element in the two drawings; null where it is not. Both null: the process itself. */
  readonly before: string | null
  readonly after: string | null
  readonly where: Label
  /** What is different, in words; empty where the mark says all. */
  readonly what: readonly Label[]
  /** A line of a step that is itself new or gone: shown in the picture, and not worth a word. */
  readonly isSilent?: true
}

const same = (text: string): Label => ({ zh: text, en: text })
const none = label('无', 'none')
const from = (name: Label, old: Label, now: Label): Label => ({
  zh: `${name.zh}：${old.zh} → ${now.zh}`,
  en: `${name.en}: ${old.en} → ${now.en}`,
})
const orNone = (text: string): Label => (text === '' ? none : same(text))
const list = (names: readonly string[]): Label => (names.length === 0 ? none : { zh: names.join('、'), en: names.join(', ') })
const hours = (seconds: number | null): Label => {
  if (seconds === null) return none
  const count = Math.round((seconds / 3600) * 100) / 100
  return { zh: `${count} 小时`, en: `${count} h` }
}
const words = {
  name: label('名称', 'Name'),
  description: label('说明', 'Description'),
  who: label('办理人', 'Who decides'),
  sign: label('多人办理方式', 'When there are several'),
  other: label('须由另一人办理', 'Another person than before'),
  due: label('办理时限', 'Due after'),
  remind: label('提醒', 'Reminder after'),
  timer: label('定时', 'Timer'),
  calls: label('调用', 'Calls'),
  condition: label('条件', 'Condition'),
  leads: label('去向', 'Leads to'),
  kind: label('类型', 'Kind'),
  required: label('必填', 'Required'),
}
const signs = {
  all: label('会签：全部同意', 'All have to agree'),
  any: label('或签：一人同意即可', 'One is enough'),
  one: label('一人签收办理', 'One claims it'),
}
const kinds: Readonly<Record<FlowVariable['type'], Label>> = {
  text: label('文字', 'Text'),
  number: label('数字', 'Number'),
  boolean: label('是/否', 'Yes or no'),
  day: label('日期', 'Day'),
  user: label('人员', 'Person'),
}
const yesNo = (is: boolean): Label => (is ? label('是', 'yes') : label('否', 'no'))
const differ = (name: Label, old: Label, now: Label): readonly Label[] => (old.zh === now.zh ? [] : [from(name, old, now)])

const typeOf = ({ type }: FlowNode): string => `bpmn:${type.charAt(0).toUpperCase()}${type.slice(1)}`
const nodeName = (node: FlowNode | undefined): Label | undefined => node && elementName(typeOf(node), node.name)
const namesOf = (node: FlowNode, nameOf: (rule: PeopleRule) => string): Label =>
  list([...(node.task?.assignee ? [node.task.assignee] : []), ...(node.task?.candidates ?? [])].map(nameOf))
const signOf = ({ task }: FlowNode): Label =>
  task?.sign === 'share'
    ? { zh: `${task.share}% 同意`, en: `${task.share}% have to agree` }
    : task?.sign === 'all' || task?.sign === 'any'
      ? signs[task.sign]
      : signs.one

const beside = ({ flows, nodes }: ProcessGraph, id: string): { readonly into: readonly string[]; readonly out: readonly string[] } => ({
  into: (nodes[id]?.incoming ?? []).map(line => flows[line]?.from ?? ''),
  out: (nodes[id]?.outgoing ?? []).map(line => flows[line]?.to ?? ''),
})
/**
 * Which element of the one is which of the other: by its name, and without one by what it stands beside, because a list of steps numbers its ids anew
 * when one is put in; by id last.
 */
const pairsOf = (before: ProcessGraph, after: ProcessGraph): ReadonlyMap<string, string> => {
  const pairs = new Map<string, string>()
  const taken = new Set<string>()
  const isBeside = (a: FlowNode, b: FlowNode): boolean => {
    const [old, now] = [beside(before, a.id), beside(after, b.id)]
    const meets = (ids: readonly string[], others: readonly string[]) => ids.some(id => others.includes(pairs.get(id) ?? '-'))
    return meets(old.into, now.into) || meets(old.out, now.out)
  }
  const isBare = (a: FlowNode, b: FlowNode): boolean => a.name === '' && b.name === ''
  const isBesideBare = (a: FlowNode, b: FlowNode): boolean => isBare(a, b) && isBeside(a, b)
  const ways: readonly ((a: FlowNode, b: FlowNode) => boolean)[] = [
    (a, b) => a.name !== '' && a.id === b.id && a.name === b.name,
    (a, b) => a.name !== '' && a.name === b.name,
    (a, b) => isBare(a, b) && a.type === 'startEvent',
    (a, b) => a.id === b.id && isBesideBare(a, b),
    // A gateway is known by one that is known already.
    ...Array.from({ length: 3 }, () => isBesideBare),
    (a, b) => a.id === b.id,
  ]
  for (const isSame of ways)
    for (const node of Object.values(before.nodes)) {
      if (pairs.has(node.id)) continue
      const found = Object.values(after.nodes).find(other => !taken.has(other.id) && other.type === node.type && isSame(node, other))
      if (!found) continue
      pairs.set(node.id, found.id)
      taken.add(found.id)
    }
  return pairs
}

const conditionOf = ({ nodes, variables }: ProcessGraph, line: FlowLine): Label => {
  if (nodes[line.from]?.defaultFlow === line.id) return otherwiseWords
  if (line.condition === null) return none
  const only = onlyIfOf(line.condition, variables)
  return only === null ? same(line.condition) : conditionWords(only, variables)
}
const nameOfLine = ({ nodes }: ProcessGraph, { name, from: source, to }: FlowLine): Label =>
  lineName(name, nodeName(nodes[source]), nodeName(nodes[to]))

const differencesOfProcess = (before: ProcessGraph, after: ProcessGraph): readonly Difference[] => {
  const [none1, process] = [null, label('流程', 'Process')]
  const what = [
    ...differ(words.name, same(before.name), same(after.name)),
    ...differ(words.description, orNone(before.description), orNone(after.description)),
  ]
  const field = (mark: DifferenceMark, name: string, lines: readonly Label[] = []): Difference => ({
    ...{ mark, before: none1, after: none1, what: lines },
    where: { zh: `字段“${name}”`, en: `Field “${name}”` },
  })
  const fields = [
    ...before.variables.flatMap(old => {
      const now = after.variables.find(({ name }) => name === old.name)
      if (!now) return [field('removed', old.label)]
      const changed = [
        ...differ(words.name, same(old.label), same(now.label)),
        ...differ(words.kind, kinds[old.type], kinds[now.type]),
        ...differ(words.required, yesNo(old.required), yesNo(now.required)),
      ]
      return changed.length === 0 ? [] : [field('changed', old.label, changed)]
    }),
    ...after.variables.filter(({ name }) => !before.variables.some(old => old.name === name)).map(now => field('added', now.label)),
  ]
  return [...(what.length === 0 ? [] : [{ mark: 'changed', before: null, after: null, where: process, what } as const]), ...fields]
}

/** What two versions of a process have different: the process, its fields, its elements, and the lines between those that both have. */
export const differencesOf = (before: ProcessGraph, after: ProcessGraph, nameOf: (rule: PeopleRule) => string): readonly Difference[] => {
  const pairs = pairsOf(before, after)
  const partners = new Set(pairs.values())
  const found: Difference[] = [...differencesOfProcess(before, after)]
  for (const old of Object.values(before.nodes)) {
    const where = nodeName(old) ?? none
    const now = after.nodes[pairs.get(old.id) ?? '']
    if (!now) {
      found.push({ mark: 'removed', before: old.id, after: null, where, what: [] })
      continue
    }
    const what = [
      ...differ(words.name, orNone(old.name), orNone(now.name)),
      ...differ(words.who, namesOf(old, nameOf), namesOf(now, nameOf)),
      ...differ(words.sign, signOf(old), signOf(now)),
      ...differ(words.other, yesNo(old.task?.otherPerson === true), yesNo(now.task?.otherPerson === true)),
      ...differ(words.due, hours(old.task?.dueSeconds ?? null), hours(now.task?.dueSeconds ?? null)),
      ...differ(words.remind, hours(old.task?.remindSeconds ?? null), hours(now.task?.remindSeconds ?? null)),
      ...differ(words.timer, hours(old.timerSeconds), hours(now.timerSeconds)),
      ...differ(words.calls, orNone(old.calls ?? ''), orNone(now.calls ?? '')),
    ]
    if (what.length > 0) found.push({ mark: 'changed', before: old.id, after: now.id, where: nodeName(now) ?? where, what })
  }
  for (const now of Object.values(after.nodes))
    if (!partners.has(now.id)) found.push({ mark: 'added', before: null, after: now.id, where: nodeName(now) ?? none, what: [] })
  const left = new Set(Object.keys(after.flows))
  for (const old of Object.values(before.flows)) {
    const [source, to] = [pairs.get(old.from), pairs.get(old.to)]
    const now = Object.values(after.flows).find(line => left.has(line.id) && line.from === source && line.to === to)
    if (now) {
      left.delete(now.id)
      const what = [
        ...differ(words.condition, conditionOf(before, old), conditionOf(after, now)),
        ...(conditionOf(before, old).zh === conditionOf(after, now).zh ? differ(words.name, orNone(old.name), orNone(now.name)) : []),
      ]
      if (what.length > 0)
        found.push({
          mark: 'changed',
          before: old.id,
          after: now.id,
          where: lineName('', nodeName(after.nodes[now.from]), nodeName(after.nodes[now.to])),
          what,
        })
    } else
      found.push({
        ...{ mark: 'removed', before: old.id, after: null, where: nameOfLine(before, old), what: [] },
        ...(source === undefined || to === undefined ? { isSilent: true } : {}),
      })
  }
  for (const id of left) {
    const line = after.flows[id]
    if (line)
      found.push({
        ...{ mark: 'added', before: null, after: id, where: nameOfLine(after, line), what: [] },
        ...(partners.has(line.from) && partners.has(line.to) ? {} : { isSilent: true }),
      })
  }
  return found
}
