import type { Resource } from '#contract/kernel/resource.ts'
import { param } from '#contract/tenancy/param.resource.ts'
import { storedParameterName } from '#contract/tenancy/parameter-names.ts'
import { isForPlatformOnly, parameterProblem } from '#contract/tenancy/parameter-rules.ts'
import { forgetParameters } from '#kernel/platform-audit.ts'
import type { NounSheet } from '#modules/transfer/index.ts'

/** A value of one's own, where it differs from the one that holds; a name as the program stores it. */
const prepare: NounSheet['prepare'] = (values, before) => {
  const [key, value] = [String(values['paramKey']), String(values['paramValue'])]
  const named = { ...values, paramName: storedParameterName(key, String(values['paramName'])) }
  if (value === before?.['paramValue']) return { values: named }
  const problem = isForPlatformOnly(key)
    ? { zh: '由平台统一设置，租户不能修改', en: 'Set by the platform for all tenants' }
    : parameterProblem(key, value)
  return problem ? { field: 'paramValue', problem } : { values: { ...named, isOwn: 1 } }
}

/** Parameters by their workbook. */
export const paramSheet: NounSheet = { resource: param as Resource as NounSheet['resource'], prepare, afterWrite: forgetParameters }
