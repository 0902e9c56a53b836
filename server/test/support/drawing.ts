/** As attributes and conditions hold what is worked out. */
export const expr = (inner: string): string => `\${${inner}}`
/** Small drawings for tests, without a picture. */
export const drawing = (key: string, body: string, extension = ''): string =>
  `<?xml version="1.0" encoding="UTF-8"?><definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:flowable="http://flowable.org/bpmn" xmlns:kaopu="urn:kaopu:bpmn" targetNamespace="k" id="d1"><process id="${key}" name="流程 ${key}" isExecutable="true">${extension === '' ? '' : `<extensionElements>${extension}</extensionElements>`}${body}</process></definitions>`
export const line = (id: string, from: string, to: string, condition = ''): string =>
  `<sequenceFlow id="${id}" sourceRef="${from}" targetRef="${to}">${condition === '' ? '' : `<conditionExpression xsi:type="tFormalExpression"><![CDATA[${condition}]]></conditionExpression>`}</sequenceFlow>`
export const task = (id: string, who: string, inside = ''): string => `<userTask id="${id}" name="步骤 ${id}" ${who}>${inside}</userTask>`
export const variable = (name: string, type: string, required = false): string =>
  `<kaopu:variable name="${name}" label="字段 ${name}" type="${type}" required="${required}"/>`
/** Start, these steps one after another, end. */
export const straight = (key: string, steps: readonly (readonly [id: string, who: string])[], extension = ''): string => {
  const ids = ['s', ...steps.map(([id]) => id), 'e']
  return drawing(
    key,
    `<startEvent id="s"/>${steps.map(([id, who]) => task(id, who)).join('')}<endEvent id="e"/>${ids
      .slice(1)
      .map((id, at) => line(`f${at}`, ids[at] ?? '', id))
      .join('')}`,
    extension,
  )
}
